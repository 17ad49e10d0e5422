"""Which mined rows are worth distilling from, judged by their labels alone, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry

VERDICTS = ("valid", "false negative", "weak positive", "borderline")
"""What a row is; its number here is what `Filtered.verdict` holds."""


@dataclass(frozen=True)
class FilterRules:
    """Thresholds on a row's label.

    Attributes:
        positive_min: a positive below it is weak.
        margin_min: a margin below it is within the teacher's error.
        margin_penalty: how much an easy row is put back.
    """

    positive_min: float = 2.0
    margin_min: float = 0.5
    margin_penalty: float = 0.1


@dataclass(frozen=True, eq=False)
class Filtered:
    """The verdict on every row.

    Attributes:
        verdict: int8, one a row: a place in `VERDICTS`.
        quality: float64, one a row: the quality score, -inf for a row that is not valid.
        kept: int64, the valid rows by quality score, best first, ties by row order.
        entry: the account of the rows.
    """

    verdict: NDArray[np.int8]
    quality: NDArray[np.float64]
    kept: NDArray[np.int64]
    entry: LedgerEntry


def filter_rows(labels: NDArray[np.float32], rules: FilterRules) -> Filtered:
    """The verdict on every row, by a cascade: false negative, then weak positive, then borderline.

    Args:
        labels: float32, shape (rows, 1 + negatives): the positive's logit first. Computed with as float64.
        rules: the thresholds.

    >>> labels = np.array([[3.0, 1.0, 0.0], [3.0, 3.0, 0.0], [1.0, 0.0, 0.0], [3.0, 2.75, 0.0]], np.float32)
    >>> filtered = filter_rows(labels, FilterRules())
    >>> [VERDICTS[verdict] for verdict in filtered.verdict], filtered.kept.tolist(), float(filtered.quality[0])
    (['valid', 'false negative', 'weak positive', 'borderline'], [0], 0.3)
    """
    numbers = np.asarray(labels, dtype=np.float64)
    positive, negatives = numbers[:, 0], numbers[:, 1:]
    margin = positive - negatives.max(axis=1)
    verdict = np.select(
        [margin <= 0, positive < rules.positive_min, margin < rules.margin_min], [1, 2, 3], default=0
    ).astype(np.int8)
    quality = np.where(verdict == 0, negatives.mean(axis=1) - rules.margin_penalty * margin, -np.inf)
    valid = np.flatnonzero(verdict == 0)
    kept = valid[np.argsort(-quality[valid], kind="stable")]
    counts = np.bincount(verdict, minlength=len(VERDICTS)).tolist()
    dropped = {name: count for name, count in zip(VERDICTS[1:], counts[1:], strict=True) if count}
    entry = LedgerEntry("filter n-tuples", "rows", len(numbers), len(kept), dropped)
    return Filtered(verdict, quality, kept, entry)
