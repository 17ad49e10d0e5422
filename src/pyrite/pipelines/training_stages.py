"""What one shard does in a mining build; each function is a pure function of its input, run by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import TEMPLATE, Corpus, Queries, Retriever, Scorer, TextPairs, join_title
from pyrite.engine import Stage
from pyrite.formats import CORPUS, ParquetWriter, write_run
from pyrite.mining import checked_logits
from pyrite.preparation import blank, digests, priorities

TEXT = pa.large_string()
SCANNED = pa.schema([("id", TEXT), ("digest", pa.binary(16)), ("priority", pa.uint64()), ("text", TEXT)])
"""What is kept of a corpus: positives, and rows that may be sampled; a row without text has no digest."""

LOGITS = pa.schema([("logit", pa.float32())])


class Readable(Protocol):
    """A part of a corpus, wherever it is: batches of id, text and perhaps title."""

    def read(self) -> Iterator[pa.RecordBatch]:
        """The batches in row order."""
        ...


def scan(data: tuple[Readable, Path], params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Read one shard of the corpus once, and keep the rows that the pool may need.

    `data` is the shard, and a table of the ids of all positives. Params: `seed`, and `threshold`, the greatest priority
    that may be sampled (None: any).
    """
    shard, wanted_path = data
    wanted = _wanted(wanted_path)
    rows = filled = 0
    with ParquetWriter(out, SCANNED, level=1) as writer:
        for batch in shard.read():
            texts = _contents(batch)
            empty = blank(texts)
            keys = digests(batch.column("id"))
            numbers = priorities(keys, params["seed"])
            # A match of half a digest by accident keeps a row that nobody asks for.
            keep = np.isin(keys[:, 0], wanted)
            keep |= ~empty & (params["threshold"] is None or numbers <= np.uint64(params["threshold"]))
            kept = np.flatnonzero(keep)
            part = texts.take(pa.array(kept))
            digest = [row.tobytes() for row in digests(part)]
            writer.write(
                pa.table(
                    {
                        "id": batch.column("id").take(pa.array(kept)),
                        "digest": pa.array(digest, pa.binary(16), mask=empty[kept]),
                        "priority": numbers[kept],
                        "text": part,
                    },
                    schema=SCANNED,
                )
            )
            rows += len(batch)
            filled += int((~empty).sum())
    return {"rows": rows, "filled": filled}


@lru_cache(maxsize=1)
def _wanted(path: Path) -> NDArray[np.uint64]:
    ids = pq.read_table(path, columns=["_id"]).column(0).combine_chunks()
    return np.unique(digests(ids)[:, 0])


def _contents(batch: pa.RecordBatch) -> pa.Array:
    """What a system reads of each document; a missing text is an empty one."""
    texts = pc.fill_null(batch.column("text").cast(TEXT), "")
    if "title" not in batch.schema.names or batch.column("title").null_count == len(batch):
        return texts
    titles = batch.column("title").to_pylist()
    joined = [join_title(title, text, TEMPLATE) for title, text in zip(titles, texts.to_pylist(), strict=True)]
    return pa.array(joined, TEXT)


@dataclass(frozen=True, eq=False)
class PoolPieces:
    """The documents of a pool, in the scanned shards that hold them.

    Attributes:
        paths: the scanned shards.
        file, row: one a document, in pool order: which shard, and which row of it.
        positives: how many documents stand before the sample, which is in corpus order.
    """

    paths: tuple[Path, ...]
    file: NDArray[np.int32]
    row: NDArray[np.int64]
    positives: int


def assemble_pool(pieces: PoolPieces, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Write the pool: the positives in their order, then the sample, a shard at a time."""
    head, tail = slice(0, pieces.positives), slice(pieces.positives, None)
    with ParquetWriter(out, CORPUS) as writer:
        taken = [pa.table({"_id": pa.array([], TEXT), "text": pa.array([], TEXT)})]
        places = [np.empty(0, np.int64)]
        for number, path in enumerate(pieces.paths):
            own = np.flatnonzero(pieces.file[head] == number)
            taken.append(_rows(path, pieces.row[head][own]))
            places.append(own)
        order = np.argsort(np.concatenate(places), kind="stable")
        writer.write(pa.concat_tables(taken).take(pa.array(order)))
        for number, path in enumerate(pieces.paths):
            writer.write(_rows(path, pieces.row[tail][pieces.file[tail] == number]))
    return {"documents": len(pieces.row)}


def _rows(path: Path, rows: NDArray[np.int64]) -> pa.Table:
    if not len(rows):
        return pa.table({"_id": pa.array([], TEXT), "text": pa.array([], TEXT)})
    table = pq.read_table(path, columns=["id", "text"]).take(pa.array(rows))
    return pa.table({"_id": table["id"].cast(TEXT), "text": table["text"].cast(TEXT)})


@dataclass(frozen=True)
class Retrieval:
    """One retriever that searches the pool."""

    pool: Path
    queries: Path
    retriever: Retriever


def retrieve(job: Retrieval, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """The run of one retriever over the pool, params: `depth`."""
    run = job.retriever.index(read_pool_corpus(job.pool)).search(read_pool_queries(job.queries), params["depth"])
    write_run(out, run)
    return {"system": run.system}


@dataclass(frozen=True, eq=False)
class Scoring:
    """A block of pairs and who scores them.

    Attributes:
        pool, queries: where the texts are. scorer: the teacher.
        query, documents: int32, one a pair, into the two.
    """

    pool: Path
    queries: Path
    scorer: Scorer
    query: NDArray[np.int32]
    documents: NDArray[np.int32]


def score_block(block: Scoring, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """The teacher's logits of one block, one a pair, in its order; no logit that is not a finite number."""
    pairs = TextPairs(read_pool_queries(block.queries), read_pool_corpus(block.pool), block.query, block.documents)
    logits = checked_logits(block.scorer.score(pairs), pairs, teacher=block.scorer.name)
    with ParquetWriter(out, LOGITS) as writer:
        writer.write(pa.table({"logit": logits}, schema=LOGITS))
    return {"pairs": len(logits)}


@lru_cache(maxsize=1)
def read_pool_corpus(path: Path) -> Corpus:
    """The documents of a pool that a stage wrote; kept in memory for the next block."""
    table = pq.read_table(path)
    return Corpus(table["_id"], table["text"])


@lru_cache(maxsize=1)
def read_pool_queries(path: Path) -> Queries:
    """The distinct queries that a stage wrote; kept in memory for the next block."""
    table = pq.read_table(path)
    return Queries(table["_id"], table["text"])


SCAN = Stage("mining-scan", 1, scan)
POOL = Stage("mining-pool", 1, assemble_pool)
RETRIEVE = Stage("mining-retrieve", 1, retrieve, model=True)
SCORE = Stage("mining-score", 1, score_block, model=True)
