"""The best of some scored documents in the total order, score descending, then corpus position, as a compiled loop.

The order is that of `core.rank_order`; only it is not made of all documents here, but of the best by a heap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled


@compiled
def _behind(scores: Any, documents: Any, i: Any, j: Any) -> Any:
    """Whether hit i comes after hit j."""
    return scores[i] < scores[j] or (scores[i] == scores[j] and documents[i] > documents[j])


@compiled
def _sink(scores: Any, documents: Any, size: Any, at: Any) -> None:
    """Restore the heap, whose root is the hit that comes last, below `at`."""
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        if child + 1 < size and _behind(scores, documents, child + 1, child):
            child += 1
        if not _behind(scores, documents, child, at):
            return
        scores[at], scores[child] = scores[child], scores[at]
        documents[at], documents[child] = documents[child], documents[at]
        at = child


@compiled
def rank(
    scored: NDArray[np.float32],
    which: NDArray[np.int32],
    scores: NDArray[np.float32],
    documents: NDArray[np.int32],
) -> int:
    """Put the best documents with a score above 0 in order into `scores` and `documents`; how many they are.

    Args:
        scored: the score of each document `which`; those ascend.
        scores, documents: filled, as far as there is something to fill them with.
    """
    depth = len(scores)
    size = 0
    for at in range(len(scored)):
        if size < depth:
            if scored[at] > 0:
                scores[size], documents[size] = scored[at], which[at]
                size += 1
                if size == depth:
                    for parent in range(depth // 2, -1, -1):
                        _sink(scores, documents, size, parent)
        elif scored[at] > scores[0]:  # a later document with the same score stays behind
            scores[0], documents[0] = scored[at], which[at]
            _sink(scores, documents, size, 0)
    if size < depth:
        for parent in range(size // 2, -1, -1):
            _sink(scores, documents, size, parent)
    for end in range(size - 1, 0, -1):
        scores[0], scores[end] = scores[end], scores[0]
        documents[0], documents[end] = documents[end], documents[0]
        _sink(scores, documents, end, 0)
    return size
