"""Candidates for a reranker: a run, cut, with the positives that it missed put in and named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyrite.core import Candidates, DataError, Run

FORCED_SCORE = float("-inf")
"""No retriever scored a forced document; its place says nothing."""

Positives = Mapping[str, Sequence[str]]
"""Query id -> its positive documents, in qrels order; its queries and their order are the candidates'."""


def missing_positives(run: Run, positives: Positives, *, depth: int | None = None) -> dict[str, tuple[str, ...]]:
    """Query id -> the positives that the first `depth` hits lack; only queries that lack one.

    >>> missing_positives(Run.of("toy", {"q1": [("d1", 2.0), ("d2", 1.0)]}), {"q1": ["d2", "d3"]}, depth=1)
    {'q1': ('d2', 'd3')}
    """
    missing: dict[str, tuple[str, ...]] = {}
    for query_id, wanted in positives.items():
        found = {hit.doc_id for hit in run[query_id][:depth]}
        absent = tuple(doc_id for doc_id in wanted if doc_id not in found)
        if absent:
            missing[query_id] = absent
    return missing


def force_positives(run: Run, positives: Positives, *, depth: int) -> Candidates:
    """The first `depth` hits of each query of `positives`, with the positives that they lack.

    A missing positive is appended to a list that is short; a full list gives up its last document that is not a
    positive. Of several, the first takes the last such place, the next the one before. More positives than `depth`
    cannot all be placed: `missing_positives` of the result names the rest.

    >>> run = Run.of("toy", {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)]})
    >>> candidates = force_positives(run, {"q1": ["d2", "d7", "d8"]}, depth=3)
    >>> [hit.doc_id for hit in candidates.run["q1"]], candidates.forced
    (['d8', 'd2', 'd7'], {'q1': ('d7', 'd8')})
    """
    _check_depth(depth)
    rankings: dict[str, list[tuple[str, float]]] = {}
    forced: dict[str, tuple[str, ...]] = {}
    for query_id, wanted in positives.items():
        ranking = [(hit.doc_id, hit.score) for hit in run[query_id][:depth]]
        absent = [doc_id for doc_id in wanted if doc_id not in {found for found, _ in ranking}]
        known = frozenset(wanted)
        placed = absent[: depth - len(ranking)]
        # Places to give up, the last first; what was just appended is a positive and stays.
        places = (place for place in range(len(ranking) - 1, -1, -1) if ranking[place][0] not in known)
        replacing = list(zip(absent[len(placed) :], places, strict=False))
        for doc_id, place in replacing:
            ranking[place] = (doc_id, FORCED_SCORE)
        rankings[query_id] = ranking + [(doc_id, FORCED_SCORE) for doc_id in placed]
        if absent:
            forced[query_id] = (*placed, *(doc_id for doc_id, _ in replacing))
    return Candidates(Run.of(run.system, rankings), {query: docs for query, docs in forced.items() if docs})


def safeguard(run: Run, positives: Positives, *, depth: int) -> Candidates:
    """The first `depth` hits of each query of `positives`; where they hold no positive at all, its first one follows.

    >>> candidates = safeguard(Run.of("rrf", {"q1": [("d1", 2.0), ("d2", 1.0)]}), {"q1": ["d2", "d3"]}, depth=1)
    >>> [hit.doc_id for hit in candidates.run["q1"]], candidates.forced
    (['d1', 'd2'], {'q1': ('d2',)})
    """
    _check_depth(depth)
    rankings: dict[str, list[tuple[str, float]]] = {}
    forced: dict[str, tuple[str, ...]] = {}
    for query_id, wanted in positives.items():
        ranking = [(hit.doc_id, hit.score) for hit in run[query_id][:depth]]
        if wanted and not {doc_id for doc_id, _ in ranking}.intersection(wanted):
            forced[query_id] = (wanted[0],)
            ranking.append((wanted[0], FORCED_SCORE))
        rankings[query_id] = ranking
    return Candidates(Run.of(run.system, rankings), forced)


def as_retrieved(run: Run, positives: Positives, *, depth: int) -> Candidates:
    """The first `depth` hits of each query of `positives`, with nothing put in."""
    _check_depth(depth)
    rankings = {query_id: [(hit.doc_id, hit.score) for hit in run[query_id][:depth]] for query_id in positives}
    return Candidates(Run.of(run.system, rankings))


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise DataError(f"candidates of depth {depth} hold nothing", fix="give a depth of 1 or more")
