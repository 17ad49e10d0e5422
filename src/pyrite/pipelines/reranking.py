"""Rerankers are measured twice: over what the first stage found, and with the positives that it missed put in."""

from __future__ import annotations

from pathlib import Path

from pyrite.core import FORCED_POSITIVES, Index, Qrels, Queries, Retriever, Run
from pyrite.formats import layout
from pyrite.retrieval import GivenCandidates, Reranker, RerankingIndex, Told, force_positives, parse_system

FORCED = " (forced positives)"
"""Ends the name of a system whose candidates were forced, so that the two numbers are never mistaken."""
CANDIDATES = "bm25"


def is_reranker(system: str | Retriever) -> bool:
    """Whether a system ranks what another one finds."""
    return parse_system(system).family == "rerank" if isinstance(system, str) else isinstance(system, Reranker)


def candidates_of(path: Path, split: str | None) -> GivenCandidates | None:
    """The candidate lists that a Nano dataset has for a split, or None."""
    found = layout(path)
    wanted = split if split is not None else found.splits[0] if len(found.splits) == 1 else None
    if found.kind != "nano" or wanted is None or not list(path.glob(f"{CANDIDATES}/{wanted}*.parquet")):
        return None
    return GivenCandidates(path, wanted, CANDIDATES)


def rerank_forced(index: Index, queries: Queries, qrels: Qrels, depth: int) -> tuple[Run, Told]:
    """The run of a reranker whose candidates hold every positive that fits, and what it tells.

    Args:
        index: of a reranker. queries, qrels: whose positives are put in.
        depth: hits a query.

    How many documents were put in is told as `forced_positives`; the run's name says it.
    """
    assert isinstance(index, RerankingIndex)
    found, first = index.candidates(queries)
    positives = {query_id: qrels.positives(query_id) for query_id in queries.ids.to_pylist()}
    candidates = force_positives(found, positives, depth=index.depth)
    run, told = index.rerank(candidates.run, queries)
    cut = {**told.truncated, **{f"{what} (first stage)": share for what, share in first.truncated.items()}}
    settings = {**told.settings, FORCED_POSITIVES: candidates.forced_count}
    return run.cut(depth).named(f"{run.system}{FORCED}"), Told(settings, cut, told.encoded + first.encoded)
