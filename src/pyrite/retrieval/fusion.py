"""Several runs become one, by their ranks alone or by their scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyrite.core import DataError, Run

K = 60.0
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009)."""


def rrf(runs: Sequence[Run], *, k: float = K, depth: int | None = None) -> Run:
    """The reciprocal rank fusion of runs: a document's score is the sum of 1 / (k + rank) over the runs that hold it.

    Equal scores go to the better rank in the first run, then in the second, and so on: two documents never tie.
    A query is ranked if any run has it, in the order in which the runs first name it.

    Args:
        runs: one or more.
        k: how little the first ranks stand out; 0 or more.
        depth: hits a query at most; None: all.

    >>> lexical = Run.of("bm25", {"q": [("a", 9.0), ("b", 7.0)]})
    >>> dense = Run.of("dense", {"q": [("b", 0.9), ("c", 0.8)]})
    >>> [(hit.doc_id, round(hit.score, 4)) for hit in rrf([lexical, dense])["q"]]
    [('b', 0.0325), ('a', 0.0164), ('c', 0.0161)]
    """
    if not runs:
        raise DataError("a fusion of no runs ranks nothing", fix="give one run or more")
    if k < 0:
        raise DataError(f"k is {k}", where="rrf", fix="give 0 or more")
    queries = dict.fromkeys(query_id for run in runs for query_id in run.query_ids.to_pylist())
    name = f"fusion:rrf,of={'+'.join(run.system for run in runs)}"
    return Run.of(name, {query_id: _fused(runs, query_id, k)[:depth] for query_id in queries})


def weighted(runs: Sequence[Run], weights: Sequence[float], *, depth: int | None = None) -> Run:
    """The weighted sum of scores, each brought to 0..1 first: 0 for the lowest of its query and run, 1 for the highest.

    A document that a run lacks gets 0 from it; where a run has one score only for a query, that counts 1. Equal sums
    go to the better rank in the first run, then in the second, and so on.

    Args:
        runs: one or more. weights: one a run, 0 or more.
        depth: hits a query at most; None: all.

    >>> lexical = Run.of("bm25", {"q": [("a", 9.0), ("b", 7.0), ("c", 5.0)]})
    >>> dense = Run.of("dense", {"q": [("b", 0.9), ("c", 0.8)]})
    >>> [(hit.doc_id, hit.score) for hit in weighted([lexical, dense], [0.25, 0.75])["q"]]
    [('b', 0.875), ('a', 0.25), ('c', 0.0)]
    """
    if not runs:
        raise DataError("a fusion of no runs ranks nothing", fix="give one run or more")
    if len(weights) != len(runs):
        raise DataError(f"there are {len(weights)} weights for {len(runs)} runs", where="weighted")
    if any(not 0 <= weight < math.inf for weight in weights):
        raise DataError(f"the weights are {list(weights)}", where="weighted", fix="give numbers of 0 or more")
    queries = dict.fromkeys(query_id for run in runs for query_id in run.query_ids.to_pylist())
    name = f"fusion:weighted,of={'+'.join(run.system for run in runs)}"
    return Run.of(name, {query_id: _summed(runs, weights, query_id)[:depth] for query_id in queries})


def _summed(runs: Sequence[Run], weights: Sequence[float], query_id: str) -> list[tuple[str, float]]:
    ranks: dict[str, list[float]] = {}
    parts: dict[str, list[float]] = {}
    for place, (run, weight) in enumerate(zip(runs, weights, strict=True)):
        hits = run[query_id]
        # A forced document has no score; it counts as the lowest one.
        scores = [hit.score for hit in hits if hit.score > -math.inf] or [0.0]
        low, width = min(scores), max(scores) - min(scores)
        for hit in hits:
            share = (max(hit.score, low) - low) / width if width else float(hit.score > -math.inf)
            ranks.setdefault(hit.doc_id, [math.inf] * len(runs))[place] = hit.rank
            parts.setdefault(hit.doc_id, []).append(weight * share)
    sums = {doc_id: math.fsum(own) for doc_id, own in parts.items()}
    order = sorted(ranks, key=lambda doc_id: (-sums[doc_id], ranks[doc_id]))
    return [(doc_id, sums[doc_id]) for doc_id in order]


def _fused(runs: Sequence[Run], query_id: str, k: float) -> list[tuple[str, float]]:
    absent = math.inf
    ranks: dict[str, list[float]] = {}
    for place, run in enumerate(runs):
        for hit in run[query_id]:
            ranks.setdefault(hit.doc_id, [absent] * len(runs))[place] = hit.rank
    # fsum: the same ranks in another order of runs are the same score, to the last bit.
    scores = {doc_id: math.fsum(1.0 / (k + rank) for rank in own if rank != absent) for doc_id, own in ranks.items()}
    order = sorted(ranks, key=lambda doc_id: (-scores[doc_id], ranks[doc_id]))
    return [(doc_id, scores[doc_id]) for doc_id in order]
