"""Documents with one text are scored once; what was found of the text holds for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrite.core import rank_order
from pyrite.retrieval.search import Hits


def spread(hits: Hits, groups: NDArray[np.int64], depth: int) -> Hits:
    """Hits among distinct texts as hits among documents: each stands for all documents with its text.

    Args:
        hits: positions are numbers of distinct texts, by first occurrence.
        groups: the number of each document's text.
        depth: hits a query.

    >>> found = Hits(np.array([[2.0, 1.0]], np.float32), np.array([[1, 0]], np.int32), np.array([2]))
    >>> spread(found, np.array([0, 1, 0, 1]), 3).positions.tolist()
    [[1, 3, 0]]
    """
    order = np.argsort(groups, kind="stable")
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(groups))])
    width = min(depth, len(groups))
    scores = np.zeros((len(hits.counts), width), np.float32)
    positions = np.zeros((len(hits.counts), width), np.int32)
    counts = np.zeros(len(hits.counts), np.int64)
    for query, count in enumerate(hits.counts.tolist()):
        own = hits.positions[query, :count].tolist()
        places = np.concatenate([np.zeros(0, np.int64), *(order[bounds[text] : bounds[text + 1]] for text in own)])
        sizes = [int(bounds[text + 1] - bounds[text]) for text in own]
        values = np.repeat(hits.scores[query, :count], sizes)
        best = rank_order(values, places)[:width]
        counts[query] = len(best)
        scores[query, : len(best)], positions[query, : len(best)] = values[best], places[best]
    return Hits(scores, positions, counts)
