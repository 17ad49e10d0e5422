"""What the retrievers of a mining recipe find in the pool."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry, Pool, Queries, Retriever, Run, rows_of, taken
from pyrite.engine import Done, Engine, Shard, Stage, digest_of
from pyrite.formats import read_run, write_run
from pyrite.mining import KnownPositives, Ranked, merged, ranked_in_pool, unite
from pyrite.pipelines.encoding import blocks, encoded_for
from pyrite.pipelines.training_encoding import pool_texts
from pyrite.pipelines.training_pool import BuiltPool
from pyrite.pipelines.training_stages import RETRIEVE, Retrieval, read_pool_corpus, read_pool_queries
from pyrite.pipelines.training_systems import settings_of
from pyrite.preparation import digests
from pyrite.retrieval import GivenRun, NeuralRetriever

PART = 32_768
"""Documents of a part at most, where a multi-vector retriever searches the pool in parts."""


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
    retriever, encoded = encoded_for(retriever, pool_texts(built), engine)
    if isinstance(retriever, NeuralRetriever) and retriever.family == "multi-vector":
        return _searched_in_parts(built, retriever, [texts[1], *model, *encoded], depth, engine)
    key = digest_of(*texts, *model, *encoded)
    job = Retrieval(built.corpus_file.path, built.queries_file.path, retriever)
    shard = Shard(retriever.name, key, job, {"texts": [*texts, *encoded], "model": model})
    (done,) = engine.run(RETRIEVE, [shard], {"depth": depth})
    run = read_run(done.path)
    return _ranked(built, run, built.corpus.positions(run.doc_ids), depth, str(done.facts["system"]))


def _ranked(built: BuiltPool, run: Run, documents: NDArray[np.integer], depth: int, name: str) -> Ranked:
    query_rows = built.queries.positions(run.query_ids)
    return ranked_in_pool(run, query_rows=query_rows, documents=documents, depth=depth, name=name)


@dataclass(frozen=True, eq=False)
class PoolPart:
    """Documents of the pool that a multi-vector retriever encodes, searches and drops.

    Attributes:
        pool, queries: where the texts are. retriever: with its queries encoded.
        rows: int64, which documents.
    """

    pool: Path
    queries: Path
    retriever: NeuralRetriever
    rows: NDArray[np.int64]


def search_part(part: PoolPart, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """The run of one retriever over a part of the pool, params: `depth`; says how many documents it cut, and where."""
    corpus, queries = read_pool_corpus(part.pool).take(part.rows), read_pool_queries(part.queries)
    with warnings.catch_warnings():
        # What is cut is told once, of the whole pool.
        warnings.filterwarnings("ignore", ".* cuts .* documents")
        run, told = part.retriever.index(corpus).search_and_tell(queries, params["depth"])
    write_run(out, run)
    return {"cut": told.truncated.get("documents", 0.0) * len(corpus), "limit": told.settings.get("max_length")}


SEARCH_PART = Stage("mining-search-part", 1, search_part, model=True)


def _searched_in_parts(
    built: BuiltPool, retriever: NeuralRetriever, asked: list[Any], depth: int, engine: Engine
) -> Ranked:
    """Token vectors of millions of documents are too many to keep: each worker drops its own, and keeps what it found.

    `asked`: what decides the run beside the documents.
    """
    corpus, shards = built.corpus, []
    for number, (rows, digest) in enumerate(blocks(corpus.texts, np.arange(len(corpus)), PART)):
        documents = [digest, digest_of(digests(taken(corpus.ids, rows).combine_chunks()).tobytes().hex())]
        job = PoolPart(built.corpus_file.path, built.queries_file.path, retriever, rows)
        parts = {"documents": documents, "queries and model": asked}
        shards.append(Shard(f"{retriever.name}, part {number}", digest_of(*documents, *asked), job, parts))
    done = engine.run(SEARCH_PART, shards, {"depth": depth})
    if cut := round(sum(one.facts["cut"] for one in done)):
        share, limit = cut / len(corpus), done[0].facts["limit"]
        warnings.warn(f"{retriever.name} cuts {share:.1%} of {len(corpus):,} documents at {limit} tokens", stacklevel=2)

    def ranked(rows: NDArray[np.int64], one: Done) -> Ranked:
        run = read_run(one.path)
        # Looked up in the part alone: the ids of the whole pool would be read again for each part.
        return _ranked(built, run, rows[rows_of(run.doc_ids, taken(corpus.ids, rows))], depth, retriever.name)

    return merged((ranked(shard.data.rows, one) for shard, one in zip(shards, done, strict=True)), depth)


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
