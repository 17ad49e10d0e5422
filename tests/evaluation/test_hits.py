"""Judgements and runs are joined by id."""

import pyarrow as pa
import pytest

from pyrite.core import Qrels, Run
from pyrite.evaluation.hits import Judgements, find_hits

QRELS = Qrels.of({"q1": {"d1": 1, "d2": 3, "d3": 0}, "q2": {"d1": -1}, "q3": {"d3": 2}})
ASKED = ["q3", "q9", "q1"]


def found(hits):
    return list(zip(hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist(), strict=True))


@pytest.mark.parametrize(
    "selected",
    [
        ["q3", "q9", "q1"],
        pa.array(["q3", "q9", "q1"]),
        pa.chunked_array([["q3"], ["q9", "q1"]]),
        iter(["q3", "q9", "q1"]),
    ],
)
def test_the_selected_queries_with_a_positive_are_measured_in_the_order_asked_for(selected):
    judged = Judgements(QRELS, selected)
    assert judged.query_ids.to_pylist() == ["q3", "q1"]
    assert (judged.selected, judged.without_positives, judged.unjudged) == (3, 1, 1)
    assert judged.owners.tolist() == [0, 1, 1, 1]
    assert judged.grades.tolist() == [2, 1, 3, 0]


def test_the_ideal_ranking_is_by_grade_within_each_query():
    judged = Judgements(QRELS)
    assert (judged.best_grades.tolist(), judged.best_ranks.tolist()) == ([3, 1, 0, 2], [1, 2, 3, 1])
    assert (judged.relevant(1).tolist(), judged.relevant(2).tolist()) == ([2, 1], [1, 1])


def test_a_document_judged_for_one_query_is_no_hit_for_another():
    """d1 and d2 are judged for q1 only, d3 for both with other grades."""
    ranking = [("d1", 5.0), ("d3", 4.0), ("d2", 3.0)]
    hits = find_hits(Judgements(QRELS), Run.of("run", {"q3": ranking, "q1": ranking}))
    assert found(hits) == [(0, 1, 1), (0, 2, 0), (0, 3, 3), (1, 2, 2)]
    assert hits.retrieved.tolist() == [3, 3]


def test_a_run_that_lacks_a_query_or_knows_no_judged_document_has_no_hit():
    hits = find_hits(Judgements(QRELS), Run.of("run", {"q1": [("x", 1.0)], "other": [("d1", 1.0)]}))
    assert (found(hits), hits.retrieved.tolist()) == ([], [1, 0])
    assert found(find_hits(Judgements(QRELS), Run.of("empty", {}))) == []


def test_ids_are_opaque_strings():
    """X11: "001" is not "1"; nor is "é" the same text as e with a combining accent."""
    judged = Judgements(Qrels.of({"001": {"1": 1, "é": 1}}))
    hits = find_hits(judged, Run.of("run", {"1": [("1", 1.0)], "001": [("01", 3.0), ("e\u0301", 2.0), ("1", 1.0)]}))
    assert found(hits) == [(0, 3, 1)]
