"""Values of several reports are joined by query id."""

from dataclasses import replace

import pytest

from pyrite.core import DataError, Qrels, RecipeError, Run
from pyrite.evaluation import align, measure

QRELS = Qrels.of({"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}})


def report(name, rankings, query_ids=("q1", "q2", "q3"), dataset="toy"):
    run = Run.of(name, {query: [(doc, 1.0) for doc in docs] for query, docs in rankings.items()})
    return replace(measure(QRELS, run, "RR P@1", query_ids=query_ids), dataset=dataset)


def test_values_are_joined_by_id_not_by_position():
    one = report("one", {"q1": ["d1"], "q3": ["d9", "d1"]})
    other = report("other", {"q1": ["d1"], "q3": ["d9", "d1"]}, query_ids=("q3", "q1"))
    joined = align([one, other], "RR")
    assert (joined.query_ids, joined.systems, joined.left_out) == (("q1", "q3"), ("one", "other"), 1)
    assert joined.values.tolist() == [[1.0, 0.5], [1.0, 0.5]]


def test_a_name_that_two_reports_share_is_numbered():
    both = report("bm25:en", {"q1": ["d1"]})
    assert align([both, both, both], "P@1").systems == ("bm25:en", "bm25:en (2)", "bm25:en (3)")


def test_what_can_not_be_compared_is_refused():
    one = report("one", {"q1": ["d1"]})
    with pytest.raises(DataError, match="reports of 'toy' and of 'other' can't be compared"):
        align([one, report("two", {}, dataset="other")], "RR")
    with pytest.raises(DataError, match="share no query"):
        align([report("one", {}, ["q1"]), report("two", {}, ["q2"])], "RR")
    with pytest.raises(RecipeError, match=r"no values of nDCG@10 for one; ask for one of RR, P@1"):
        align([one], "nDCG@10")
