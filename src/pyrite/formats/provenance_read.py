"""What a mined folder says of its own making, read back: the pool, the known positives, every logit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Pairs, Pool, Queries
from pyrite.formats.parquet import open_parquet
from pyrite.formats.provenance import ASKED, KNOWN, SCORES, TEXTS, PlacedPairs
from pyrite.formats.rankings import coded


@dataclass(frozen=True, eq=False)
class StoredPool:
    """Everything that a selection starts from.

    Attributes:
        pool: every pair that was scored, with its logit.
        known: every known positive of the pool.
        found: int64, one a query of the pool: how many candidates there were, scored or not.
    """

    pool: Pool
    known: PlacedPairs
    found: NDArray[np.int64]


def read_pool(folder: Path) -> StoredPool:
    """What `write_pool` wrote into this folder; DataError where a table is missing, broken or names what is not there.

    The documents are those that the tables name, in pool order: not the whole pool that they were chosen from.
    """
    texts = _read(folder / "texts.parquet", TEXTS)
    asked, documents = (texts.filter(pc.equal(texts["role"], role)) for role in ("query", "document"))
    queries, distinct, query_of = _distinct_queries(asked)
    _, numbers = coded(documents["text"])
    _, first = np.unique(numbers, return_index=True)
    corpus = Corpus(documents["id"].take(pa.array(first)), documents["text"].take(pa.array(first)))
    places = _Places(str(folder), documents["id"], numbers)
    known = _read(folder / "pairs.parquet", KNOWN)
    pairs = Pairs(
        queries, _Places(str(folder), queries.ids, np.arange(len(queries)))(known["query-id"]), known["corpus-id"]
    )
    rows = np.asarray(pc.fill_null(known["row"], -1), dtype=np.int64)
    scores = _read(folder / "scores.parquet", SCORES)
    query = _Places(str(folder), queries.ids, query_of)(scores["query-id"])
    names, codes = _retrievers(scores["retriever"])
    pool = Pool(
        queries=distinct,
        corpus=corpus,
        retrievers=names,
        offsets=np.searchsorted(query, np.arange(len(distinct) + 1)).astype(np.int64),
        documents=places(scores["corpus-id"]),
        retriever=codes,
        rank=np.asarray(pc.fill_null(scores["rank"], 0), dtype=np.int32),
        score=np.asarray(pc.fill_null(scores["score"], float("nan")), dtype=np.float64),
        logit=np.asarray(scores["logit"], dtype=np.float32),
    )
    candidates = _read(folder / "queries.parquet", ASKED)
    if candidates["query-id"].to_pylist() != distinct.ids.to_pylist() or (np.diff(query) < 0).any():
        raise DataError("the tables do not agree on the queries", where=str(folder), fix="build the folder again")
    found = np.asarray(candidates["candidates"], dtype=np.int64)
    return StoredPool(pool, PlacedPairs(pairs, places(known["corpus-id"]), rows), found)


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    with open_parquet(path) as file:
        if missing := [name for name in schema.names if name not in file.schema_arrow.names]:
            raise DataError(f"there is no column '{missing[0]}'", where=str(path), fix="build the folder again")
        return file.read(columns=schema.names)


def _distinct_queries(asked: pa.Table) -> tuple[Queries, Queries, NDArray[np.int64]]:
    """All queries, those of distinct text, and the number of each one's text."""
    queries = Queries(asked["id"], asked["text"])
    _, numbers = coded(asked["text"])
    _, first = np.unique(numbers, return_index=True)
    return queries, queries.take(first), numbers


@dataclass(frozen=True, eq=False)
class _Places:
    """The places of ids; DataError for one that has none."""

    where: str
    ids: pa.ChunkedArray
    places: NDArray[np.int64]

    def __call__(self, wanted: pa.ChunkedArray) -> NDArray[np.int32]:
        rows = pc.index_in(wanted.cast(pa.large_string()), value_set=self.ids.cast(pa.large_string()).combine_chunks())
        if rows.null_count:
            lost = wanted[pc.index(rows.is_null(), True).as_py()].as_py()
            raise DataError(f"texts.parquet lacks '{lost}'", where=self.where, fix="build the folder again")
        return np.asarray(self.places[rows.to_numpy()], dtype=np.int32)


def _retrievers(column: pa.ChunkedArray) -> tuple[tuple[str, ...], NDArray[np.int16]]:
    names: Sequence[str] = pc.unique(column.drop_null()).to_pylist()
    codes = pc.index_in(column, value_set=pa.array(names, column.type))
    return tuple(names), np.asarray(pc.fill_null(codes, -1), dtype=np.int16)
