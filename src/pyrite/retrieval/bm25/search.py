"""Compiled search: the best documents of each query without adding up postings that cannot matter (MaxScore).

Turtle and Flood, "Query evaluation: strategies and optimizations", 1995. The terms of a query are taken by the highest
score that each can give. Once those that are left cannot lift a document that has not been met into the ranking, only
documents that were met, and still can get there, are looked up in the postings of the rest. Those that remain are
scored again in the order of the query's words, in float32: the same bits as if everything had been added up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.postings import Postings
from pyrite.retrieval.bm25.ranking import rank

_BINS = 512
# Float32 sums of n parts in two orders differ by less than n / 2^22 of the sum.
_ROUNDING = np.float64(2.0**-22)


class Asked(NamedTuple):
    """Some queries as terms: query i has terms[bounds[i]:bounds[i + 1]], int32; a repeat counts again."""

    terms: NDArray[np.int32]
    bounds: NDArray[np.int64]


class Plan(NamedTuple):
    """Each query's distinct terms, in the order in which they are taken; query i has [bounds[i], bounds[i + 1]).

    Attributes:
        terms: int32. repeats: int64, how often the query has it. most: float64, the most that it can give a document.
        bounds: int64.
    """

    terms: NDArray[np.int32]
    repeats: NDArray[np.int64]
    most: NDArray[np.float64]
    bounds: NDArray[np.int64]


class Hits(NamedTuple):
    """What was found: row i of `scores` and `documents` (queries x depth) holds the counts[i] hits of query i."""

    scores: NDArray[np.float32]
    documents: NDArray[np.int32]
    counts: NDArray[np.int64]


class Rows(NamedTuple):
    """The most frequent terms' scores by document: term t's are values[row_of[t]], where that is not -1."""

    row_of: NDArray[np.int32]
    values: NDArray[np.float32]


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
        np.zeros(_BINS, np.int32),
    )


@compiled
def dense_rows(postings: Postings, terms: NDArray[np.int64], documents: int) -> Rows:
    """The rows of these terms."""
    row_of = np.full(len(postings.highest), -1, np.int32)
    values = np.zeros((len(terms), documents), np.float32)
    for row in range(len(terms)):
        row_of[terms[row]] = row
        for at in range(postings.bounds[terms[row]], postings.bounds[terms[row] + 1]):
            values[row, postings.documents[at]] = postings.scores[at]
    return Rows(row_of, values)


def plan(asked: Asked, postings: Postings) -> Plan:
    """The order in which each query's terms are taken: by the most that they can give."""
    queries = np.repeat(np.arange(len(asked.bounds) - 1, dtype=np.int64), np.diff(asked.bounds))
    # A term whose idf is 0 gives nothing and is not a match.
    scoring = postings.highest[asked.terms] > 0
    pairs, repeats = np.unique((queries[scoring] << 32) | asked.terms[scoring], return_counts=True)
    queries, terms = pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)
    most = repeats * postings.highest[terms].astype(np.float64)
    order = np.lexsort((terms, -most, queries))
    bounds = np.searchsorted(queries, np.arange(len(asked.bounds)))
    return Plan(terms[order], repeats[order].astype(np.int64), most[order], bounds.astype(np.int64))


@compiled
def _floor(totals: Any, documents: Any, depth: Any, ceiling: Any, bins: Any) -> Any:
    """A score that at least `depth` of these documents reach, and few more; 0 where there are too few."""
    if len(documents) < depth:
        return 0.0
    for place in range(_BINS):
        bins[place] = 0
    scale = (_BINS - 1) / ceiling
    for document in documents:
        bins[min(np.int64(totals[document] * scale), _BINS - 1)] += 1
    above = 0
    for place in range(_BINS - 1, 0, -1):
        above += bins[place]
        if above >= depth:
            return place / scale
    return 0.0


@compiled
def _add_met(postings: Any, rows: Any, term: Any, times: Any, totals: Any, candidates: Any) -> None:
    """Add a term's scores to the totals of some documents that were met, which ascend."""
    row = rows.row_of[term]
    if row >= 0:
        values = rows.values[row]
        for document in candidates:
            totals[document] += times * values[document]
        return
    documents, scores = postings.documents, postings.scores
    at, stop = postings.bounds[term], postings.bounds[term + 1]
    if stop - at < 8 * len(candidates):
        for posting in range(at, stop):
            if totals[documents[posting]] != 0:
                totals[documents[posting]] += times * scores[posting]
        return
    for document in candidates:
        at = _seek(documents, at, stop, document)
        if at == stop:
            return
        if documents[at] == document:
            totals[document] += times * scores[at]


