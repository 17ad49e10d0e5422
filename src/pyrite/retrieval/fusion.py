"""Several runs become one by their ranks alone."""

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
