"""What one shard does in a mining build; each function is a pure function of its input, run by the engine."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import TEMPLATE, Corpus, DataError, Queries, Retriever, Scorer, TextPairs, join_title
from pyrite.engine import Stage
from pyrite.formats import DataWarning, ParquetWriter, group_batches, read_mapped, write_mapped, write_run
from pyrite.mining import checked_logits, refuse_squashed
from pyrite.preparation import blank, digests, priorities

TEXT = pa.large_string()
SCANNED = pa.schema([("id", TEXT), ("digest", pa.binary(16)), ("priority", pa.uint64()), ("text", TEXT)])
"""What is kept of a corpus: positives, and rows that may be sampled; a row without text has no digest."""

POOL_COLUMNS = ["_id", "text"]

BATCH = 4096
"""Documents that are in memory at a time where a pool is put together."""

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
    """Write the pool: the positives in their order, then the sample, which is in the order of the shards."""
    head, tail = slice(0, pieces.positives), slice(pieces.positives, None)
    order = np.lexsort((pieces.row[head], pieces.file[head]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    # The positives are met in the order of the shards, and put into their own from there.
    met = out.with_name(f"{out.name}-positives")
    try:
        write_mapped(met, POOL_COLUMNS, _rows(pieces.paths, pieces.file[head][order], pieces.row[head][order]))
        positives = read_mapped(met)
        inorder = (positives.take(pa.array(place[start : start + BATCH])) for start in range(0, len(place), BATCH))
        sample = _rows(pieces.paths, pieces.file[tail], pieces.row[tail])
        return {"documents": write_mapped(out, POOL_COLUMNS, chain(inorder, sample))}
    finally:
        met.unlink(missing_ok=True)


def _rows(paths: Sequence[Path], file: NDArray[np.int32], row: NDArray[np.int64]) -> Iterator[pa.Table]:
    """These rows of the scanned shards, which ascend by shard and row, in parts."""
    cuts = np.searchsorted(file, np.arange(len(paths) + 1))
    for path, first, last in zip(paths, cuts[:-1], cuts[1:], strict=True):
        wanted = row[first:last]
        if not len(wanted):
            continue
        start = 0
        with pq.ParquetFile(path, buffer_size=1 << 20) as shard:
            for batch in group_batches(shard, BATCH, ["id", "text"]):
                low, high = np.searchsorted(wanted, [start, start + len(batch)])
                taken = pa.Table.from_batches([batch]).take(pa.array(wanted[low:high] - start))
                yield taken.rename_columns(POOL_COLUMNS)
                start += len(batch)


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
        told: whether logits that all lie within [-1, 1] are warned of, while most pairs are still to be scored.
    """

    pool: Path
    queries: Path
    scorer: Scorer
    query: NDArray[np.int32]
    documents: NDArray[np.int32]
    told: bool = False


def score_block(block: Scoring, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """The teacher's logits of one block, one a pair, in its order; no logit that is not a finite number."""
    pairs = TextPairs(read_pool_queries(block.queries), read_pool_corpus(block.pool), block.query, block.documents)
    logits = checked_logits(block.scorer.score(pairs), pairs, teacher=block.scorer.name)
    try:
        refuse_squashed(logits, allow=not block.told, teacher=block.scorer.name)
    except DataError as error:
        warnings.warn(
            f"{error} If the other pairs are like these, the build ends with this.", DataWarning, stacklevel=1
        )
    with ParquetWriter(out, LOGITS) as writer:
        writer.write(pa.table({"logit": logits}, schema=LOGITS))
    return {"pairs": len(logits)}


@lru_cache(maxsize=1)
def read_pool_corpus(path: Path) -> Corpus:
    """The documents of a pool that a stage wrote, on the file's own pages: the processes of a machine share them."""
    table = read_mapped(path)
    # The build has looked at the ids before, and looking here would take memory for each of them.
    return Corpus.whole(table["_id"], table["text"])


@lru_cache(maxsize=1)
def read_pool_queries(path: Path) -> Queries:
    """The distinct queries that a stage wrote; kept in memory for the next block."""
    table = pq.read_table(path)
    return Queries(table["_id"], table["text"])


SCAN = Stage("mining-scan", 1, scan)
POOL = Stage("mining-pool", 2, assemble_pool, ".arrow")
RETRIEVE = Stage("mining-retrieve", 1, retrieve, model=True)
SCORE = Stage("mining-score", 1, score_block, model=True)
