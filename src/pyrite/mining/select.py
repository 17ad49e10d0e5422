"""Which candidates become the negatives of each row, and why rows are left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, Pool
from pyrite.mining.selecting import (
    COUNTED,
    EXTENDED,
    FULL,
    MARGIN,
    SHORT,
    TOP_UP,
    TOPPED_UP,
    WEAK,
    Columns,
    Limits,
    Outcome,
    choose_all,
)

HOW = ("margin", "extended", "top-up")
"""How a negative was chosen; its number here is what `Selection.how` holds."""

_ALL_RANKS = np.iinfo(np.int32).max


@dataclass(frozen=True)
class SelectRules:
    """The rules of a selection; a rule that is None does not hold.

    Attributes:
        num_negatives: a row has so many.
        positive_min: a row whose positive has a lower logit is weak, and dropped.
        absolute_margin: a negative's logit is at most the positive's - absolute_margin.
        relative_margin: it is at most `positive - relative_margin * |positive|`.
        max_score, min_score: bounds of a negative's logit, inclusive.
        range_min: the first so many ranks are not used. range_max: nor is any after it. Ranks are the retriever's,
            before anything is left out; of several retrievers the best.
        depth: ranks that are looked at first; those beyond only where they leave a row short.
        top_up: a row that is still short takes the best candidates that only the margins kept out.
    """

    num_negatives: int
    positive_min: float
    absolute_margin: float | None = None
    relative_margin: float | None = None
    max_score: float | None = None
    min_score: float | None = None
    range_min: int = 0
    range_max: int | None = None
    depth: int = 50
    top_up: bool = False

    def limits(self) -> Limits:
        """The rules as plain numbers."""
        return Limits(
            negatives=self.num_negatives,
            positive_min=float(self.positive_min),
            absolute=np.nan if self.absolute_margin is None else float(self.absolute_margin),
            relative=np.nan if self.relative_margin is None else float(self.relative_margin),
            most=np.inf if self.max_score is None else float(self.max_score),
            least=-np.inf if self.min_score is None else float(self.min_score),
            first=self.range_min + 1,
            last=_ALL_RANKS if self.range_max is None else self.range_max,
            depth=self.depth,
            top_up=self.top_up,
        )


@dataclass(frozen=True, eq=False)
class Selection:
    """What became of every pair row.

    Attributes:
        rules: by which it was decided.
        state: int8, one a row: full by the margins, with top-up, short, or weak.
        offsets: int64, one more than rows: row i has the negatives [offsets[i], offsets[i + 1]); a weak row has none.
        taken: int64, rows of the pool, in column order. how: int8, aligned: a place in `HOW`.
        counts: candidates of the rows that are not weak: looked at, left out by each rule, left to choose from.
    """

    rules: SelectRules
    state: NDArray[np.int8]
    offsets: NDArray[np.int64]
    taken: NDArray[np.int64]
    how: NDArray[np.int8]
    counts: dict[str, int]

    @property
    def full(self) -> NDArray[np.int64]:
        """The rows that have all their negatives, in order."""
        return np.flatnonzero((self.state == FULL) | (self.state == TOPPED_UP))

    @property
    def short(self) -> NDArray[np.int64]:
        """The rows that have some of their negatives, in order."""
        return np.flatnonzero((self.state == SHORT) & (np.diff(self.offsets) > 0))

    @property
    def weak(self) -> int:
        """How many rows have a weak positive."""
        return int((self.state == WEAK).sum())

    def origins(self, rows: NDArray[np.int64]) -> dict[str, int]:
        """How many negatives of these rows were chosen by the margin, by extension, and to top up."""
        mark = np.zeros(len(self.state), dtype=np.bool_)
        mark[rows] = True
        counts = np.bincount(self.how[np.repeat(mark, np.diff(self.offsets))], minlength=len(HOW))
        return dict(zip(HOW, counts.tolist(), strict=True))

    def rows_with(self, how: int) -> NDArray[np.bool_]:
        """True for each row that has a negative chosen in this way."""
        held = np.zeros(len(self.state), dtype=np.bool_)
        held[np.repeat(np.arange(len(self.state)), np.diff(self.offsets))[self.how == how]] = True
        return held


@dataclass(frozen=True, eq=False)
class Rows:
    """The pair rows that a selection decides on.

    Attributes:
        query: one a row, into the pool's queries. positive: one a row, the pool row of its positive.
        excluded: one a pool row, True for what is no negative of its query.
        lacking: one a query: candidates beyond the depth that are not scored; None: there are none.
    """

    query: NDArray[np.integer]
    positive: NDArray[np.integer]
    excluded: NDArray[np.bool_]
    lacking: NDArray[np.integer] | None = None


def select(pool: Pool, rows: Rows, rules: SelectRules) -> Selection:
    """The negatives of every row, all rows at once.

    A row whose positive has a logit below `positive_min` is weak. Else its negatives are the candidates of its query
    with the highest logits, ties by pool order, among those that no rule leaves out: first of the ranks up to
    `rules.depth`; then, where they are too few, of the ranks beyond; then, with `top_up`, of those that only the
    margins left out. Negatives stand in this order of stages. Logits are float32 and are compared as float64.

    Args:
        pool: what was found, every row with a logit.
        rows: what is decided on.
        rules: see `SelectRules`.

    Raises:
        DataError: a row is short and its query lacks candidates that are not scored; `unscored_rows` names them.
    """
    outcome = _chosen(pool, rows, rules)
    if outcome.unscored.any():
        raise DataError(f"{int(outcome.unscored.sum()):,} rows need pairs that are not scored", fix="score them first")
    offsets = np.concatenate([[0], np.cumsum(outcome.held, dtype=np.int64)]).astype(np.int64)
    filled = np.arange(rules.num_negatives)[None, :] < outcome.held[:, None]
    return Selection(
        rules=rules,
        state=outcome.state,
        offsets=offsets,
        taken=outcome.taken[filled],
        how=outcome.how[filled],
        counts=dict(zip(COUNTED, outcome.counts.tolist(), strict=True)),
    )


def unscored_rows(pool: Pool, rows: Rows, rules: SelectRules) -> NDArray[np.int64]:
    """The rows that stay short with what is scored, and whose query lacks candidates that are not."""
    return np.flatnonzero(_chosen(pool, rows, rules).unscored)


def _chosen(pool: Pool, rows: Rows, rules: SelectRules) -> Outcome:
    if rules.num_negatives < 1:
        raise DataError(f"num_negatives is {rules.num_negatives}", fix="ask for 1 or more")
    if not pool.scored.all():
        raise DataError(f"{int((~pool.scored).sum()):,} rows of the pool are not scored", fix="score them first")
    count, queries = len(rows.query), len(pool.queries)
    outcome = Outcome(
        state=np.full(count, SHORT, dtype=np.int8),
        held=np.zeros(count, dtype=np.int32),
        taken=np.full((count, rules.num_negatives), -1, dtype=np.int64),
        how=np.zeros((count, rules.num_negatives), dtype=np.int8),
        unscored=np.zeros(count, dtype=np.bool_),
        counts=np.zeros(len(COUNTED), dtype=np.int64),
    )
    lacking = np.zeros(queries, np.int64) if rows.lacking is None else np.asarray(rows.lacking, dtype=np.int64)
    excluded = np.asarray(rows.excluded, dtype=np.bool_)
    columns = Columns(pool.offsets, pool.documents, pool.rank, pool.logit, excluded, lacking)
    positive = pool.logit[rows.positive].astype(np.float32)
    choose_all(columns, rules.limits(), np.asarray(rows.query, dtype=np.int64), positive, outcome)
    return outcome


__all__ = [
    "EXTENDED",
    "FULL",
    "HOW",
    "MARGIN",
    "SHORT",
    "TOPPED_UP",
    "TOP_UP",
    "WEAK",
    "Rows",
    "SelectRules",
    "Selection",
    "select",
    "unscored_rows",
]
