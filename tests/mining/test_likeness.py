"""Exact likeness of pairs, against Python's sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pyrite.mining import alike

SETS = st.lists(st.sets(st.integers(1, 12), max_size=9), min_size=1, max_size=6)


@given(SETS, st.data(), st.sampled_from([0.2, 0.5, 0.9, 1.0]))
def test_pairs_are_alike_as_their_sets_are(sets, data, threshold):
    """O57: a text without words is like nothing, not even another such."""
    place = st.integers(0, len(sets) - 1)
    pairs = data.draw(st.lists(st.tuples(place, place), max_size=12))
    hashes = np.array([value for one in sets for value in sorted(one)], np.uint64)
    left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    sizes = np.array([len(one) for one in sets])
    marks = alike(hashes, sizes, left=left, right=right, threshold=threshold)
    expected = [
        bool(sets[a] | sets[b]) and len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= threshold for a, b in pairs
    ]
    assert marks.tolist() == expected
