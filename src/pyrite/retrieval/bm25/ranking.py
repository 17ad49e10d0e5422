"""The best of some scored documents in the total order, score descending, then corpus position, as compiled loops.

The order is that of `core.rank_order`. A float32 of 0 or more has the order of its bits, so that score and position
are one whole number, and sorting these is the total order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled

BINS = 512
_BLOCK = 16  # documents, so that the highest of a block is one instruction
_POSITION = 0xFFFFFFFF


@compiled
def rank(
    scored: NDArray[np.float32],
    which: NDArray[np.int32],
    scores: NDArray[np.float32],
    documents: NDArray[np.int32],
) -> int:
    """Put the best documents with a score above 0 in order into `scores` and `documents`; how many they are.

    Args:
        scored: the score of each document `which`.
        scores, documents: filled, as far as there is something to fill them with.
    """
    bits = scored.view(np.int32)
    keys = np.empty(len(scored), np.int64)
    count = 0
    for at in range(len(scored)):
        if bits[at] > 0:
            keys[count] = -((np.int64(bits[at]) << 32) | (_POSITION - which[at]))
            count += 1
    keys[:count].sort()
    found = min(count, len(scores))
    bits_found = scores.view(np.int32)
    for at in range(found):
        bits_found[at] = -keys[at] >> 32
        documents[at] = _POSITION - (-keys[at] & _POSITION)
    return found


@compiled
def floor_of(scores: Any, depth: Any, ceiling: Any, bins: Any) -> Any:
    """A number that at least `depth` of these scores reach, and few more do; 0 where there are too few.

    No score is above `ceiling`, or it counts as if it were it; `bins` are written on.
    """
    if len(scores) < depth or ceiling <= 0:
        return 0.0
    for place in range(BINS):
        bins[place] = 0
    scale = (BINS - 1) / ceiling
    for score in scores:
        bins[min(np.int64(score * scale), BINS - 1)] += 1
    return reached(bins, depth) / scale


@compiled
def reached(bins: Any, depth: Any) -> Any:
    """The highest bin that, with all above it, holds `depth`; 0 where there is none."""
    above = 0
    for place in range(BINS - 1, 0, -1):
        above += bins[place]
        if above >= depth:
            return place
    return 0


@compiled
def rank_all(totals: Any, bins: Any, chosen: Any, scores: Any, documents: Any) -> Any:
    """`rank` for all documents of a corpus; `chosen` has room for them, `bins` are written on."""
    depth = len(scores)
    bits = totals.view(np.int32)
    blocks = len(totals) // _BLOCK
    highest = np.empty(blocks + 1, np.int32)
    ceiling = np.int32(0)
    for block in range(blocks + 1):
        most = np.int32(0)
        for at in range(block * _BLOCK, min(block * _BLOCK + _BLOCK, len(bits))):
            most = max(most, bits[at])
        highest[block] = most
        ceiling = max(ceiling, most)
    limit = np.array([ceiling], np.int32).view(np.float32)[0]
    # `depth` blocks with a document that reaches the floor are `depth` documents.
    sample = highest.view(np.float32) if 2 * depth < blocks else totals
    least = np.array([floor_of(sample, depth, limit, bins) * (1 - 2.0**-22)], np.float32).view(np.int32)[0]
    least = max(least, np.int32(1))
    count = 0
    for block in range(blocks + 1):
        if highest[block] >= least:
            for at in range(block * _BLOCK, min(block * _BLOCK + _BLOCK, len(bits))):
                chosen[count] = at
                count += bits[at] >= least
    return rank(totals[chosen[:count]], chosen[:count], scores, documents)
