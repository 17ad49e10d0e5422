import json

import pytest

from pyrite.core import RecipeError
from pyrite.engine import Engine
from pyrite.pipelines import check_recipe
from pyrite.pipelines.nano_choosing import choose_splits

SPLITS = {"usable": [("q0", "d0", 1)], "zeros": [("q0", "d0", 0)], "dangling": [("q0", "d9", 1)]}


@pytest.fixture
def beir(write_rows) -> None:
    write_rows("toy/corpus/corpus.parquet", [{"_id": "d0", "text": "gold"}])
    write_rows("toy/queries/queries.parquet", [{"_id": "q0", "text": "gold?"}])
    for split, judged in SPLITS.items():
        rows = [{"query-id": query, "corpus-id": doc, "score": grade} for query, doc, grade in judged]
        write_rows(f"toy/qrels/{split}.parquet", rows)


def outcomes(tmp_path, *splits: dict, source: dict | None = None, work: str = "work"):
    named = [{"name": f"s{place}", "language": "en", **split} for place, split in enumerate(splits)]
    values = {"kind": "nano", "name": "NanoToy", "source": source or {"path": "toy"}, "split": named}
    with Engine(tmp_path / work) as engine:
        return choose_splits(check_recipe(values, where="recipe"), tmp_path, engine), engine.counts


def test_each_split_takes_its_first_usable_query_split(beir, tmp_path):
    found, _ = outcomes(
        tmp_path,
        {"split": "usable"},
        {"split": "nothing", "fallback": ["zeros", "usable"]},
        {"split": "dangling", "fallback": ["zeros"]},
    )
    assert [outcome.choice.used for outcome in found] == ["usable", "usable", None]
    assert [outcome.done is None for outcome in found] == [False, False, True]
    assert found[1].choice.refused == (
        ("nothing", "it does not exist"),
        ("zeros", "none of its queries has a positive"),
    )
    assert found[0].source["split"] == "usable"


def test_a_fallback_that_is_not_needed_is_never_tried(beir, write_rows, tmp_path):
    (tmp_path / "toy/qrels/broken.parquet").write_bytes(b"no Parquet")
    found, counts = outcomes(tmp_path, {"split": "usable", "fallback": ["broken"]})
    assert found[0].choice.used == "usable"
    assert counts["nano-choose"].done_now == 1


def test_what_was_tried_is_not_tried_again_in_a_second_run(beir, tmp_path):
    splits = [{"split": "zeros", "fallback": ["usable"]}]
    _, first = outcomes(tmp_path, *splits)
    _, second = outcomes(tmp_path, *splits)
    assert (first["nano-choose"].done_now, second["nano-choose"].done_now) == (2, 0)


def test_a_changed_source_is_read_again(beir, write_rows, tmp_path):
    outcomes(tmp_path, {"split": "usable"})
    write_rows("toy/corpus/corpus.parquet", [{"_id": "d0", "text": "lead"}])
    _, counts = outcomes(tmp_path, {"split": "usable"})
    assert counts["nano-choose"].done_now == 1


def test_a_corpus_table_of_two_splits_is_scanned_once(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"id": "d0", "text": "gold"}\n')
    for split in ("dev", "test"):
        row = {"id": f"q-{split}", "query": "gold?", "positives": ["d0"]}
        (tmp_path / f"{split}.jsonl").write_text(json.dumps(row) + "\n")
    queries = {"columns": {"positives": "positives"}}
    source = {"path": "corpus.jsonl", "corpus": {}}
    found, counts = outcomes(
        tmp_path,
        {"queries": {**queries, "path": "dev.jsonl"}},
        {"queries": {**queries, "path": "test.jsonl"}},
        source=source,
    )
    assert counts["nano-scan"].done_now == 1
    assert [outcome.done.facts["counts"]["queries"] for outcome in found] == [1, 1]


def test_a_split_whose_fallback_names_it_twice_is_refused(beir, tmp_path):
    with pytest.raises(RecipeError, match="named twice"):
        outcomes(tmp_path, {"split": "usable", "fallback": ["usable"]})
