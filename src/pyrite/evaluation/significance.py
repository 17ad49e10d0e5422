"""Which systems differ beyond chance: paired tests over the same queries, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrite.core import DataError, Estimate
from pyrite.evaluation.align import Aligned
from pyrite.evaluation.bootstrap import BLOCK, SAMPLES, estimate, resampled_means

ALPHA = 0.05
"""Two systems are told apart where the corrected p is below this."""
EXACT = 13
"""Up to so many differing queries every assignment of signs is tried (8,192 of them) instead of a sample."""
EQUAL = 1e-9
"""Sums of per-query values nearer than this are one sum: float64 adds in different orders."""


@dataclass(frozen=True)
class PairComparison:
    """Two systems on the same queries; `better` has the higher mean (the earlier system where they are equal).

    Attributes:
        better, worse: their names.
        difference: mean of better - worse, with the paired bootstrap's 95% interval.
        p: two-sided paired randomisation test. p_holm: the same, corrected for all pairs compared.
        wins, losses, ties: queries on which `better` is above, below, level.
    """

    better: str
    worse: str
    difference: Estimate
    p: float
    p_holm: float
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class Comparison:
    """Systems compared by one measure on the queries that all of them measured.

    Attributes:
        measure: as it prints. queries: how many queries. alpha: below which p_holm two systems are told apart.
        systems: name -> mean with interval, best first.
        pairs: every pair, in the order of `systems`.
        groups: systems that can't be told apart, best first; two systems share a group if and only if their pair's
            p_holm is alpha or more. A system may be in several groups.
        left_out: systems of the reports that are not compared, since positives were put into their candidates.
    """

    measure: str
    queries: int
    alpha: float
    systems: tuple[tuple[str, Estimate], ...]
    pairs: tuple[PairComparison, ...]
    groups: tuple[tuple[str, ...], ...]
    left_out: tuple[str, ...] = ()

    @property
    def separated(self) -> int:
        """How many pairs are told apart."""
        return sum(pair.p_holm < self.alpha for pair in self.pairs)


def compare(aligned: Aligned, *, seed: int = 0, samples: int = SAMPLES, alpha: float = ALPHA) -> Comparison:
    """Every pair of systems compared, and the groups that can't be told apart.

    Args:
        aligned: per-query values of two or more systems on the same queries.
        seed: of the sign flips and of the resamples; same values, same seed, same numbers.
        samples: of each. alpha: the level of the corrected test.

    >>> values = np.array([[1.0, 1.0, 1.0, 0.5], [1.0, 1.0, 1.0, 1.0]])
    >>> compared = compare(Aligned("RR", ("q1", "q2", "q3", "q4"), ("a", "b"), values))
    >>> compared.groups, compared.pairs[0].better, compared.pairs[0].p, compared.pairs[0].ties
    ((('b', 'a'),), 'b', 1.0, 3)
    """
    if len(aligned.systems) < 2:
        raise DataError("there is only one system to compare", fix="give two or more")
    order = np.argsort(-aligned.values.mean(axis=1), kind="stable")
    names, values = tuple(aligned.systems[row] for row in order), np.asarray(aligned.values, np.float64)[order]
    return _compared(_Asked(aligned.measure, names, values.tobytes(), seed, samples, alpha))


@dataclass(frozen=True)
class _Asked:
    """A comparison that is asked for; `values` are the bytes of float64, a row a system, best first."""

    measure: str
    systems: tuple[str, ...]
    values: bytes
    seed: int
    samples: int
    alpha: float


# A report asks several times: for its groups, for how hard its set is, and for the page of both.
@lru_cache(maxsize=4)
def _compared(asked: _Asked) -> Comparison:
    names, alpha = asked.systems, asked.alpha
    values = np.frombuffer(asked.values, dtype=np.float64).reshape(len(names), -1)
    means = values.mean(axis=1)
    resamples = resampled_means(values, seed=asked.seed, samples=asked.samples)
    flipped = _flipped_sums(values, seed=asked.seed, samples=asked.samples)
    pairs = list(combinations(range(len(names)), 2))
    p_values = [_p_value(values[a] - values[b], flipped[a] - flipped[b]) for a, b in pairs]
    compared = []
    for (a, b), p, p_holm in zip(pairs, p_values, holm(p_values), strict=True):
        above, below = values[a] - values[b] > EQUAL, values[b] - values[a] > EQUAL
        compared.append(
            PairComparison(
                better=names[a],
                worse=names[b],
                difference=estimate(means[a] - means[b], resamples[a] - resamples[b]),
                p=p,
                p_holm=p_holm,
                wins=int(above.sum()),
                losses=int(below.sum()),
                ties=int((~above & ~below).sum()),
            )
        )
    apart = [pair for pair, found in zip(pairs, compared, strict=True) if found.p_holm < alpha]
    return Comparison(
        measure=asked.measure,
        queries=values.shape[1],
        alpha=alpha,
        systems=tuple((name, estimate(mean, drawn)) for name, mean, drawn in zip(names, means, resamples, strict=True)),
        pairs=tuple(compared),
        groups=tuple(tuple(names[row] for row in group) for group in inseparable(len(names), apart)),
    )


def randomisation_test(first: ArrayLike, second: ArrayLike, *, seed: int = 0, samples: int = SAMPLES) -> float:
    """The two-sided p of Fisher's paired randomisation test on the difference of two means.

    Under the null hypothesis the two values of a query may be exchanged. Where at most 13 queries differ every exchange
    is tried and p is exact; else p = (1 + as extreme) / (1 + samples). (Smucker, Allan & Carterette, CIKM 2007.)

    Args:
        first, second: one value a query, in the same order of queries.
        seed, samples: of the exchanges.

    >>> randomisation_test([1.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    0.25
    """
    values = np.array([first, second], dtype=np.float64)
    flipped = _flipped_sums(values, seed=seed, samples=samples)
    return _p_value(values[0] - values[1], flipped[0] - flipped[1])


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p corrected for all of them by Holm's step-down procedure (Scandinavian Journal of Statistics, 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    scaled = np.asarray(p_values, np.float64)[order] * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order), np.float64)
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return [float(p) for p in corrected]


def inseparable(systems: int, apart: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The largest groups of systems 0..n-1 without a pair that is told apart, in order.

    Two systems share a group if and only if they are not told apart (insert and absorb, Piepho 2004).

    >>> inseparable(3, [(0, 2)])
    [(0, 1), (1, 2)]
    """
    groups = [frozenset(range(systems))]
    for pair in apart:
        split = [group - {member} if group.issuperset(pair) else group for group in groups for member in pair]
        distinct = list(dict.fromkeys(split))
        groups = [group for group in distinct if not any(group < other for other in distinct)]
    return sorted(tuple(sorted(group)) for group in groups)


def _flipped_sums(values: NDArray[np.float64], *, seed: int, samples: int) -> NDArray[np.float64]:
    """Sums over queries with random signs, (series, samples); all series see the same signs.

    A difference of two rows is the sum of their differences with those signs, so one pass serves all pairs.
    """
    series, queries = values.shape
    generator = np.random.default_rng(seed)
    sums = np.empty((series, samples), np.float64)
    rows = max(1, BLOCK // queries)
    for start in range(0, samples, rows):
        stop = min(start + rows, samples)
        signs = generator.integers(0, 2, size=(stop - start, queries), dtype=np.int8) * 2.0 - 1.0
        # Not a matrix product: its last bits depend on the number of threads.
        sums[:, start:stop] = np.einsum("sq,bq->sb", values, signs)
    return sums


def _p_value(differences: NDArray[np.float64], flipped: NDArray[np.float64]) -> float:
    observed = abs(differences.sum()) - EQUAL
    differing = differences[np.abs(differences) > EQUAL]
    if len(differing) > EXACT:
        return float((1 + np.count_nonzero(np.abs(flipped) >= observed)) / (1 + len(flipped)))
    assignments = np.arange(2 ** len(differing))[:, None] >> np.arange(len(differing))
    sums = (((assignments & 1) * 2.0 - 1.0) * differing).sum(axis=1)
    return float(np.mean(np.abs(sums) >= observed))
