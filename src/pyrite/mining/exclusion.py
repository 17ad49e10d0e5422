"""Which documents are never negatives of a query: its positives, their copies, and what is nearly the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry, Pool
from pyrite.mining.lookup import mark_known

REASONS = ("", "a positive of the query", "copy of a positive", "near-duplicate of a positive")
"""Why a document of the pool is no negative of a query; its number here is what `Exclusion.reason` holds."""


@dataclass(frozen=True, eq=False)
class Exclusion:
    """Which rows of a pool are no candidates for negatives, and why.

    Attributes:
        reason: int8, one a row of the pool: a place in `REASONS`, 0 for a candidate.
    """

    reason: NDArray[np.int8]

    @property
    def rows(self) -> NDArray[np.bool_]:
        """True for each row that is left out."""
        return self.reason > 0

    def entry(self, pool: Pool) -> LedgerEntry:
        """The account of what was found, of the pool that the exclusion is of."""
        found = pool.rank > 0
        counts = np.bincount(self.reason[found], minlength=len(REASONS)).tolist()
        dropped = {reason: count for reason, count in zip(REASONS[1:], counts[1:], strict=True) if count}
        return LedgerEntry("scored candidates", "candidates", int(found.sum()), counts[0], dropped)


def exclude_positives(pool: Pool, known: NDArray[np.int32], classes: NDArray[np.int64]) -> Exclusion:
    """Leave out every known positive of a query, by id and by text, and every copy of one.

    A pool holds each text once and its queries have distinct texts, so that a positive is one position of one query
    whatever its ids, and queries of equal text have the positives of all.

    Args:
        pool: what was found.
        known: int32, shape (2, n): query and position of every known positive, rows or not.
        classes: int64, one a document: equal for two documents whose normalised texts are equal; -1 for one that is
            neither a row of the pool nor a known positive, and was not looked at.
    """
    return Exclusion(mark_known(pool.offsets, pool.documents, known=known, classes=classes))


def exclude_near(exclusion: Exclusion, rows: NDArray[np.integer], near: NDArray[np.bool_]) -> Exclusion:
    """Leave out these rows too where they are marked as near-duplicates.

    Args:
        exclusion: what is left out already.
        rows: rows of the pool; one that stands here several times is near where it is so once.
        near: aligned with `rows`.
    """
    reason = exclusion.reason.copy()
    marked = rows[near]
    reason[marked[reason[marked] == 0]] = 3
    return Exclusion(reason)


def positives_beside(pool: Pool, exclusion: Exclusion, known: NDArray[np.int32]) -> NDArray[np.int64]:
    """Each candidate row with each known positive of its query, int64 of shape (2, n): row, position of the positive.

    These are the pairs that have to be compared to know the near-duplicates.

    >>> from pyrite.core import Corpus, Document, Queries, Query
    >>> queries, corpus = Queries.of([Query("q", "?")]), Corpus.of([Document("a", "A"), Document("b", "B")])
    >>> columns = np.array([1]), np.array([0]), np.array([1]), np.zeros(1), np.zeros(1, np.float32)
    >>> pool = Pool(queries, corpus, ("toy",), np.array([0, 1]), *columns)
    >>> positives_beside(pool, Exclusion(np.zeros(1, np.int8)), np.array([[0], [0]])).tolist()
    [[0], [0]]
    """
    rows = np.flatnonzero(~exclusion.rows & (pool.rank > 0))
    order = np.argsort(known[0], kind="stable")
    starts = np.searchsorted(known[0][order], np.arange(len(pool.queries) + 1))
    query = pool.query_of[rows]
    counts = (starts[1:] - starts[:-1])[query]
    repeated = np.repeat(rows, counts)
    within = np.arange(len(repeated)) - np.repeat(np.cumsum(counts) - counts, counts)
    positives = known[1][order][np.repeat(starts[:-1][query], counts) + within].astype(np.int64)
    if counts.max(initial=0) > 1:
        # All candidates of a query beside its first positive, then beside the next: a comparison is quickest so.
        by_positive = np.lexsort((positives, pool.query_of[repeated]))
        repeated, positives = repeated[by_positive], positives[by_positive]
    return np.stack([repeated, positives])
