"""How alike given pairs of texts are, by their shingles."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _alike(spans: Any, hashes: Any, left: Any, right: Any, threshold: Any) -> Any:
    starts, sizes = spans
    out = np.zeros(len(left), dtype=np.bool_)
    table = np.zeros(2, np.uint64)
    held = np.int64(-1)
    mask = np.uint64(1)
    for pair in range(len(left)):
        one, other = left[pair], right[pair]
        fewer, more = min(sizes[one], sizes[other]), max(sizes[one], sizes[other])
        if fewer == 0 or fewer / more < threshold:
            continue
        if held != other:
            slots = 2
            while slots < 2 * sizes[other]:
                slots *= 2
            if slots > len(table):
                table = np.zeros(slots, np.uint64)
            table[:slots] = 0
            mask = np.uint64(slots - 1)
            for place in range(starts[other], starts[other] + sizes[other]):
                slot = hashes[place] & mask
                while table[slot] != 0:
                    slot = (slot + np.uint64(1)) & mask
                table[slot] = hashes[place]
            held = other
        shared = 0
        for place in range(starts[one], starts[one] + sizes[one]):
            slot = hashes[place] & mask
            while table[slot] != 0 and table[slot] != hashes[place]:
                slot = (slot + np.uint64(1)) & mask
            shared += table[slot] != 0
        out[pair] = shared / (sizes[one] + sizes[other] - shared) >= threshold
    return out


def alike(
    hashes: NDArray[np.uint64],
    sizes: NDArray[np.integer],
    *,
    left: NDArray[np.integer],
    right: NDArray[np.integer],
    threshold: float,
) -> NDArray[np.bool_]:
    """Which pairs of texts have a Jaccard likeness of `threshold` or more, each pair compared exactly.

    Args:
        hashes: uint64, the distinct shingles of text after text, none of them 0.
        sizes: how many each text has; one without any is like nothing.
        left, right: the texts of each pair. Pairs with one `right` in a row are quickest.
        threshold: above 0, 1 at most.

    >>> hashes = np.array([1, 2, 3, 4, 2, 3, 4, 5], dtype=np.uint64)
    >>> alike(hashes, np.array([4, 4]), left=np.array([0]), right=np.array([1]), threshold=0.6).tolist()
    [True]
    """
    counts = np.asarray(sizes, dtype=np.int64)
    starts = np.cumsum(counts) - counts
    pairs = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    marks: NDArray[np.bool_] = _alike((starts, counts), hashes, *pairs, threshold)
    return marks
