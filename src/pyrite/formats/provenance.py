"""Where each mined row comes from, and everything that a selection needs to be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Pairs, Pool, taken
from pyrite.formats.parquet import ParquetWriter

PROVENANCE = pa.schema(
    [
        ("row", pa.int64()),
        ("query-id", pa.string()),
        ("positive-id", pa.string()),
        ("negative-ids", pa.list_(pa.string())),
        ("retrievers", pa.list_(pa.string())),
        ("ranks", pa.list_(pa.int64())),
        ("scores", pa.list_(pa.float64())),
        ("logits", pa.list_(pa.float32())),
        ("chosen", pa.list_(pa.string())),
        ("verdict", pa.string()),
        ("quality_score", pa.float64()),
        ("filtered_row", pa.int64()),
    ]
)
"""One row an n-tuple, in their order; the lists are aligned with the negatives.

`filtered_row` is the row of n-tuples-filtered, null where the filter left the row out, as is `quality_score` then.
"""

SCORES = pa.schema(
    [
        ("query-id", pa.string()),
        ("corpus-id", pa.string()),
        ("retriever", pa.string()),
        ("rank", pa.int64()),
        ("score", pa.float64()),
        ("logit", pa.float32()),
    ]
)
"""Every scored pair; retriever, rank and score are null for a positive that no retriever found."""

TEXTS = pa.schema([("role", pa.string()), ("id", pa.string()), ("text", pa.string())])
"""Every text that the other tables name: queries, then documents in pool order, then other ids of positives."""

KNOWN = pa.schema([("query-id", pa.string()), ("corpus-id", pa.string()), ("row", pa.int64())])
"""Every known positive of the pool; `row` is its row of the config `pairs`, null for one that is none."""

ASKED = pa.schema([("query-id", pa.string()), ("candidates", pa.int64())])
"""How many candidates of each distinct query were found, scored or not."""

_ROWS = 8192


@dataclass(frozen=True, eq=False)
class Origins:
    """Where mined rows come from.

    Attributes:
        query_ids, positive_ids: one a row.
        offsets: int64: row i has the negatives [offsets[i], offsets[i + 1]).
        taken: int64, one a negative, into the rows of the pool. chosen: how each was chosen, in words.
        verdicts: what the filter says of each row, in words, or None for rows that it does not see.
        quality: float64, one a row. filtered_row: int64, one a row, -1 where the filter left it out.
    """

    query_ids: pa.ChunkedArray
    positive_ids: pa.ChunkedArray
    offsets: NDArray[np.int64]
    taken: NDArray[np.int64]
    chosen: pa.Array
    verdicts: pa.Array | None
    quality: NDArray[np.float64]
    filtered_row: NDArray[np.int64]


def write_provenance(path: Path, pool: Pool, origins: Origins) -> None:
    """Write where each row comes from, in the rows' order; see `PROVENANCE`."""
    count, rows = len(origins.query_ids), origins.taken
    kept = origins.filtered_row >= 0
    columns = {
        "row": pa.array(np.arange(count)),
        "query-id": origins.query_ids,
        "positive-id": origins.positive_ids,
        "negative-ids": _lists(taken(pool.corpus.ids, pool.documents[rows]), origins.offsets),
        "retrievers": _lists(_retrievers(pool, rows), origins.offsets),
        "ranks": _lists(pa.array(pool.rank[rows], pa.int64()), origins.offsets),
        "scores": _lists(pa.array(pool.score[rows]), origins.offsets),
        "logits": _lists(pa.array(pool.logit[rows]), origins.offsets),
        "chosen": _lists(origins.chosen, origins.offsets),
        "verdict": pa.nulls(count, pa.string()) if origins.verdicts is None else origins.verdicts,
        "quality_score": pa.array(origins.quality, mask=~kept),
        "filtered_row": pa.array(origins.filtered_row, mask=~kept),
    }
    _write(path, columns, PROVENANCE)


