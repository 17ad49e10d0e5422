"""What a mined set came out as: rows by fate, negatives by origin, and the spread of its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, LedgerEntry
from pyrite.mining.filters import VERDICTS, Filtered
from pyrite.mining.select import EXTENDED, SHORT, TOP_UP, Selection
from pyrite.mining.selecting import COUNTED


@dataclass(frozen=True)
class Spread:
    """The least, the median, the mean and the greatest of some numbers; all 0 where there are none."""

    least: float
    median: float
    mean: float
    greatest: float

    @classmethod
    def of(cls, numbers: NDArray[np.floating]) -> Spread:
        """The spread of these numbers, computed in float64.

        >>> Spread.of(np.array([1.0, 2.0, 6.0]))
        Spread(least=1.0, median=2.0, mean=3.0, greatest=6.0)
        """
        if not len(numbers):
            return cls(0.0, 0.0, 0.0, 0.0)
        exact = np.asarray(numbers, dtype=np.float64)
        return cls(float(exact.min()), float(np.median(exact)), float(exact.mean()), float(exact.max()))

    def to_json(self) -> list[float]:
        """Least, median, mean, greatest."""
        return [self.least, self.median, self.mean, self.greatest]


@dataclass(frozen=True)
class LabelStatistics:
    """The spread of the labels of mined rows: positive, hardest negative, mean of the negatives, margin."""

    positive: Spread
    max_negative: Spread
    mean_negative: Spread
    margin: Spread

    @classmethod
    def of(cls, labels: NDArray[np.float32]) -> LabelStatistics:
        """The statistics of a matrix of labels, positive first."""
        exact = np.asarray(labels, dtype=np.float64)
        if not len(exact):
            nothing = Spread.of(np.empty(0))
            return cls(nothing, nothing, nothing, nothing)
        hardest = exact[:, 1:].max(axis=1)
        return cls(
            Spread.of(exact[:, 0]),
            Spread.of(hardest),
            Spread.of(exact[:, 1:].mean(axis=1)),
            Spread.of(exact[:, 0] - hardest),
        )

    def to_json(self) -> dict[str, list[float]]:
        """Name -> least, median, mean, greatest."""
        return {
            "positive_logit": self.positive.to_json(),
            "max_negative_logit": self.max_negative.to_json(),
            "mean_negative_logit": self.mean_negative.to_json(),
            "margin": self.margin.to_json(),
        }


@dataclass(frozen=True)
class MiningStatistics:
    """Everything that is counted of a mined set.

    Attributes:
        input_rows: known positives that the source lists. pairs: those that became rows.
        weak_positive, too_few_candidates: rows dropped. short: rows kept in a config of their own.
        margin_only: rows filled by the margin rule alone, extended ones included. extended: how many those are.
        top_up: rows with a negative that the margins had left out.
        origins: "margin", "extended", "top-up" -> negatives of the full rows.
        filtered: "valid" and each reason of the filter -> rows.
        labels: of the full rows. scored: pairs with a logit. all_logits: their spread.
        candidates: candidates looked at, and left out by each rule, over the rows that are not weak.
    """

    input_rows: int
    pairs: int
    weak_positive: int
    too_few_candidates: int
    short: int
    margin_only: int
    extended: int
    top_up: int
    origins: Mapping[str, int]
    filtered: Mapping[str, int]
    labels: LabelStatistics
    scored: int
    all_logits: Spread
    candidates: Mapping[str, int]

    @property
    def rows(self) -> int:
        """Rows of n-tuples."""
        return self.margin_only + self.top_up

    def __post_init__(self) -> None:
        fates = self.rows + self.short + self.weak_positive + self.too_few_candidates
        sums = {
            "rows by fate": (self.pairs, fates),
            "rows by verdict": (self.rows, sum(self.filtered.values())),
            "candidates": (self.candidates[COUNTED[0]], sum(self.candidates[name] for name in COUNTED[1:])),
        }
        for name, (whole, parts) in sums.items():
            if whole != parts:
                raise DataError(f"{name} are {whole:,} and add up to {parts:,}", fix="report this as a bug in Pyrite")

    def to_json(self) -> dict[str, Any]:
        """Plain values, by the names that a recipe's `[published]` has."""
        return {
            "input_rows": self.input_rows,
            "pairs": self.pairs,
            "scored": self.scored,
            "weak_positive": self.weak_positive,
            "too_few_candidates": self.too_few_candidates,
            "short": self.short,
            "margin_only": self.margin_only,
            "extended": self.extended,
            "top_up": self.top_up,
            "negatives": sum(self.origins.values()),
            "origins": dict(self.origins),
            "filtered": dict(self.filtered),
            "candidates": dict(self.candidates),
            **self.labels.to_json(),
            "all_logits": self.all_logits.to_json(),
        }


def mining_statistics(
    selection: Selection,
    filtered: Filtered,
    labels: NDArray[np.float32],
    *,
    input_rows: int,
    logits: NDArray[np.float32],
    keep_short: bool,
) -> MiningStatistics:
    """The statistics of a selection and of the filter over its full rows.

    Args:
        selection: what became of each pair.
        filtered: the verdicts on the full rows.
        labels: of the full rows, positive first.
        input_rows: known positives that the source lists.
        logits: of every scored pair.
        keep_short: whether short rows are kept in a config of their own.

    Raises:
        DataError: the numbers do not add up, which is a bug.
    """
    full = selection.full
    topped, extended = selection.rows_with(TOP_UP), selection.rows_with(EXTENDED)
    short = len(selection.short) if keep_short else 0
    verdicts = np.bincount(filtered.verdict, minlength=len(VERDICTS)).tolist()
    return MiningStatistics(
        input_rows=input_rows,
        pairs=len(selection.state),
        weak_positive=selection.weak,
        too_few_candidates=int((selection.state == SHORT).sum()) - short,
        short=short,
        margin_only=int((~topped[full]).sum()),
        extended=int((extended[full] & ~topped[full]).sum()),
        top_up=int(topped[full].sum()),
        origins=selection.origins(full),
        filtered=dict(zip(VERDICTS, verdicts, strict=True)),
        labels=LabelStatistics.of(labels),
        scored=len(logits),
        all_logits=Spread.of(logits),
        candidates=selection.counts,
    )


def select_entry(statistics: MiningStatistics) -> LedgerEntry:
    """The account of the pairs that the selection decided on."""
    reasons = {"weak positive": statistics.weak_positive, "too few candidates": statistics.too_few_candidates}
    notes = (f"{statistics.short:,} of the rows kept are short, in a config of their own",) if statistics.short else ()
    dropped = {reason: count for reason, count in reasons.items() if count}
    return LedgerEntry("select negatives", "rows", statistics.pairs, statistics.rows + statistics.short, dropped, notes)