@compiled
def _seek(documents: Any, at: Any, stop: Any, wanted: Any) -> Any:
    """The first place from `at` on whose document is not before the wanted one, by ever longer steps."""
    step = 1
    while at + step < stop and documents[at + step] < wanted:
        step *= 2
    low, high = at + step // 2, min(at + step, stop)
    if step == 1:
        low = at
    while low < high:
        middle = (low + high) // 2
        if documents[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _keep(totals: Any, documents: Any, least: Any, kept: Any) -> Any:
    """Put the documents with at least this total into `kept`, in their order; how many they are."""
    count = 0
    for document in documents:
        kept[count] = document
        count += totals[document] >= least
    return count


@compiled
def _meet(planned: Any, postings: Any, depth: Any, space: Any) -> Any:
    """Add up postings until no further document matters: how many terms were taken, how many documents were met, and
    a score that `depth` of them reach.
    """
    terms, repeats, left = planned
    totals, met = space.totals, space.met
    documents, scores = postings.documents, postings.scores
    count, floor = 0, 0.0
    for taken in range(len(terms)):
        start, stop = postings.bounds[terms[taken]], postings.bounds[terms[taken] + 1]
        # A floor costs a look at every document that was met: only where the next postings cost more.
        if count >= depth and stop - start > count // 2 + 256:
            floor = _floor(totals, met[:count], depth, left[0], space.bins)
            if left[taken] < floor:
                return taken, count, floor
        times = np.float32(repeats[taken])
        for posting in range(start, stop):
            document = documents[posting]
            total = totals[document]
            met[count] = document
            count += total == 0
            totals[document] = total + times * scores[posting]
    return len(terms), count, _floor(totals, met[:count], depth, left[0], space.bins)


@compiled
def _finalists(planned: Any, postings: Any, rows: Any, depth: Any, space: Any) -> Any:
    """How many documents were met, and how many of them, now in `space.finalists`, may be among the best."""
    terms, repeats, left = planned
    totals, finalists = space.totals, space.finalists
    # Sums in another order differ a little, so that a bound is only one with room to spare.
    margin = 1 + _ROUNDING * (repeats.sum() + 1)
    planned = terms, repeats, left * margin * margin
    taken, count, floor = _meet(planned, postings, depth, space)
    kept = _keep(totals, space.met[:count], floor / margin - left[taken] * margin, finalists)
    ascending = False
    for at in range(taken, len(terms)):
        if not ascending and rows.row_of[terms[at]] < 0:
            finalists[:kept].sort()
            ascending = True
        _add_met(postings, rows, terms[at], np.float32(repeats[at]), totals, finalists[:kept])
        # Leaving some out costs a look at all: not after each cheap step.
        if kept > depth + depth // 4 and (at % 2 == 0 or at + 1 == len(terms)):
            floor = max(floor, _floor(totals, finalists[:kept], depth, left[0], space.bins))
            kept = _keep(totals, finalists[:kept], floor / margin - left[at + 1] * margin, finalists)
    if not ascending:
        finalists[:kept].sort()
    return count, kept


@compiled
def _scored(terms: Any, postings: Any, rows: Any, finalists: Any, exact: Any) -> None:
    """Add up the finalists' scores in the order of the query's words; the finalists ascend."""
    for term in terms:
        row = rows.row_of[term]
        if row >= 0:
            values = rows.values[row]
            for which in range(len(finalists)):
                exact[which] += values[finalists[which]]
            continue
        at, stop = postings.bounds[term], postings.bounds[term + 1]
        for which in range(len(finalists)):
            at = _seek(postings.documents, at, stop, finalists[which])
            if at == stop:
                break
            if postings.documents[at] == finalists[which]:
                exact[which] += postings.scores[at]


@compiled
def search(asked: Asked, planned: Plan, postings: Postings, rows: Rows, space: Space, hits: Hits) -> None:
    """Search some queries."""
    depth = hits.scores.shape[1]
    totals, met, finalists = space.totals, space.met, space.finalists
    for query in range(len(asked.bounds) - 1):
        start, stop = planned.bounds[query], planned.bounds[query + 1]
        left = np.zeros(stop - start + 1, np.float64)
        for at in range(stop - start - 1, -1, -1):
            left[at] = left[at + 1] + planned.most[start + at]
        own = planned.terms[start:stop], planned.repeats[start:stop], left
        count, kept = _finalists(own, postings, rows, depth, space)
        for at in range(count):
            totals[met[at]] = 0
        exact = np.zeros(kept, np.float32)
        terms = asked.terms[asked.bounds[query] : asked.bounds[query + 1]]
        _scored(terms, postings, rows, finalists[:kept], exact)
        hits.counts[query] = rank(exact, finalists[:kept], hits.scores[query], hits.documents[query])
