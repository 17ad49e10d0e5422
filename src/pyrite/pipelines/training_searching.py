"""What the retrievers of a mining recipe find in the pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry, Pool, Queries, Retriever, Run
from pyrite.engine import Engine, Shard, digest_of
from pyrite.formats import read_run
from pyrite.mining import KnownPositives, Ranked, ranked_in_pool, unite
from pyrite.pipelines.training_pool import BuiltPool
from pyrite.pipelines.training_stages import RETRIEVE, Retrieval
from pyrite.pipelines.training_systems import settings_of
from pyrite.retrieval import GivenRun


def retrieve_pool(
    built: BuiltPool, retrievers: Sequence[Retriever], depths: Sequence[int], engine: Engine
) -> tuple[Pool, tuple[LedgerEntry, ...]]:
    """The candidates of every distinct query, nothing scored yet, and the account of each retriever's hits."""
    found = [
        _given(built, retriever, depth)
        if isinstance(retriever, GivenRun)
        else _searched(built, retriever, depth, engine)
        for retriever, depth in zip(retrievers, depths, strict=True)
    ]
    placed = built.placed
    pairs = np.stack([placed.numbers[placed.pairs.query], placed.pair_positions])
    return unite(built.queries, built.corpus, found, pairs), tuple(one.entry for one in found)


def _searched(built: BuiltPool, retriever: Retriever, depth: int, engine: Engine) -> Ranked:
    texts, model = [built.corpus_file.digest, built.queries_file.digest], [retriever.name, settings_of(retriever)]
    key = digest_of(*texts, *model)
    job = Retrieval(built.corpus_file.path, built.queries_file.path, retriever)
    shard = Shard(retriever.name, key, job, {"texts": texts, "model": model})
    (done,) = engine.run(RETRIEVE, [shard], {"depth": depth})
    run = read_run(done.path)
    return ranked_in_pool(
        run,
        query_rows=built.queries.positions(run.query_ids),
        documents=built.corpus.positions(run.doc_ids),
        depth=depth,
        name=str(done.facts["system"]),
    )


def _given(built: BuiltPool, retriever: GivenRun, depth: int) -> Ranked:
    """A run file may be over more than the pool; what is outside is dropped, and the ranks stay the file's."""
    run = read_run(retriever.path)
    return ranked_in_pool(
        run,
        query_rows=query_rows(run, built.placed),
        documents=built.corpus.positions(run.doc_ids),
        depth=depth,
        name=retriever.name,
    )


def query_rows(run: Run, placed: KnownPositives) -> NDArray[np.int64]:
    """For each query of a run the distinct query that it is, -1 for none; of several with one text the first counts."""
    queries: Queries = placed.known.queries
    rows = queries.positions(run.query_ids)
    numbers = np.where(rows >= 0, placed.numbers[rows], -1).astype(np.int64)
    useful = np.flatnonzero((rows >= 0) & (np.diff(run.offsets) > 0))
    order = useful[np.lexsort((rows[useful], numbers[useful]))]
    first = order[np.unique(numbers[order], return_index=True)[1]]
    chosen = np.full(len(rows), -1, dtype=np.int64)
    chosen[first] = numbers[first]
    return chosen
