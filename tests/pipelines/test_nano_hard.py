"""A fill that BM25 ranks, and what it leaves out."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest


def rows(folder: Path, place: str) -> list[dict]:
    return pq.read_table(folder / f"{place}.parquet").to_pylist()


def hard(**guard) -> dict:
    nano = {"fill": "hard", "positives_per_query": 1, "guard": guard}
    return {"source": {"path": "twins"}, "nano": nano, "split": [{"name": "en", "language": "en"}]}


@pytest.fixture
def twins(write_rows):
    """q1 keeps d0; d1 is nearly d0, d2 ranks for q1, d3 does not."""
    text = "gold is a soft and heavy metal that does not rust in wet air or in water"
    texts = [text, f"{text} at all", "gold is heavy", "quartz scratches glass"]
    write_rows("twins/corpus.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts)])
    write_rows("twins/queries.parquet", [{"_id": "q1", "text": "heavy gold"}])
    write_rows("twins/qrels.parquet", [{"query-id": "q1", "corpus-id": "d0", "score": 1}])


def test_hard_fill_takes_what_bm25_ranks_and_guards_near_copies_of_the_positive(twins, make_nano):
    folder = make_nano(hard())
    assert [row["_id"] for row in rows(folder, "corpus/en")] == ["d0", "d2"]
    stages = {entry["stage"]: entry for entry in json.loads((folder / "metadata/en.json").read_text())["ledger"]}
    assert stages["documents of the split"]["dropped"] == {
        "may be relevant to a chosen query": 1,
        "not ranked for a chosen query": 1,
    }


def test_the_near_guard_can_be_set_so_that_it_lets_the_copy_through(twins, make_nano):
    folder = make_nano(hard(near=1.0))
    assert [row["_id"] for row in rows(folder, "corpus/en")] == ["d0", "d2", "d1"]


def test_a_scoring_system_guards_what_it_holds_for_as_good_as_the_positive(twins, make_nano, tmp_path):
    (tmp_path / "scores.trec").write_text("q1 Q0 d0 1 5.0 t\nq1 Q0 d2 2 4.5 t\nq1 Q0 d1 3 1.0 t\n")
    folder = make_nano(hard(near=1.0, system="run:scores.trec", margin=1.0))
    assert [row["_id"] for row in rows(folder, "corpus/en")] == ["d0", "d1"]
