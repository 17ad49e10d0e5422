"""What the files of a benchmark say, worked out by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.publishing.facts import Judgements, benchmark_facts


def test_the_toy_folder_is_counted(toy: Path) -> None:
    facts = benchmark_facts(toy)
    assert facts.counts == {"queries": 3, "gold": 3, "distractors": 3, "corpus": 6, "qrels": 3}
    assert (facts.repeated_texts, facts.repeated_rows) == (1, 1)
    assert facts.judgements == Judgements(rows=3, documents=3, fewest=1, mean=1.0, most=1, grades=((1, 3),))
    assert facts.leaks == {"distractor": 3, "gold": 1}
    assert facts.headline == 2
    assert facts.rows == 12
    assert not facts.changed


def test_a_grade_of_zero_is_a_judgement_and_no_positive(
    toy: Path, put_rows: Callable[[Path, list[dict[str, Any]]], None]
) -> None:
    path = toy / "qrels" / "test.parquet"
    more = [{"query-id": "q0", "corpus-id": "d0", "score": 0}, {"query-id": "q0", "corpus-id": "p1", "score": 3}]
    put_rows(path, [*pq.read_table(path).to_pylist(), *more])
    facts = benchmark_facts(toy)
    assert facts.judgements == Judgements(5, 4, fewest=1, mean=4 / 3, most=2, grades=((0, 1), (1, 3), (3, 1)))
    assert facts.changed


def test_ids_of_another_form_leave_the_gold_to_the_manifest(
    toy: Path, put_rows: Callable[[Path, list[dict[str, Any]]], None]
) -> None:
    path = toy / "corpus" / "corpus.parquet"
    put_rows(path, [{**row, "_id": f"doc {row['_id']}"} for row in pq.read_table(path).to_pylist()])
    assert (benchmark_facts(toy).gold, benchmark_facts(toy).distractors) == (3, 3)


def test_a_headline_of_all_queries_is_none(toy: Path) -> None:
    manifest = toy / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"headline_queries": 2', '"headline_queries": 3'))
    assert benchmark_facts(toy).headline is None


def test_a_folder_of_another_kind_is_an_error(toy: Path) -> None:
    manifest = toy / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('"kind": "benchmark",\n "language"', '"kind": "nano",\n "language"'))
    with pytest.raises(DataError, match="is of kind 'nano', not a benchmark"):
        benchmark_facts(toy)
