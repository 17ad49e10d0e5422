"""The formulas of the measures, one value a measured query, as trec_eval has them (Judged as ir_measures has it)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrite.evaluation.hits import Hits

Values = NDArray[np.float64]


def _within(hits: Hits, cutoff: int | None) -> NDArray[np.bool_]:
    return np.ones(len(hits.rank), np.bool_) if cutoff is None else hits.rank <= cutoff


def _relevant_hits(hits: Hits, cutoff: int | None, rel: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Query and rank of every relevant document down to the cutoff."""
    rows = _within(hits, cutoff) & (hits.grade >= rel)
    return hits.query[rows], hits.rank[rows]


def _nth_of_query(query: NDArray[np.int64], queries: int) -> NDArray[np.int64]:
    """1 for the first row of each query, 2 for its second, and so on; rows are sorted by query."""
    counts = np.bincount(query, minlength=queries)
    return np.arange(len(query)) - np.repeat(np.cumsum(counts) - counts, counts) + 1


def _sums(query: NDArray[np.int64], weights: Values, queries: int) -> Values:
    """The sum of each query's weights, added in row order."""
    return np.asarray(np.bincount(query, weights, minlength=queries), dtype=np.float64)


def _share(part: Values, whole: NDArray[np.int64]) -> Values:
    """The quotient, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(whole), np.float64), where=whole > 0)


def ndcg(hits: Hits, cutoff: int | None, _rel: int) -> Values:
    """Grades discounted by log2(rank + 1), over the same sum for the best order of all judged documents."""
    judged = hits.judged

    def dcg(query: NDArray[np.int64], rank: NDArray[np.int64], grade: NDArray[np.int64]) -> Values:
        rows = rank <= (cutoff or np.inf)
        return _sums(query[rows], grade[rows] / np.log2(rank[rows] + 1.0), len(judged))

    ideal = dcg(judged.owners, judged.best_ranks, judged.best_grades)
    return dcg(hits.query, hits.rank, hits.grade) / ideal  # never 0: a measured query has a positive


def reciprocal_rank(hits: Hits, cutoff: int | None, rel: int) -> Values:
    """1 / rank of the first relevant document, 0 where none is found."""
    query, rank = _relevant_hits(hits, cutoff, rel)
    first = _nth_of_query(query, len(hits.judged)) == 1
    values = np.zeros(len(hits.judged), np.float64)
    values[query[first]] = 1.0 / rank[first]
    return values


def average_precision(hits: Hits, cutoff: int | None, rel: int) -> Values:
    """Precision at each relevant document found, summed, over all relevant documents."""
    query, rank = _relevant_hits(hits, cutoff, rel)
    precisions = _nth_of_query(query, len(hits.judged)) / rank
    return _share(_sums(query, precisions, len(hits.judged)), hits.judged.relevant(rel))


def _found(hits: Hits, cutoff: int | None, rel: int) -> Values:
    query, _ = _relevant_hits(hits, cutoff, rel)
    return np.bincount(query, minlength=len(hits.judged)).astype(np.float64)


def recall(hits: Hits, cutoff: int | None, rel: int) -> Values:
    """Relevant documents found over all relevant documents."""
    return _share(_found(hits, cutoff, rel), hits.judged.relevant(rel))


def precision(hits: Hits, cutoff: int | None, rel: int) -> Values:
    """Relevant documents found over the cutoff."""
    assert cutoff is not None
    return _found(hits, cutoff, rel) / cutoff


def success(hits: Hits, cutoff: int | None, rel: int) -> Values:
    """1 where a relevant document is found, else 0."""
    return (_found(hits, cutoff, rel) > 0).astype(np.float64)


def judged(hits: Hits, cutoff: int | None, _rel: int) -> Values:
    """Retrieved documents with a grade over retrieved documents."""
    found = np.bincount(hits.query[_within(hits, cutoff)], minlength=len(hits.judged)).astype(np.float64)
    return _share(found, hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff))
