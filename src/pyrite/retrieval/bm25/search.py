"""Compiled search: for each query the cheaper of two ways to the same bits.

A small corpus, or a query of frequent words, is searched by adding up every posting. Else MaxScore finds the
documents that may be among the best, and only these are scored, in the order of the query's words and in float32: the
same bits as if everything had been added up. The order is total, score descending, then corpus position.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.maxscore import finalists_of, score_finalists
from pyrite.retrieval.bm25.plan import Asked, Plan
from pyrite.retrieval.bm25.postings import Postings
from pyrite.retrieval.bm25.ranking import BINS, rank, rank_all
from pyrite.retrieval.bm25.rows import Rows


class Hits(NamedTuple):
    """What was found: row i of `scores` and `documents` (queries x depth) holds the counts[i] hits of query i."""

    scores: NDArray[np.float32]
    documents: NDArray[np.int32]
    counts: NDArray[np.int64]


class Space(NamedTuple):
    """What a thread writes on while it searches; `totals` is all 0 between queries.

    Attributes:
        totals: float32, by document, what was added up so far.
        met: int32, the documents with a total, in no order; one longer, since it is written before it is known.
        finalists: int32, those that may be among the best; as long.
        bins: int32, a histogram.
    """

    totals: NDArray[np.float32]
    met: NDArray[np.int32]
    finalists: NDArray[np.int32]
    bins: NDArray[np.int32]


def no_hits(queries: int, depth: int) -> Hits:
    """Room for the hits of so many queries."""
    shape = (queries, depth)
    return Hits(np.empty(shape, np.float32), np.empty(shape, np.int32), np.zeros(queries, np.int64))


def room_for(documents: int) -> Space:
    """Room for one thread to search so many documents."""
    return Space(
        np.zeros(documents, np.float32),
        np.empty(documents + 1, np.int32),
        np.empty(documents + 1, np.int32),
        np.zeros(BINS, np.int32),
    )


@compiled
def _add_up(terms: Any, postings: Any, rows: Any, totals: Any) -> None:
    """Add every posting of a query's words, in their order."""
    for term in terms:
        row = rows.row_of[term]
        if row >= 0:
            values = rows.values[row]
            for document in range(len(totals)):
                totals[document] += values[document]
        else:
            for posting in range(postings.bounds[term], postings.bounds[term + 1]):
                totals[postings.documents[posting]] += postings.scores[posting]


@compiled
def _cost_of_adding(terms: Any, postings: Any, rows: Any, documents: Any) -> Any:
    """Nanoseconds, about, that `_add_up` and a look at all totals take."""
    cost = 0.4 * documents
    for term in terms:
        if rows.row_of[term] >= 0:
            cost += 0.25 * documents
        else:
            cost += postings.bounds[term + 1] - postings.bounds[term]
    return cost


@compiled
def search(asked: Asked, planned: Plan, postings: Postings, rows: Rows, space: Space, hits: Hits) -> None:
    """Search some queries."""
    depth = hits.scores.shape[1]
    totals, met, finalists = space.totals, space.met, space.finalists
    for query in range(len(asked.bounds) - 1):
        terms = asked.terms[asked.bounds[query] : asked.bounds[query + 1]]
        start, stop = planned.bounds[query], planned.bounds[query + 1]
        left = np.zeros(stop - start + 1, np.float64)
        for at in range(stop - start - 1, -1, -1):
            left[at] = left[at + 1] + planned.most[start + at]
        own = planned.terms[start:stop], planned.repeats[start:stop], left
        budget = _cost_of_adding(terms, postings, rows, len(totals))
        count, kept = finalists_of(own, postings, rows, (depth, budget), space)
        for at in range(count):
            totals[met[at]] = 0
        if kept < 0:
            _add_up(terms, postings, rows, totals)
            hits.counts[query] = rank_all(totals, space.bins, finalists, hits.scores[query], hits.documents[query])
            for document in range(len(totals)):
                totals[document] = 0
        else:
            exact = np.zeros(kept, np.float32)
            score_finalists(terms, postings, rows, finalists[:kept], exact)
            hits.counts[query] = rank(exact, finalists[:kept], hits.scores[query], hits.documents[query])
