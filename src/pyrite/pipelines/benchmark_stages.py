"""What one shard does in a benchmark build; each function is a pure function of its input, run by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.engine import Stage
from pyrite.formats import CORPUS, LEAKS, ParquetWriter, group_batches, write_parquet
from pyrite.preparation import Identical, blank, digests, priorities, signed_parts, write_signatures
from pyrite.sources import TableShard

TEXT = pa.large_string()
SCANNED = pa.schema([("query", TEXT), ("digest", pa.binary(16)), ("bytes", pa.int64()), ("passage", TEXT)])

LISTED = 1 << 16
"""Rows of a training table that the leak list is made of at a time."""


def scan(shard: TableShard, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Read one shard of a raw table once: a digest for each passage, and the texts that the corpus may need.

    Params: `identical`; `threshold` (None: keep every passage's first text in this shard, 0: none, else those whose
    priority is at or below it) with `seed`. A row whose passage is blank has a null digest.
    """
    identical: Identical = params["identical"]
    seen: set[bytes] = set()
    rows = 0
    with ParquetWriter(out, SCANNED, level=1) as writer:
        for batch in shard.read():
            passages = batch.column("passage")
            empty = blank(passages)
            numbers = digests(passages, identical)
            keep = ~empty & _wanted(numbers, params["threshold"], params["seed"])
            keys = [row.tobytes() for row in numbers]
            for row in np.flatnonzero(keep).tolist():
                keep[row] = keys[row] not in seen
                seen.add(keys[row])
            questions = batch.column("query") if "query" in batch.schema.names else pa.nulls(len(batch), TEXT)
            writer.write(
                pa.table(
                    {
                        "query": questions,
                        "digest": pa.array(keys, pa.binary(16), mask=empty),
                        "bytes": pc.fill_null(pc.binary_length(passages), 0).cast(pa.int64()),
                        "passage": pc.if_else(pa.array(keep), passages, pa.scalar(None, TEXT)),
                    },
                    schema=SCANNED,
                )
            )
            rows += len(batch)
    return {"rows": rows}


def _wanted(numbers: NDArray[np.uint64], threshold: int | None, seed: int) -> NDArray[np.bool_]:
    if threshold is None:
        return np.ones(len(numbers), dtype=np.bool_)
    if threshold == 0:
        return np.zeros(len(numbers), dtype=np.bool_)
    return priorities(numbers, seed) <= np.uint64(threshold)


def sign(scanned: Path, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Write the signatures of a scanned shard's passages, row by row; a row without a text costs nothing.

    Params: `near`, the threshold, and `seed`.
    """
    with pq.ParquetFile(scanned) as file:
        parts = (
            part
            for batch in group_batches(file, 4096, ["passage"])
            for part in signed_parts(batch.column(0), threshold=params["near"], seed=params["seed"])
        )
        return {"rows": write_signatures(out, parts)}


@dataclass(frozen=True)
class Piece:
    """Documents of the corpus that come from one scanned shard.

    Attributes:
        path: the scanned shard.
        rows: int32, its rows to take, ascending.
        places: aligned: where in the corpus each one goes, int64, or in the file that is written, int32, from 0.
        prefix: of the documents' ids. The rest of each is its row, `by_row`, or else its place, and `more` than that.
    """

    path: Path
    rows: NDArray[np.int32]
    places: NDArray[np.integer]
    prefix: str
    more: int
    by_row: bool = False

    def numbers(self, low: int = 0, high: int | None = None) -> NDArray[np.int64]:
        """What follows the prefix in each id."""
        told = self.rows if self.by_row else self.places
        return told[low:high].astype(np.int64) + self.more


def assemble_corpus(pieces: list[Piece], params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Write one corpus file; where the pieces are in its order, one batch of text is in memory at a time."""
    documents = sum(len(piece.rows) for piece in pieces)
    in_order = np.array_equal(np.concatenate([piece.places for piece in pieces]), np.arange(documents))
    with ParquetWriter(out, CORPUS) as writer:
        tables = (table for piece in pieces for table in _taken(piece))
        if in_order:
            for table in tables:
                writer.write(table)
        else:
            # A file holds no more than the recipe's shard_bytes of text.
            whole = pa.concat_tables(tables)
            order = np.argsort(np.concatenate([piece.places for piece in pieces]), kind="stable")
            writer.write(whole.take(pa.array(order)))
    return {"documents": documents}


def _taken(piece: Piece) -> Iterator[pa.Table]:
    start = 0
    with pq.ParquetFile(piece.path, buffer_size=1 << 20) as file:
        for batch in group_batches(file, 4096, ["passage"]):
            low, high = np.searchsorted(piece.rows, [start, start + len(batch)])
            if high > low:
                texts = batch.column(0).take(pa.array(piece.rows[low:high] - start))
                ids = [f"{piece.prefix}{number}" for number in piece.numbers(low, high).tolist()]
                yield pa.table({"_id": pa.array(ids, pa.string()), "text": texts.cast(pa.string())})
            start += len(batch)


@dataclass(frozen=True, eq=False)
class Leaks:
    """What became of the training rows.

    Attributes:
        places: int32, one a row: the corpus position of its passage, gold first; -1 for one that is not in it. int64
            where there are too many.
        near: bool, one a row: whether it is a near-duplicate of the passage there.
        golden: how many documents are gold.
    """

    places: NDArray[np.integer]
    near: NDArray[np.bool_]
    golden: int


def list_leaks(leaks: Leaks, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """One row a leaking training row: train_row (from 0), corpus-id, reason ("gold", "distractor" or "near")."""
    with ParquetWriter(out, LEAKS) as writer:
        for start in range(0, len(leaks.places), LISTED):
            rows = start + np.flatnonzero(leaks.places[start : start + LISTED] >= 0)
            places, gold = leaks.places[rows], leaks.golden
            ids = [f"p{place}" if place < gold else f"d{place - gold}" for place in places.tolist()]
            reasons = np.where(leaks.near[rows], "near", np.where(places < gold, "gold", "distractor")).tolist()
            writer.write(pa.table({"train_row": rows, "corpus-id": ids, "reason": reasons}, schema=LEAKS))
    return {"rows": int((leaks.places >= 0).sum())}


def write_table(table: pa.Table, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Write a small table that a global step has made."""
    write_parquet(out, table)
    return {"rows": table.num_rows}


SCAN = Stage("scan", 1, scan)
SIGN = Stage("sign", 1, sign, ".signatures")
CORPUS_STAGE = Stage("corpus", 1, assemble_corpus)
TABLE_STAGE = Stage("table", 1, write_table)
LEAKS_STAGE = Stage("leaks", 1, list_leaks)
