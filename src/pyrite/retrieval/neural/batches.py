"""Which texts go through the model together: of one length, as many as a budget of tokens holds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

MOST = 1024
"""Texts in a batch at most."""


def token_batches(lengths: NDArray[np.int64], budget: int) -> list[NDArray[np.int64]]:
    """Rows in batches, longest texts first, each padded to at most `budget` tokens (one text at least).

    Args:
        lengths: tokens of each text.
        budget: texts times the longest of them, at most.

    >>> [batch.tolist() for batch in token_batches(np.array([3, 9, 4, 9, 1]), 18)]
    [[1, 3], [2, 0, 4]]
    """
    order = np.argsort(-lengths, kind="stable")
    batches = []
    start = 0
    while start < len(order):
        longest = max(int(lengths[order[start]]), 1)
        stop = start + min(max(budget // longest, 1), MOST)
        batches.append(order[start:stop])
        start = stop
    return batches


def padding(lengths: NDArray[np.int64], batches: list[NDArray[np.int64]]) -> float:
    """Tokens that are computed for each token that is there; 1 is none wasted.

    >>> padding(np.array([2, 4]), [np.array([1, 0])])
    1.3333333333333333
    """
    computed = sum(len(batch) * int(lengths[batch].max()) for batch in batches)
    return computed / max(int(lengths.sum()), 1)


def windows(sizes: NDArray[np.int64], *, texts: int, characters: int) -> Iterator[tuple[int, int]]:
    """Rows [start, stop) in order: at most so many texts and about so many characters each, one text at least.

    >>> list(windows(np.array([5, 5, 50, 1, 1, 1]), texts=2, characters=20))
    [(0, 2), (2, 3), (3, 5), (5, 6)]
    """
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = int(np.searchsorted(ends, before + characters, side="right"))
        stop = min(max(stop, start + 1), start + texts, len(sizes))
        yield start, stop
        start = stop
