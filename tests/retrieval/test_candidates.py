import pytest

from pyrite.core import Candidates, DataError, Run
from pyrite.retrieval.candidates import as_retrieved, force_positives, missing_positives, safeguard


def run(*doc_ids: str, query: str = "q") -> Run:
    return Run.of("toy", {query: [(doc_id, 10.0 - rank) for rank, doc_id in enumerate(doc_ids)]})


def ids(candidates: Candidates, query: str = "q") -> list[str]:
    return [hit.doc_id for hit in candidates.run[query]]


def test_a_full_list_loses_its_last_document_that_is_no_positive():
    candidates = force_positives(run("a", "b", "c", "d"), {"q": ["x", "d"]}, depth=4)
    assert ids(candidates) == ["a", "b", "x", "d"]
    assert candidates.forced == {"q": ("x",)}
    assert candidates.forced_count == 1


def test_a_short_list_is_appended_to_and_loses_nothing():
    candidates = force_positives(run("a", "b"), {"q": ["x"]}, depth=4)
    assert ids(candidates) == ["a", "b", "x"]


def test_the_first_of_several_missing_takes_the_last_place_and_the_next_the_one_before():
    candidates = force_positives(run("a", "b", "c", "d"), {"q": ["x", "y", "z"]}, depth=4)
    assert ids(candidates) == ["a", "z", "y", "x"]
    assert candidates.forced == {"q": ("x", "y", "z")}


def test_a_list_with_one_place_left_is_filled_before_anything_is_given_up():
    candidates = force_positives(run("a", "b", "c"), {"q": ["x", "y"]}, depth=4)
    assert ids(candidates) == ["a", "b", "y", "x"]
    assert candidates.forced == {"q": ("x", "y")}


def test_a_positive_beyond_the_depth_is_forced_and_ids_stay_unique():
    candidates = force_positives(run("a", "b", "c", "d"), {"q": ["d"]}, depth=2)
    assert ids(candidates) == ["a", "d"]
    assert candidates.forced == {"q": ("d",)}


def test_a_retrieved_positive_keeps_its_place_and_is_not_forced():
    candidates = force_positives(run("a", "b"), {"q": ["a"]}, depth=2)
    assert ids(candidates) == ["a", "b"]
    assert candidates.forced == {}


def test_more_positives_than_places_are_named():
    positives = {"q": ["x", "b", "y"]}
    candidates = force_positives(run("a", "b"), positives, depth=2)
    assert ids(candidates) == ["x", "b"]
    assert candidates.forced == {"q": ("x",)}
    assert missing_positives(candidates.run, positives) == {"q": ("y",)}


def test_a_query_that_the_run_lacks_has_its_positives_alone():
    candidates = force_positives(run("a", query="other"), {"q": ["x"]}, depth=2)
    assert ids(candidates) == ["x"]
    assert "other" not in candidates.run


def test_queries_keep_the_order_of_the_positives():
    both = Run.of("toy", {"q2": [("a", 1.0)], "q1": [("b", 1.0)]})
    assert force_positives(both, {"q1": ["b"], "q2": ["x"]}, depth=1).run.query_ids.to_pylist() == ["q1", "q2"]


def test_the_run_itself_is_not_changed_by_forcing():
    """X08: what is measured is the raw run."""
    raw = run("a", "b")
    force_positives(raw, {"q": ["x"]}, depth=2)
    assert [hit.doc_id for hit in raw["q"]] == ["a", "b"]


def test_the_safeguard_stands_behind_the_full_list_only_where_every_positive_was_missed():
    missed = safeguard(run("a", "b", "c"), {"q": ["x", "c"]}, depth=2)
    assert ids(missed) == ["a", "b", "x"]
    assert missed.forced == {"q": ("x",)}
    held = safeguard(run("a", "b", "c"), {"q": ["x", "b"]}, depth=2)
    assert ids(held) == ["a", "b"]
    assert held.forced == {}


def test_candidates_as_retrieved_have_nothing_put_in():
    candidates = as_retrieved(run("a", "b", "c"), {"q": ["x"]}, depth=2)
    assert ids(candidates) == ["a", "b"]
    assert candidates.forced == {}


@pytest.mark.parametrize("make", [force_positives, safeguard, as_retrieved])
def test_a_depth_of_nothing_is_refused(make):
    with pytest.raises(DataError, match="depth 0"):
        make(run("a"), {"q": ["a"]}, depth=0)
