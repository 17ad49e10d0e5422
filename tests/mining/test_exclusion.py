"""Positives and what is like them never become negatives."""

import numpy as np

from pyrite.mining import exclude_near, exclude_positives, positives_beside
from pyrite.mining.exclusion import REASONS


def reasons(exclusion):
    return [REASONS[reason] for reason in exclusion.reason]


def test_a_known_positive_is_never_a_negative_whichever_of_several_it_is(make_pool):
    """O07, O12."""
    pool = make_pool({"q0": [("d7", 1, 0), ("d3", 2, 0), ("d9", 3, 0)], "q1": [("d7", 1, 0)]}, ["d3", "d7", "d9"])
    known = np.array([[0, 0], [1, 2]], np.int32)
    exclusion = exclude_positives(pool, known, np.arange(3))
    assert reasons(exclusion) == ["a positive of the query", "", "a positive of the query", ""]


def test_a_document_of_the_same_normalised_text_is_a_copy(make_pool):
    """O11, X01."""
    pool = make_pool({"q0": [("d1", 1, 0), ("d2", 2, 0)], "q1": [("d2", 1, 0)]}, ["d0", "d1", "d2"])
    exclusion = exclude_positives(pool, np.array([[0], [0]], np.int32), np.array([4, 4, 5]))
    assert reasons(exclusion) == ["copy of a positive", "", ""]
    assert exclusion.entry(pool).dropped == {"copy of a positive": 1}


def test_near_duplicates_are_left_out_where_they_are_marked(make_pool):
    pool = make_pool({"q0": [("d0", 1, 0), ("d1", 2, 0), ("d2", 3, 0), ("d3", 4, 0)]})
    known = np.array([[0, 0], [0, 3]], np.int32)
    exclusion = exclude_positives(pool, known, np.arange(4))
    rows, positives = positives_beside(pool, exclusion, known)
    # Both candidates beside the first positive, then both beside the second.
    assert (rows.tolist(), positives.tolist()) == ([1, 2, 1, 2], [0, 0, 3, 3])
    near = exclude_near(exclusion, rows, np.array([False, False, False, True]))
    assert reasons(near) == ["a positive of the query", "", "near-duplicate of a positive", "a positive of the query"]
    assert near.entry(pool).rows_out == 1


def test_positives_that_nobody_found_are_not_counted_as_candidates(make_pool):
    pool = make_pool({"q0": [("d1", 1, 0), ("d0", 0, 0)]})
    entry = exclude_positives(pool, np.array([[0], [1]], np.int32), np.arange(2)).entry(pool)
    assert (entry.rows_in, entry.rows_out, dict(entry.dropped)) == (1, 1, {})
