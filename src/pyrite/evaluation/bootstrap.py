"""How sure a mean over queries is: the percentile bootstrap."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrite.core import DataError, Estimate

SAMPLES = 10_000
"""Resamples of every interval, unless asked otherwise."""
BLOCK = 1_000_000
"""Draws held at once: bounds memory, and stays in the processor's cache."""
TAILS = (0.025, 0.975)


def resampled_means(values: NDArray[np.float64], *, seed: int = 0, samples: int = SAMPLES) -> NDArray[np.float64]:
    """Means over queries drawn with replacement: float64 of shape (series, samples).

    Args:
        values: float64 of shape (series, queries). All series see the same draws, so the difference of two rows
            of the result is a paired resample of their difference.
        seed: what the draws follow from; nothing else decides them but the number of queries.
        samples: how many resamples.

    >>> resampled_means(np.array([[0.5, 0.5]]), samples=3).tolist()
    [[0.5, 0.5, 0.5]]
    """
    series, queries = values.shape
    generator = np.random.default_rng(seed)
    means = np.empty((series, samples), np.float64)
    rows = max(1, BLOCK // queries)
    for start in range(0, samples, rows):
        stop = min(start + rows, samples)
        drawn = generator.integers(0, queries, size=(stop - start, queries), dtype=np.int32)
        for row in range(series):
            means[row, start:stop] = values[row][drawn].mean(axis=1)
    return means


def estimate(mean: float, resamples: NDArray[np.float64]) -> Estimate:
    """A mean with the interval that holds 95% of its resamples."""
    low, high = np.quantile(resamples, TAILS)
    return Estimate(float(mean), float(low), float(high))


def bootstrap(values: ArrayLike, *, seed: int = 0, samples: int = SAMPLES) -> Estimate:
    """The mean of per-query values with its 95% percentile interval (Efron & Tibshirani 1993, chapter 13).

    Args:
        values: one value a query; DataError where there is none.
        seed: same values, same seed, same interval.
        samples: resamples of the queries.

    >>> bootstrap([0.0, 1.0, 1.0, 1.0])
    Estimate(mean=0.75, low=0.25, high=1.0)
    """
    return bootstrap_all(np.asarray(values, dtype=np.float64)[None, :], seed=seed, samples=samples)[0]


def bootstrap_all(values: NDArray[np.float64], *, seed: int = 0, samples: int = SAMPLES) -> tuple[Estimate, ...]:
    """`bootstrap` of each row of (series, queries), in one pass over the draws; the numbers are the same.

    >>> both = np.array([[0.0, 1.0, 1.0, 1.0], [0.0, 0.5, 1.0, 0.0]])
    >>> bootstrap_all(both) == (bootstrap(both[0]), bootstrap(both[1]))
    True
    """
    if not values.shape[1]:
        raise DataError("there is no value to take a mean of", fix="measure at least one query")
    means = resampled_means(values, seed=seed, samples=samples)
    return tuple(estimate(row.mean(), resamples) for row, resamples in zip(values, means, strict=True))
