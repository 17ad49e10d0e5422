"""Exact search over sparse vectors: by term, only what shares a term with the query is ever looked at."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.retrieval.bm25.ranking import rank
from pyrite.retrieval.search.best import Hits, cores
from pyrite.retrieval.search.compiled import compiled

_BATCH = 16
"""Queries that a thread takes at a time."""


@dataclass(frozen=True)
class SparseRows:
    """Sparse vectors, one a row: row i has weights[bounds[i]:bounds[i + 1]] at the dimensions `terms` of that slice.

    Attributes:
        bounds: int64, one more than rows. terms: int32, ascending within a row. weights: float32.
    """

    bounds: NDArray[np.int64]
    terms: NDArray[np.int32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.bounds) - 1

    def take(self, positions: NDArray[np.integer]) -> SparseRows:
        """The rows at these positions, in this order."""
        counts = np.diff(self.bounds)[positions]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.bounds[positions] - ends + counts, counts)
        return SparseRows(
            np.concatenate([np.zeros(1, np.int64), ends]), self.terms[places], self.weights[places].astype(np.float32)
        )

    @classmethod
    def joined(cls, parts: Iterable[SparseRows]) -> SparseRows:
        """The rows of all parts, one after another."""
        given = list(parts)
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.bounds) for part in given)])
        return cls(
            np.cumsum(counts),
            np.concatenate([np.zeros(0, np.int32), *(part.terms for part in given)]),
            np.concatenate([np.zeros(0, np.float32), *(part.weights for part in given)]),
        )


class Postings(NamedTuple):
    """Rows turned round: term t is in documents[bounds[t]:bounds[t + 1]], ascending, with these weights."""

    bounds: NDArray[np.int64]
    documents: NDArray[np.int32]
    weights: NDArray[np.float32]


class SparseVectors:
    """A corpus of sparse vectors, searchable by inner product.

    Args:
        rows: one a document.
        threads: None: all cores. The result does not depend on it.

    >>> rows = SparseRows(np.array([0, 2, 3]), np.array([1, 4, 4], np.int32), np.array([1, 2, 3], np.float32))
    >>> asked = SparseRows(np.array([0, 1]), np.array([4], np.int32), np.array([0.5], np.float32))
    >>> SparseVectors(rows).search(asked, 10).positions.tolist()
    [[1, 0]]
    """

    def __init__(self, rows: SparseRows, *, threads: int | None = None) -> None:
        self._documents = len(rows)
        self._threads = threads or cores()
        terms = int(rows.terms.max(initial=-1)) + 1
        self._postings = _turned(rows.bounds, rows.terms, rows.weights, terms)

    def __len__(self) -> int:
        """How many documents there are."""
        return self._documents

    def search(self, queries: SparseRows, depth: int) -> Hits:
        """The best `depth` documents of each query by inner product, then by position; only scores above 0.

        A score is added up in float64 in the order of the query's terms and rounded to float32.
        """
        if depth < 1:
            raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
        width = min(depth, len(self))
        hits = Hits(
            np.zeros((len(queries), width), np.float32),
            np.zeros((len(queries), width), np.int32),
            np.zeros(len(queries), np.int64),
        )
        if not width:
            return hits
        held = threading.local()

        def batch(start: int) -> None:
            if not hasattr(held, "totals"):
                held.totals = np.zeros(len(self), np.float64)
                held.seen = np.zeros(len(self), np.bool_)
            own = slice(start, start + _BATCH)
            bounds = queries.bounds[start : start + _BATCH + 1]
            asked = (bounds, queries.terms, queries.weights)
            found = (hits.scores[own], hits.positions[own], hits.counts[own])
            _search(asked, self._postings, held.totals, held.seen, found)

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(batch, range(0, len(queries), _BATCH)))
        return hits


@compiled
def _turned(bounds: Any, terms: Any, weights: Any, size: int) -> Postings:
    """The postings of rows; terms are below `size`."""
    heads = np.zeros(size + 1, np.int64)
    for term in terms:
        heads[term + 1] += 1
    for term in range(size):
        heads[term + 1] += heads[term]
    starts = heads.copy()
    documents = np.empty(len(terms), np.int32)
    held = np.empty(len(terms), np.float32)
    for document in range(len(bounds) - 1):
        for at in range(bounds[document], bounds[document + 1]):
            place = heads[terms[at]]
            heads[terms[at]] = place + 1
            documents[place] = document
            held[place] = weights[at]
    return Postings(starts, documents, held)


@compiled
def _search(asked: Any, postings: Postings, totals: Any, seen: Any, found: Any) -> None:
    bounds, terms, weights = asked
    scores, positions, counts = found
    met = np.empty(len(totals), np.int32)
    for query in range(len(bounds) - 1):
        count = 0
        for at in range(bounds[query], bounds[query + 1]):
            term = terms[at]
            if term + 1 >= len(postings.bounds):
                continue
            weight = np.float64(weights[at])
            for posting in range(postings.bounds[term], postings.bounds[term + 1]):
                document = postings.documents[posting]
                if not seen[document]:
                    seen[document] = True
                    met[count] = document
                    count += 1
                totals[document] += weight * np.float64(postings.weights[posting])
        exact = np.empty(count, np.float32)
        for place in range(count):
            exact[place] = np.float32(totals[met[place]])
            totals[met[place]] = 0.0
            seen[met[place]] = False
        counts[query] = rank(exact, met[:count], scores[query], positions[query])
