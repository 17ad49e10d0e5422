"""Rows of a store as what searches take: dense vectors, sparse rows, token vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.retrieval.neural.store import Store
from pyrite.retrieval.search import SparseRows, TokenVectors


def dense_column(rows: NDArray[np.floating]) -> pa.Array:
    """Vectors (texts, dimensions) as a column."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(rows).ravel()), rows.shape[1])


def sparse_columns(rows: SparseRows) -> list[pa.Array]:
    """Sparse rows as two columns, terms and weights."""
    bounds = pa.array(rows.bounds.astype(np.int64))
    return [
        pa.LargeListArray.from_arrays(bounds, pa.array(rows.terms)),
        pa.LargeListArray.from_arrays(bounds, pa.array(rows.weights)),
    ]


def token_column(texts: Sequence[NDArray[np.floating]], dims: int) -> pa.Array:
    """Token vectors, one array (tokens, dimensions) a text, as a column."""
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(text) for text in texts])])
    flat = np.concatenate(texts) if len(texts) else np.zeros((0, dims), np.float32)
    return pa.LargeListArray.from_arrays(pa.array(bounds), dense_column(flat))


class StoredVectors:
    """Dense vectors of a store, one a text, in the texts' order: `Vectors` for an exact search.

    Args:
        store: with a column `vector`.
        rows: the row of each text.
    """

    def __init__(self, store: Store, rows: NDArray[np.int64]) -> None:
        self._matrices = [_matrix(shard.column("vector")) for shard in store.shards]
        self._shard, self._place = store.places(rows)

    @property
    def dims(self) -> int:
        """How many numbers a vector has; 0 where there is none."""
        return int(self._matrices[0].shape[1]) if self._matrices else 0

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._shard)

    def rows(self, start: int, stop: int) -> NDArray[np.floating]:
        """The vectors of texts [start, stop)."""
        return self._gathered(self._shard[start:stop], self._place[start:stop])

    def take(self, positions: NDArray[np.int32]) -> NDArray[np.floating]:
        """The vectors of the texts at these positions."""
        return self._gathered(self._shard[positions], self._place[positions])

    def _gathered(self, shard: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.floating]:
        kind = self._matrices[0].dtype if self._matrices else np.float16
        gathered = np.empty((len(shard), self.dims), kind)
        for number in np.unique(shard).tolist():
            own = shard == number
            gathered[own] = self._matrices[number][place[own]]
        return gathered


def stored_sparse(store: Store, rows: NDArray[np.int64]) -> SparseRows:
    """The sparse rows of texts, in their order; the store has columns `terms` and `weights`."""
    shard, place = store.places(rows)
    order = np.argsort(shard, kind="stable")
    cuts = np.searchsorted(shard[order], np.arange(len(store.shards) + 1))
    parts = []
    for held, (start, stop) in zip(store.shards, pairwise(cuts.tolist()), strict=True):
        bounds = held.column("terms").offsets.to_numpy().astype(np.int64)
        whole = SparseRows(
            bounds, held.column("terms").values.to_numpy(), held.column("weights").values.to_numpy().astype(np.float32)
        )
        parts.append(whole.take(place[order[start:stop]]))
    back = np.empty(len(rows), np.int64)
    back[order] = np.arange(len(rows))
    return SparseRows.joined(parts).take(back)


def tokens_of(shard: pa.RecordBatch, first: int = 0) -> TokenVectors:
    """The token vectors of a shard, which has a column `tokens`."""
    column = shard.column("tokens")
    return TokenVectors(_matrix(column.values), column.offsets.to_numpy().astype(np.int64), first)


def taken_tokens(tokens: TokenVectors, places: NDArray[np.int64], first: int) -> TokenVectors:
    """The texts at these places."""
    counts = np.diff(tokens.bounds)[places]
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    at = np.arange(bounds[-1]) + np.repeat(tokens.bounds[places] - bounds[:-1], counts)
    return TokenVectors(tokens.tokens[at], bounds, first)


def stored_tokens(store: Store, rows: NDArray[np.int64], *, texts: int = 256) -> Iterator[TokenVectors]:
    """The token vectors of texts, in their order, some texts at a time."""
    for start in range(0, len(rows), texts):
        shard, place = store.places(rows[start : start + texts])
        cuts = [0, *(np.flatnonzero(np.diff(shard)) + 1).tolist(), len(shard)]
        for begin, end in pairwise(cuts):
            held = tokens_of(store.shards[int(shard[begin])])
            yield taken_tokens(held, place[begin:end], start + begin)


def _matrix(column: pa.FixedSizeListArray) -> NDArray[np.floating]:
    flat: NDArray[np.floating] = column.flatten().to_numpy(zero_copy_only=True)
    return flat.reshape(len(column), column.type.list_size)
