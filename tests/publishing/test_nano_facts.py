from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import write_parquet
from pyrite.publishing.nano_facts import nano_facts


def test_counts_are_those_of_the_files_and_not_of_the_manifest(make_nano_toy: Callable[..., Path]) -> None:
    """O53."""
    folder = make_nano_toy(counts={"splits": 9, "queries": 9, "corpus": 9, "qrels": 9})
    assert nano_facts(folder).counts == {"splits": 2, "queries": 4, "corpus": 6, "qrels": 6}
    # Each split: 3 documents, 3 qrels, 2 queries and 2 lists of candidates.
    assert nano_facts(folder).rows == 20


def test_forced_documents_are_counted_from_the_lists_of_the_metadata(nano_toy: Path) -> None:
    split = nano_facts(nano_toy).splits[0]
    assert split.built == {"queries": 2, "corpus": 3, "qrels": 3, "forced": 1, "nDCG@10": 0.5, "R@100": 0.75}


def test_splits_and_configs_stand_in_the_recipe_s_order(nano_toy: Path) -> None:
    facts = nano_facts(nano_toy)
    assert [split.name for split in facts.splits] == ["en", "ja"]
    assert facts.configs == ("corpus", "queries", "qrels", "bm25")
    assert (facts.further, facts.languages, facts.nanobeir) == ([], ["en", "ja"], False)


def test_a_changed_table_shows_in_the_digest(nano_toy: Path) -> None:
    assert not nano_facts(nano_toy).changed
    write_parquet(nano_toy / "qrels/en.parquet", pa.table({"query-id": ["q1"], "corpus-id": ["d1"]}))
    assert nano_facts(nano_toy).changed


def test_a_folder_without_metadata_holds_no_split(nano_toy: Path) -> None:
    for path in (nano_toy / "metadata").iterdir():
        path.unlink()
    with pytest.raises(DataError, match="holds no split"):
        nano_facts(nano_toy)
