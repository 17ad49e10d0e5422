from pathlib import Path

import pytest

from pyrite.core import Corpus, DataError, Document, Queries, Query
from pyrite.retrieval.given import GivenRun

LINES = """q2 Q0 d3 1 1.5 x
q1 Q0 d1 1 2.5 x
q1 Q0 d3 2 9.5 x
q9 Q0 d1 1 1.0 x
"""


@pytest.fixture
def given_run(tmp_path: Path) -> GivenRun:
    path = tmp_path / "mine.trec"
    path.write_text(LINES)
    return GivenRun(path)


CORPUS = Corpus.of([Document("d1", "a"), Document("d2", "b"), Document("d3", "c")])
QUERIES = Queries.of([Query("q1", "?"), Query("q2", "?"), Query("q3", "?")])


def test_a_run_answers_with_what_the_file_holds(given_run: GivenRun) -> None:
    run = given_run.index(CORPUS).search(QUERIES, 10)
    assert {query: [(hit.doc_id, hit.score) for hit in hits] for query, hits in run} == {
        "q1": [("d3", 9.5), ("d1", 2.5)],
        "q2": [("d3", 1.5)],
        "q3": [],
    }
    assert run.positions.tolist() == [2, 0, 2], "positions are the corpus's"


def test_only_as_much_as_was_asked_for(given_run: GivenRun) -> None:
    run = given_run.index(CORPUS).search(QUERIES, 1)
    assert [hit.doc_id for hit in run["q1"]] == ["d3"]


def test_it_is_called_by_its_file(given_run: GivenRun) -> None:
    assert (given_run.name, given_run.family, given_run.settings()["file"]) == ("run:mine", "run", "mine.trec")


def test_two_files_of_one_name_are_told_apart_by_what_is_in_them(given_run: GivenRun) -> None:
    before = given_run.settings()["digest"]
    given_run.path.write_text("q1 Q0 d1 1 0.25 other\n")
    assert given_run.settings()["digest"] != before
    given_run.path.unlink()
    assert given_run.settings() == {"file": "mine.trec"}


def test_a_document_that_the_corpus_lacks_is_named(given_run: GivenRun) -> None:
    small = Corpus.of([Document("d1", "a")])
    with pytest.raises(DataError, match=r"mine.trec: document 'd3' is not in the corpus; give the corpus"):
        given_run.index(small)
