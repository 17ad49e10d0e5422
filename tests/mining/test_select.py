"""The selection, rule by rule, on rows worked out by hand."""

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.mining import Rows, SelectRules, select, unscored_rows


def chosen(pool, selection):
    """What each row took, as document ids with how they were chosen."""
    ids = pool.corpus.ids.to_pylist()
    names = ("margin", "extended", "top-up")
    out = []
    for row in range(len(selection.state)):
        span = range(selection.offsets[row], selection.offsets[row + 1])
        out.append([(ids[pool.documents[selection.taken[n]]], names[selection.how[n]]) for n in span])
    return out


def ids(pool, selection):
    return [[doc for doc, _ in row] for row in chosen(pool, selection)]


def rows(pool, positives, lacking=None):
    """Rows of the only query; positives are left out as candidates."""
    documents = [pool.corpus.position(doc) for doc in positives]
    places = np.array([int(np.flatnonzero(pool.documents == doc)[0]) for doc in documents])
    excluded = np.isin(pool.documents, documents)
    return Rows(np.zeros(len(positives), np.int64), places, excluded, lacking)


def rules(**changes):
    return SelectRules(**{"num_negatives": 1, "positive_min": 2.0, "depth": 50, **changes})


def test_a_relative_margin_means_the_same_for_logits_below_zero(make_pool):
    """O02: with a positive at -2.0 and a margin of 0.05 only what is at -2.1 or below may stay."""
    pool = make_pool({"q": [("p", 1, -2.0), ("a", 2, -1.9), ("b", 3, -2.05), ("c", 4, -3.0)]})
    picked = select(pool, rows(pool, ["p"]), rules(num_negatives=3, positive_min=-9, relative_margin=0.05))
    assert ids(pool, picked) == [["c"]]
    above = make_pool({"q": [("p", 1, 2.0), ("a", 2, 1.95), ("b", 3, 1.9)]})
    assert ids(above, select(above, rows(above, ["p"]), rules(relative_margin=0.05))) == [["b"]]


def test_every_margin_that_is_set_must_hold_and_none_is_a_default(make_pool):
    pool = make_pool({"q": [("p", 1, 4.0), ("a", 2, 9.0), ("b", 3, 1.0), ("c", 4, 0.0)]})
    own = rows(pool, ["p"])
    assert ids(pool, select(pool, own, rules())) == [["a"]]
    assert ids(pool, select(pool, own, rules(absolute_margin=3.0))) == [["b"]]
    assert ids(pool, select(pool, own, rules(absolute_margin=3.0, relative_margin=1.0))) == [["c"]]


def test_a_margin_is_compared_in_float64_of_the_stored_float32(make_pool):
    """0.1 and 4.1 are no exact float32 numbers: their distance is a little less than 4."""
    pool = make_pool({"q": [("p", 1, 4.1), ("a", 2, 0.1)]})
    exact = float(np.float32(4.1)) - float(np.float32(0.1))
    own = rows(pool, ["p"])
    assert ids(pool, select(pool, own, rules(absolute_margin=exact))) == [["a"]]
    assert ids(pool, select(pool, own, rules(absolute_margin=float(np.nextafter(exact, 9.0))))) == [[]]


def test_ranks_are_those_of_the_retriever_before_anything_is_left_out(make_pool):
    """X04: with range_min = 1 the document at rank 2 is used although rank 1 was a positive."""
    pool = make_pool({"q": [("p", 1, 8.0), ("a", 2, 3.0), ("b", 3, 2.0), ("c", 4, 1.0)]})
    own = rows(pool, ["p"])
    assert ids(pool, select(pool, own, rules(num_negatives=3, range_min=1))) == [["a", "b", "c"]]
    assert ids(pool, select(pool, own, rules(num_negatives=3, range_min=2, range_max=3))) == [["b"]]


def test_bounds_of_a_negatives_logit_are_inclusive(make_pool):
    pool = make_pool({"q": [("p", 1, 9.0), ("a", 2, 3.0), ("b", 3, 2.0), ("c", 4, 1.0)]})
    picked = select(pool, rows(pool, ["p"]), rules(num_negatives=3, max_score=2.0, min_score=1.0))
    assert ids(pool, picked) == [["b", "c"]]
    assert (picked.counts["above max_score"], picked.counts["below min_score"]) == (1, 0)


def test_a_positive_is_never_dropped_by_a_rule_for_negatives(make_pool):
    """O13: the positive lies below min_score and max_score and stays."""
    pool = make_pool({"q": [("p", 1, 3.0), ("a", 2, 5.0)]})
    picked = select(pool, rows(pool, ["p"]), rules(min_score=4.0))
    assert ids(pool, picked) == [["a"]]


