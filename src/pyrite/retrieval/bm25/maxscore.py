"""Which documents of a large corpus may be among the best, without adding up postings that cannot matter (MaxScore).

Turtle and Flood, "Query evaluation: strategies and optimizations", 1995. The terms of a query are taken by the highest
score that each can give. Once those that are left cannot lift a document that has not been met into the ranking, only
documents that were met, and still can get there, are looked up in the postings of the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.ranking import BINS, reached

# Float32 sums of n parts in two orders differ by less than n / 2^22 of the sum.
_ROUNDING = np.float64(2.0**-22)


@compiled
def _floor(totals: Any, documents: Any, depth: Any, ceiling: Any, bins: Any) -> Any:
    """`floor_of` for the totals of these documents."""
    if len(documents) < depth:
        return 0.0
    for place in range(BINS):
        bins[place] = 0
    scale = (BINS - 1) / ceiling
    for document in documents:
        bins[min(np.int64(totals[document] * scale), BINS - 1)] += 1
    return reached(bins, depth) / scale


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
def _meet(planned: Any, postings: Any, limits: Any, space: Any) -> Any:
    """Add up postings until no further document matters: how many terms were taken, how many documents were met, and
    a score that `depth` of them reach. No terms are -1: to go on costs more than to add up everything.
    """
    terms, repeats, left = planned
    depth, budget = limits
    lookups = 10.0 * depth * len(terms)  # nanoseconds, about, that scoring the finalists takes
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
        if (count + stop - start) * (4.0 + len(terms) - taken) + lookups > budget:
            return -1, count, floor
        times = np.float32(repeats[taken])
        for posting in range(start, stop):
            document = documents[posting]
            total = totals[document]
            met[count] = document
            count += total == 0
            totals[document] = total + times * scores[posting]
    return len(terms), count, _floor(totals, met[:count], depth, left[0], space.bins)


@compiled
def finalists_of(planned: Any, postings: Any, rows: Any, limits: Any, space: Any) -> Any:
    """How many documents were met, and how many of them, now in `space.finalists`, may be among the best.

    `limits` is the depth, and what adding up everything costs; where that is less, the second number is -1.
    """
    terms, repeats, left = planned
    depth = limits[0]
    totals, finalists = space.totals, space.finalists
    # Sums in another order differ a little, so that a bound is only one with room to spare.
    margin = 1 + _ROUNDING * (repeats.sum() + 1)
    planned = terms, repeats, left * margin * margin
    taken, count, floor = _meet(planned, postings, limits, space)
    if taken < 0:
        return count, -1
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
def score_finalists(terms: Any, postings: Any, rows: Any, finalists: Any, exact: Any) -> None:
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
