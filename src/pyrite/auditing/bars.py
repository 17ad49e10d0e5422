"""How high each query's positive stands, in the teacher's eyes and in every ranking, and what stands above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyrite.auditing.sightings import NOWHERE, Sightings

Positive = Literal["best", "lowest"]
"""Which positive of a query the others are held against, where it has several."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Where the positives stand; the bar of a query is its best positive, or its lowest.

    Attributes:
        row: int64, one a query: the pair of the positive that the teacher's bar is, -1 where none was scored.
        logit: float32, one a query: its logit, NaN where none was scored.
        rank: int32, shape (systems, queries): the positive's rank, `NOWHERE` where the system did not find it.
        above: int32, one a query: how many documents that are no positives stand above the bar: by the teacher's
            logits, or where none was scored, by the system that ranks the positive best; -1 where nobody can say.
    """

    row: NDArray[np.int64]
    logit: NDArray[np.float32]
    rank: NDArray[np.int32]
    above: NDArray[np.int32]


def bars_of(seen: Sightings, positive: Positive = "best") -> Bars:
    """The bars of every query.

    With "best" a document is suspected only where it stands no lower than everything that is marked; with "lowest"
    already where it stands no lower than something that is.
    """
    queries, pairs = len(seen.collection.queries), len(seen)
    marked = np.flatnonzero(seen.positive & seen.scored)
    falling = -seen.logit[marked] if positive == "best" else seen.logit[marked]
    # Ties go to the earlier document, in which order the pairs are.
    order = marked[np.lexsort((marked, falling, seen.query[marked]))]
    asked, first = np.unique(seen.query[order], return_index=True)
    row = np.full(queries, -1, dtype=np.int64)
    row[asked] = order[first]
    logit = np.full(queries, np.nan, dtype=np.float32)
    logit[asked] = seen.logit[row[asked]]
    rank = np.full((len(seen.systems), queries), NOWHERE, dtype=np.int32)
    known = np.flatnonzero(seen.positive)
    for place, ranks in enumerate(seen.rank):
        if positive == "best":
            np.minimum.at(rank[place], seen.query[known], ranks[known])
        else:
            rank[place, seen.query[known]] = 0
            np.maximum.at(rank[place], seen.query[known], ranks[known])
    others = ~seen.positive
    by_teacher = _count(seen, others & (seen.logit > logit[seen.query]) if pairs else others)
    asked_of = np.zeros(queries, dtype=np.bool_)
    asked_of[seen.query[known]] = True
    best = np.full(queries, NOWHERE)
    for own, bar in zip(seen.rank, rank, strict=True):
        # A system that has no ranking for a query says nothing of it.
        answers = _count(seen, own < NOWHERE) > 0
        best = np.where(answers, np.minimum(best, _count(seen, others & (own < bar[seen.query]))), best)
    above = np.where(row >= 0, by_teacher, np.where(asked_of & (best < NOWHERE), best, -1))
    return Bars(row, logit, rank, above.astype(np.int32))


def _count(seen: Sightings, marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(seen.query[marks], minlength=len(seen.collection.queries)).astype(np.int64)
