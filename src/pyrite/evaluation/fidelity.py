"""Whether a subset ranks systems as the full set does: rank correlations, with a bootstrap over systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, Estimate, RecipeError, Report
from pyrite.evaluation.bootstrap import BLOCK, SAMPLES, estimate

LEAST = 5
"""Systems below which a rank correlation says nothing."""


@dataclass(frozen=True)
class Fidelity:
    """How two rankings of the same systems agree; 1 is the same order, -1 the opposite one.

    Attributes:
        measure: as it prints.
        systems: (name, mean on the subset, mean on the full set), best on the full set first.
        kendall: tau-b, with the 95% interval over resampled systems.
        spearman: the correlation of ranks, likewise.
        left_out: systems that only one side has.
        undefined: resamples without an interval's value, because all systems drawn were equal on one side.
    """

    measure: str
    systems: tuple[tuple[str, float, float], ...]
    kendall: Estimate
    spearman: Estimate
    left_out: tuple[str, ...] = ()
    undefined: int = 0


def fidelity(
    subset: Sequence[Report], full: Sequence[Report], measure: str, *, seed: int = 0, samples: int = SAMPLES
) -> Fidelity:
    """The rank correlation of systems between a subset and the full set.

    Args:
        subset, full: reports of each; where there are several (one a split), a system's value is the mean over them,
            and only a system that all of them have counts.
        measure: as it prints.
        seed, samples: of the resamples of systems.

    DataError where fewer than 5 systems are on both sides, or all are equal on one of them. (Kendall 1945; Efron &
    Tibshirani 1993.)
    """
    small, large = _means(subset, measure), _means(full, measure)
    shared = [name for name in large if name in small]
    if len(shared) < LEAST:
        raise DataError(
            f"{len(shared)} systems are measured on both sides, and a rank correlation of fewer than {LEAST} says "
            "nothing",
            fix="measure the same systems on both",
        )
    shared.sort(key=lambda name: -large[name])
    first = np.array([small[name] for name in shared])
    second = np.array([large[name] for name in shared])
    kendall, spearman = (float(values[0]) for values in correlations(first, second, np.arange(len(shared))[None, :]))
    if np.isnan(kendall):
        raise DataError(f"all systems have one {measure} on one side, so there is no order to compare")
    drawn = np.random.default_rng(seed).integers(0, len(shared), size=(samples, len(shared)))
    taus, rhos = correlations(first, second, drawn)
    defined = ~np.isnan(taus)
    apart = sorted(set(small) ^ set(large))
    return Fidelity(
        measure=measure,
        systems=tuple((name, small[name], large[name]) for name in shared),
        kendall=estimate(kendall, taus[defined]),
        spearman=estimate(spearman, rhos[defined]),
        left_out=tuple(apart),
        undefined=int((~defined).sum()),
    )


def correlations(
    first: NDArray[np.float64], second: NDArray[np.float64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Kendall's tau-b and Spearman's rho of two series, for each row of positions in them; NaN where one is constant.

    >>> taus, rhos = correlations(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]), np.array([[0, 1, 2]]))
    >>> round(float(taus[0]), 4), round(float(rhos[0]), 4)
    (0.3333, 0.5)
    """
    signs = [np.sign(series[:, None] - series[None, :]) for series in (first, second)]
    taus, rhos = np.empty(len(rows)), np.empty(len(rows))
    step = max(1, BLOCK // rows.shape[1] ** 2)
    for start in range(0, len(rows), step):
        drawn = rows[start : start + step]
        one, other = (sign[drawn[:, :, None], drawn[:, None, :]] for sign in signs)
        taus[start : start + step] = _cosine(one.reshape(len(drawn), -1), other.reshape(len(drawn), -1))
        # The sum of a row's signs is twice its mean rank, up to a constant; sums of ranks have mean 0.
        rhos[start : start + step] = _cosine(one.sum(axis=2), other.sum(axis=2))
    return taus, rhos


def _cosine(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    return np.where(lengths > 0, (first * second).sum(axis=1) / np.where(lengths > 0, lengths, 1.0), np.nan)


def _means(reports: Sequence[Report], measure: str) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for report in reports:
        for system in report.systems:
            if measure not in system.measures:
                raise RecipeError(
                    f"a report has no {measure} for {system.system}", fix=f"ask for one of {', '.join(system.measures)}"
                )
            found.setdefault(system.system, []).append(system.measures[measure].mean)
    return {name: float(np.mean(values)) for name, values in found.items() if len(values) == len(reports)}
