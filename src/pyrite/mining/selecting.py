"""The inner loop of the selection, compiled: the best candidates of every row by the rules."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

FULL, TOPPED_UP, SHORT, WEAK = range(4)
"""What became of a row."""

MARGIN, EXTENDED, TOP_UP = range(3)
"""How a negative was chosen."""

COUNTED = (
    "looked at",
    "within the margin",
    "above max_score",
    "below min_score",
    "outside the ranks in use",
    "no negative of the query",
    "left to choose from",
)
"""What the candidates of a row are counted by; the first is the sum of the others."""


class Limits(NamedTuple):
    """The rules as numbers; a rule that is not set is NaN, or a number that every candidate keeps.

    Attributes:
        negatives: how many a row.
        positive_min: on the positive's logit. absolute, relative: the margins. most, least: on the negative's logit.
        first, last: ranks that are used. depth: ranks that the first stage looks at.
        top_up: whether candidates within the margin fill a row.
    """

    negatives: int
    positive_min: float
    absolute: float
    relative: float
    most: float
    least: float
    first: int
    last: int
    depth: int
    top_up: bool


class Columns(NamedTuple):
    """The scored rows of a pool: where each query's start, what is known of each, and what each query lacks.

    Attributes:
        lacking: int64, one a query: candidates beyond the depth that are not scored, and so not among the rows.
    """

    offsets: NDArray[np.int64]
    documents: NDArray[np.int32]
    rank: NDArray[np.int32]
    logit: NDArray[np.float32]
    excluded: NDArray[np.bool_]
    lacking: NDArray[np.int64]


class Outcome(NamedTuple):
    """Where the loop puts what it decides.

    Attributes:
        state: int8, one a row. held: int32, negatives of each row.
        taken: int64, shape (rows, negatives): pool rows in column order. how: int8, aligned with it.
        unscored: bool, rows that need the candidates which their query lacks.
        counts: int64, one a place in `COUNTED`: candidates of the rows that are not weak, by what became of them.
    """

    state: NDArray[np.int8]
    held: NDArray[np.int32]
    taken: NDArray[np.int64]
    how: NDArray[np.int8]
    unscored: NDArray[np.bool_]
    counts: NDArray[np.int64]


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _insert(columns: Any, taken: Any, start: Any, stop: Any, row: Any) -> Any:
    """Put a pool row into the ordered places [start, stop) of `taken`, by logit, then pool order; -1 is empty."""
    own, document = columns.logit[row], columns.documents[row]
    place = stop
    while place > start:
        other = taken[place - 1]
        if other >= 0:
            theirs = columns.logit[other]
            if theirs > own or (theirs == own and columns.documents[other] < document):
                break
        if place < stop:
            taken[place] = other
        place -= 1
    if place < stop:
        taken[place] = row


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _fill(columns: Any, limits: Any, place: Any, stage: Any, taken: Any, counts: Any) -> Any:
    """Fill the places from `held` on with the best candidates of one stage; returns how many are held then.

    `place` is the positive's logit, the query's span of pool rows, and how many negatives are held.
    Stage 0 looks at ranks up to the depth, stage 1 at those beyond it, stage 2 at what the margins kept out of both.
    """
    positive, start, stop, held = place
    best = taken[held:]
    best[:] = -1
    for row in range(start, stop):
        rank = columns.rank[row]
        if rank == 0:
            continue
        if stage == 0 and rank > limits.depth:
            continue
        if stage == 1 and rank <= limits.depth:
            continue
        if stage < 2:
            counts[0] += 1
        if columns.excluded[row]:
            counts[5] += stage < 2
            continue
        if rank < limits.first or rank > limits.last:
            counts[4] += stage < 2
            continue
        logit = np.float64(columns.logit[row])
        if logit > limits.most:
            counts[2] += stage < 2
            continue
        if logit < limits.least:
            counts[3] += stage < 2
            continue
        outside = True
        if not np.isnan(limits.absolute):
            outside = positive - logit >= limits.absolute
        if outside and not np.isnan(limits.relative):
            outside = logit <= positive - limits.relative * abs(positive)
        if stage < 2:
            counts[6 if outside else 1] += 1
        if outside == (stage < 2):
            _insert(columns, best, 0, len(best), row)
    while held < len(taken) and taken[held] >= 0:
        held += 1
    return held


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def choose_all(columns: Any, limits: Any, query: Any, positive: Any, outcome: Any) -> None:
    """Decide every row; see `select` for the rules."""
    wanted = limits.negatives
    for row in range(len(query)):
        logit = np.float64(positive[row])
        outcome.held[row] = 0
        if logit < limits.positive_min:
            outcome.state[row] = 3
            continue
        start, stop = columns.offsets[query[row]], columns.offsets[query[row] + 1]
        taken = outcome.taken[row]
        first = _fill(columns, limits, (logit, start, stop, 0), 0, taken, outcome.counts)
        held = first
        if held < wanted:
            if limits.last > limits.depth and columns.lacking[query[row]] > 0:
                outcome.unscored[row] = True
                continue
            held = _fill(columns, limits, (logit, start, stop, held), 1, taken, outcome.counts)
        second = held
        if held < wanted and limits.top_up:
            held = _fill(columns, limits, (logit, start, stop, held), 2, taken, outcome.counts)
        outcome.held[row] = held
        for place in range(held):
            outcome.how[row, place] = 0 if place < first else 1 if place < second else 2
        outcome.state[row] = 2 if held < wanted else 1 if held > second else 0
