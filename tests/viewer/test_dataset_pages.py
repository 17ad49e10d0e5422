"""A dataset's pages: which query is where, who found what."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.viewer import open_paths
from pyrite.viewer.asked import Asked, NotThereError
from pyrite.viewer.dataset_pages import document_page, queries_page, query_page


def test_a_list_of_queries_says_where_each_system_has_the_first_relevant_document(dataset: Path, results: Path) -> None:
    told = queries_page(open_paths([dataset, results]), Asked.of("set=0&find=what"))
    assert [(query_id, positives, best) for query_id, _, positives, best in told["rows"]] == [
        ("q1", 1, [1, 2]),
        ("q3", 1, [None, 1]),
    ]


def test_a_query_has_its_judged_documents_by_grade_with_their_ranks(dataset: Path, results: Path) -> None:
    told = query_page(open_paths([dataset, results]), Asked.of("set=0&id=q1"))
    judged = [(one.passage.doc_id, one.grade, one.ranks) for one in told["judged"]]
    assert judged == [("d1", 2, (1, 2)), ("d2", 0, (2, 1))]
    first, second = told["rankings"]
    assert [(one.rank, one.passage.doc_id, one.grade) for one in first.passages] == [
        (1, "d1", 2),
        (2, "d2", 0),
        (3, "d3", None),
    ]
    assert (first.best, second.best, first.values, second.values) == (1, 2, {"RR@10": 1.0}, {"RR@10": 0.5})
    assert (told["walk"].previous, told["walk"].next, told["walk"].at, told["walk"].count) == (None, "q2", 0, 3)


def test_neighbours_are_those_of_the_comparison_or_the_search_it_was_come_from(dataset: Path, results: Path) -> None:
    shelf = open_paths([dataset, results])
    lost = query_page(shelf, Asked.of("set=0&id=q2&board=0&a=0&b=1&which=lost"))["walk"]
    assert (lost.previous, lost.at, lost.count, lost.next) == ("q3", 1, 2, None)
    assert lost.back == "/compare?board=0&a=0&b=1&measure=RR%4010&which=lost"
    found = query_page(shelf, Asked.of("set=0&id=q1&find=what"))["walk"]
    assert (found.next, found.count, found.back) == ("q3", 2, "/queries?set=0&find=what")
    elsewhere = query_page(shelf, Asked.of("set=0&id=q2&find=what"))["walk"]
    assert (elsewhere.at, elsewhere.previous, elsewhere.next) == (None, None, None)


def test_a_system_without_the_answer_says_so(dataset: Path, results: Path) -> None:
    told = query_page(open_paths([dataset, results]), Asked.of("set=0&id=q3&s=0"))
    (only,) = told["rankings"]
    assert (only.system, only.best, only.length) == ("first", None, 3)
    assert [one.ranks for one in told["judged"]] == [(None,)]


def test_a_document_that_the_corpus_lacks_is_told(hostile: Path) -> None:
    told = query_page(open_paths([hostile]), Asked.of("set=0&id=%E2%80%AEq"))
    assert [(one.passage.doc_id, one.passage.there) for one in told["judged"]] == [("nowhere", False)]


def test_a_document_is_whole_and_marked_by_the_query_it_is_looked_at_for(dataset: Path) -> None:
    told = document_page(open_paths([dataset]), Asked.of("set=0&id=d1&query=q1"))
    marks = [piece.text for piece in told["shown"].segments if piece.kind]
    assert (marks, told["mark"]) == (["is", "fool", "s", "gold"], 2)
    alone = document_page(open_paths([dataset]), Asked.of("set=0&id=d1"))
    assert (alone["query"], alone["mark"], len(alone["shown"].segments)) == (None, None, 1)


@pytest.mark.parametrize(
    ("page", "asked"), [(query_page, "id=q9"), (query_page, "id=q1&set=1"), (document_page, "id=../../etc/passwd")]
)
def test_what_is_not_there_is_one_sentence(dataset: Path, page, asked: str) -> None:
    with pytest.raises(NotThereError, match="there is no"):
        page(open_paths([dataset]), Asked.of(asked))
