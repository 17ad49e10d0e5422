"""Scores that fall strictly in float32."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pyrite.formats.falling import falling_scores

SCORES = st.floats(allow_nan=False, allow_infinity=True)


def falling(*scores):
    return falling_scores(np.array(scores, dtype=np.float64), np.array([0, len(scores)])).tolist()


def test_scores_that_fall_in_float32_are_themselves():
    assert falling(3.5, 1.25, 0.0, -2.0) == [3.5, 1.25, 0.0, -2.0]


def test_a_tie_becomes_the_next_number_below():
    below = float(np.nextafter(np.float32(20), np.float32(0)))
    assert falling(20.0000004, 20.0000003) == [20.0, below]


def test_a_tie_at_zero_keeps_clear_of_subnormal_numbers():
    """Programs that flush those to zero would see the tie again."""
    smallest = float(np.finfo(np.float32).tiny)
    assert falling(0.0, 0.0, 1e-45) == [0.0, -smallest, -float(np.nextafter(np.float32(smallest), np.float32(1)))]


def test_rankings_do_not_reach_into_each_other():
    assert falling_scores(np.array([1.0, 5.0, 2.0]), np.array([0, 1, 1, 3])).tolist() == [1.0, 5.0, 2.0]


@given(st.lists(SCORES, max_size=30))
def test_any_scores_in_any_order_fall_strictly_and_stay_finite(scores):
    found = np.array(falling(*scores))
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0).all()
    assert [float(np.float32(str(np.float32(one)))) for one in found] == found.tolist()