def test_equal_logits_go_by_the_order_of_the_pool(make_pool):
    pool = make_pool({"q": [("p", 1, 9.0), ("c", 2, 1.0), ("a", 3, 1.0), ("b", 4, 1.0)]}, ["a", "b", "c", "p"])
    assert ids(pool, select(pool, rows(pool, ["p"]), rules(num_negatives=2))) == [["a", "b"]]


def test_five_positives_on_top_still_leave_the_asked_number_of_negatives(make_pool):
    """O03."""
    positives = [(f"p{place}", place, 9.0) for place in range(1, 6)]
    negatives = [(f"n{place}", place, float(-place)) for place in range(6, 12)]
    pool = make_pool({"q": [*positives, *negatives]})
    picked = select(pool, rows(pool, [f"p{place}" for place in range(1, 6)]), rules(num_negatives=3, depth=5))
    assert ids(pool, picked) == [["n6", "n7", "n8"]] * 5


def test_the_extension_supplements_what_the_first_ranks_gave(make_pool):
    pool = make_pool({"q": [("p", 1, 9.0), ("a", 2, 1.0), ("b", 3, 4.0), ("c", 4, 2.0), ("d", 5, 3.0)]})
    own = rows(pool, ["p"])
    picked = select(pool, own, rules(num_negatives=3, depth=2, absolute_margin=6.0))
    # a keeps its column although d, from deeper, has the higher logit; b is within the margin.
    assert chosen(pool, picked) == [[("a", "margin"), ("d", "extended"), ("c", "extended")]]
    full = select(pool, own, rules(num_negatives=1, depth=2, absolute_margin=6.0))
    assert chosen(pool, full) == [[("a", "margin")]]


def test_top_up_relaxes_only_the_margins_and_never_repeats(make_pool):
    """O08, O10."""
    hits = [("p", 1, 5.0), ("a", 2, 0.0), ("b", 3, 4.0), ("c", 4, 6.0), ("d", 5, 8.0), ("e", 6, 3.0)]
    pool = make_pool({"q": hits})
    own = rows(pool, ["p"])
    picked = select(pool, own, rules(num_negatives=3, absolute_margin=4.0, max_score=6.0, top_up=True))
    assert chosen(pool, picked) == [[("a", "margin"), ("c", "top-up"), ("b", "top-up")]]
    greedy = select(pool, own, rules(num_negatives=9, absolute_margin=4.0, top_up=True))
    assert ids(pool, greedy) == [["a", "d", "c", "b", "e"]]
    assert greedy.full.tolist() == []


def test_rows_are_told_apart_and_counted(make_pool):
    """O06."""
    pool = make_pool({"q": [("p", 1, 9.0), ("w", 2, 1.0), ("a", 3, 0.0), ("b", 4, 6.0), ("m", 5, 7.0)]})
    picked = select(pool, rows(pool, ["p", "w", "m"]), rules(num_negatives=2, absolute_margin=4.0, top_up=True))
    assert ids(pool, picked) == [["a", "b"], [], ["a", "b"]]
    assert (picked.full.tolist(), picked.weak, picked.short.tolist()) == ([0, 2], 1, [])
    assert picked.origins(picked.full) == {"margin": 2, "extended": 0, "top-up": 2}


def test_a_short_row_asks_for_what_its_query_lacks_and_a_full_or_weak_one_does_not(make_pool):
    pool = make_pool({"q": [("p", 1, 9.0), ("w", 2, 1.0), ("m", 3, 5.0), ("a", 4, 0.0), ("b", 5, 3.0)]})
    own = rows(pool, ["p", "w", "m"], np.array([7]))
    asked = rules(num_negatives=2, depth=5, absolute_margin=4.0)
    assert unscored_rows(pool, own, asked).tolist() == [2]
    with pytest.raises(DataError, match="1 rows need pairs that are not scored"):
        select(pool, own, asked)
    # No rank beyond the depth is used, so that nothing more could help.
    assert unscored_rows(pool, own, rules(num_negatives=2, depth=5, absolute_margin=4.0, range_max=5)).tolist() == []


def test_a_pool_that_is_not_scored_and_no_negatives_are_refused(make_pool):
    pool = make_pool({"q": [("p", 1, 9.0), ("a", 2, float("nan"))]})
    with pytest.raises(DataError, match="1 rows of the pool are not scored"):
        select(pool, rows(pool, ["p"]), rules())
    with pytest.raises(DataError, match="num_negatives is 0"):
        select(pool, rows(pool, ["p"]), rules(num_negatives=0))
