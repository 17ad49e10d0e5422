"""Finished tables and corpus files, written through the engine so that a resume finds them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.engine import Engine, Shard, digest_of
from pyrite.pipelines.benchmark_stages import CORPUS_STAGE, TABLE_STAGE, Piece


def write_corpus(
    pieces: Iterable[Piece], sizes: NDArray[np.int64], engine: Engine, *, shard_bytes: int
) -> dict[str, Path]:
    """File name -> finished file, of at most `shard_bytes` of text each (one document at least).

    Args:
        pieces: the corpus, each document at its place.
        sizes: int64, the bytes of the text at each place.
    """
    parts = _cut(pieces, _starts(sizes, shard_bytes))
    names = (
        ["corpus.parquet"]
        if len(parts) == 1
        else [f"corpus-{number:05d}-of-{len(parts):05d}.parquet" for number in range(len(parts))]
    )
    shards = [Shard(name, _digest(part), part) for name, part in zip(names, parts, strict=True)]
    return {name: done.path for name, done in zip(names, engine.run(CORPUS_STAGE, shards, {}), strict=True)}


def write_tables(tables: Mapping[str, pa.Table], engine: Engine) -> dict[str, Path]:
    """Place in the folder -> finished file, for tables that a global step has made."""
    shards = [Shard(name, digest_of([name, _table_digest(table)]), table) for name, table in tables.items()]
    return {name: done.path for name, done in zip(tables, engine.run(TABLE_STAGE, shards, {}), strict=True)}


def _starts(sizes: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """The place at which each file begins; one at least."""
    ends, starts = np.cumsum(sizes), [0]
    while starts[-1] < len(sizes):
        start = starts[-1]
        before = int(ends[start] - sizes[start])
        # A first document is taken whatever its size, with the empty ones before it.
        first = int(np.searchsorted(ends, before, side="right")) + 1
        starts.append(max(int(np.searchsorted(ends, before + limit, side="right")), first))
    return np.array(starts[:-1] or [0])


def _cut(pieces: Iterable[Piece], starts: NDArray[np.int64]) -> list[list[Piece]]:
    """The pieces of each file, their places counted from the file's start."""
    parts: list[list[Piece]] = [[] for _ in starts]
    for piece in pieces:
        mine = np.searchsorted(starts, piece.places, side="right") - 1
        for part in np.unique(mine).tolist():
            take, start = mine == part, int(starts[part])
            places = (piece.places[take] - start).astype(np.int32)
            more = piece.more if piece.by_row else piece.more + start
            parts[part].append(replace(piece, rows=piece.rows[take], places=places, more=more))
    return parts


def _digest(pieces: Sequence[Piece]) -> str:
    """A scanned shard's file name is its content key, so the name stands for its texts."""
    return digest_of(
        [
            [piece.path.name, piece.prefix, *(_array_digest(a) for a in (piece.rows, piece.places, piece.numbers()))]
            for piece in pieces
        ]
    )


def _array_digest(array: NDArray[np.integer]) -> str:
    return hashlib.blake2b(array.astype(np.int64, copy=False).tobytes(), digest_size=16).hexdigest()


def _table_digest(table: pa.Table) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks())
    return hashlib.blake2b(sink.getvalue(), digest_size=16).hexdigest()
