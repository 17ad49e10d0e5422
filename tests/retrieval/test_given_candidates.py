"""The candidates of a Nano dataset as a first stage: as retrieved, without what was forced in."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, DataError, Document, Queries, Query
from pyrite.retrieval import GivenCandidates


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, table in {
        "corpus": pa.table({"_id": ["d1"], "text": ["x"]}),
        "queries": pa.table({"_id": ["q1"], "text": ["x"]}),
        "qrels": pa.table({"query-id": ["q1"], "corpus-id": ["d1"]}),
        "bm25": pa.table({"query-id": ["q1", "q2"], "corpus-ids": [["d3", "d1", "d2"], ["d1"]]}),
    }.items():
        (tmp_path / name).mkdir()
        pq.write_table(table, tmp_path / name / "en.parquet")
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "en.json").write_text(json.dumps({"candidates": {"bm25": {"forced": {"q1": ["d2"]}}}}))
    return tmp_path


def test_the_lists_are_searched_in_their_order_without_forced_documents(folder: Path) -> None:
    """O24."""
    given = GivenCandidates(folder, "en")
    corpus = Corpus.of([Document(name, name) for name in ("d1", "d2", "d3")])
    run = given.index(corpus).search(Queries.of([Query("q2", "x"), Query("q1", "x"), Query("q9", "x")]), 2)
    assert [[hit.doc_id for hit in hits] for _, hits in run] == [["d1"], ["d3", "d1"], []]
    assert (run.system, given.family, given.settings()) == ("candidates:bm25", "run", {"candidates": "bm25"})


def test_a_candidate_that_the_corpus_lacks_is_an_error(folder: Path) -> None:
    with pytest.raises(DataError, match="candidate 'd3' is not in the corpus"):
        GivenCandidates(folder, "en").index(Corpus.of([Document("d1", "x"), Document("d2", "x")]))