@dataclass(frozen=True, eq=False)
class PlacedPairs:
    """Known positives and where they are.

    Attributes:
        pairs: with their own ids, whatever their text is called in the pool.
        positions: int32, one a pair, into the pool's documents.
        rows: int64, one a pair: its row of the config `pairs`, -1 for one that is none.
    """

    pairs: Pairs
    positions: NDArray[np.int32]
    rows: NDArray[np.int64]


def write_pool(folder: Path, pool: Pool, known: PlacedPairs, *, found: NDArray[np.int64]) -> None:
    """Write scores.parquet, queries.parquet, pairs.parquet and texts.parquet: all that a selection starts from.

    Args:
        folder: it is there.
        pool: every scored pair, and nothing else.
        known: every known positive that is in the pool.
        found: int64, one a query: how many candidates the retrievers found, scored or not.
    """
    pairs = known.pairs
    listed = {
        "query-id": pairs.query_ids(),
        "corpus-id": pairs.doc_ids,
        "row": pa.array(known.rows, mask=known.rows < 0),
    }
    with ParquetWriter(folder / "scores.parquet", SCORES) as writer:
        for start in range(0, len(pool), _ROWS):
            writer.write(_scores(pool, np.arange(start, min(start + _ROWS, len(pool)))))
    _write(folder / "queries.parquet", {"query-id": pool.queries.ids, "candidates": pa.array(found)}, ASKED)
    _write(folder / "pairs.parquet", listed, KNOWN)
    _write_texts(folder / "texts.parquet", pool, known)


def _scores(pool: Pool, rows: NDArray[np.int64]) -> pa.Table:
    unfound = pool.rank[rows] == 0
    columns = [
        taken(pool.queries.ids, pool.query_of[rows]),
        taken(pool.corpus.ids, pool.documents[rows]),
        _retrievers(pool, rows),
        pa.array(pool.rank[rows], pa.int64(), mask=unfound),
        pa.array(pool.score[rows], mask=unfound),
        pa.array(pool.logit[rows]),
    ]
    return pa.table(columns, names=SCORES.names)


def _write_texts(path: Path, pool: Pool, known: PlacedPairs) -> None:
    told = np.zeros(len(pool.corpus), dtype=np.bool_)
    told[pool.documents] = True
    told[known.positions] = True
    rows = np.flatnonzero(told)
    _, first = np.unique(known.pairs.doc_ids.combine_chunks().dictionary_encode().indices.to_numpy(), return_index=True)
    other = first[pool.corpus.positions(taken(known.pairs.doc_ids, first)) != known.positions[first]]
    other = np.sort(other)
    queries, corpus, doc_ids = known.pairs.queries, pool.corpus, known.pairs.doc_ids
    everything = np.arange(len(queries))
    parts = [
        ("query", (queries.ids, everything), (queries.texts, everything)),
        ("document", (corpus.ids, rows), (corpus.texts, rows)),
        ("document", (doc_ids, other), (corpus.texts, known.positions[other])),
    ]
    with ParquetWriter(path, TEXTS) as writer:
        for role, (ids, named), (texts, held) in parts:
            for start in range(0, len(named), _ROWS):
                span = slice(start, start + _ROWS)
                columns = [taken(ids, named[span]), taken(texts, held[span])]
                writer.write(pa.table([pa.repeat(role, len(columns[0])), *columns], names=TEXTS.names))


def _retrievers(pool: Pool, rows: NDArray[np.int64]) -> pa.Array:
    codes = pool.retriever[rows]
    indices = pa.array(codes, pa.int16(), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(pool.retrievers, pa.string())).cast(pa.string())


def _lists(values: pa.Array | pa.ChunkedArray, offsets: NDArray[np.int64]) -> pa.Array:
    flat = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    return pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), flat)


def _write(path: Path, columns: Mapping[str, Any], schema: pa.Schema) -> None:
    with ParquetWriter(path, schema) as writer:
        writer.write(pa.table([columns[name] for name in schema.names], names=schema.names))
