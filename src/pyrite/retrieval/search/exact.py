"""Exact search over dense vectors: products by blocks, the best kept, and true scores for those that remain.

A true score is the inner product of the float32 query and the stored vector, added up in float64 in a fixed order and
rounded to float32: the same bits on every machine, by any number of threads and by any kind of product. Equal vectors
have equal scores.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.retrieval.search.best import Best, Hits, Rescore
from pyrite.retrieval.search.compiled import compiled
from pyrite.retrieval.search.products import product_of

BLOCK = 2048
"""Documents in one product: their scores stay in the processor's cache."""
DEVICE_BLOCK = 8192
BUFFERS = 256 << 20
"""Memory for the buffers of the queries that are searched together."""


class Vectors(Protocol):
    """Vectors by position, wherever they lie."""

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        ...

    def __len__(self) -> int:
        """How many vectors there are."""
        ...

    def rows(self, start: int, stop: int) -> NDArray[np.floating]:
        """The vectors [start, stop) as a writable array of its own, float16 or float32."""
        ...

    def take(self, positions: NDArray[np.int32]) -> NDArray[np.floating]:
        """The vectors at these positions."""
        ...


class ArrayVectors:
    """Vectors of an array or a memory-mapped file, (documents, dimensions), float16 or float32."""

    def __init__(self, array: NDArray[np.floating]) -> None:
        if array.ndim != 2 or array.dtype not in (np.float16, np.float32):
            raise DataError(
                f"the vectors are {array.dtype} of shape {array.shape}",
                fix="give float16 or float32 of shape (documents, dimensions)",
            )
        self._array = array

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return int(self._array.shape[1])

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self._array)

    def rows(self, start: int, stop: int) -> NDArray[np.floating]:
        """The vectors [start, stop)."""
        return np.array(self._array[start:stop])

    def take(self, positions: NDArray[np.int32]) -> NDArray[np.floating]:
        """The vectors at these positions."""
        taken: NDArray[np.floating] = np.asarray(self._array)[positions]
        return taken


_HALVES = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
"""Every float16 by its bits."""


def inner_products(query: NDArray[np.float32], rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """The inner product of a query with each row, added up in float64 in four lanes, then rounded to float32.

    >>> inner_products(np.array([1, 2, 3], np.float32), np.array([[1, 1, 1], [0, 0, 2]], np.float16)).tolist()
    [6.0, 6.0]
    """
    products = np.empty(len(rows), np.float32)
    if rows.dtype == np.float16:
        _half_products(query, rows.view(np.uint16), _HALVES, products)
    else:
        _products(query, np.asarray(rows, np.float32), products)
    return products


@compiled
def _products(query: Any, rows: Any, products: Any) -> None:
    dims = len(query)
    whole = dims - dims % 4
    for row in range(len(rows)):
        first = second = third = fourth = 0.0
        for at in range(0, whole, 4):
            first += np.float64(query[at]) * np.float64(rows[row, at])
            second += np.float64(query[at + 1]) * np.float64(rows[row, at + 1])
            third += np.float64(query[at + 2]) * np.float64(rows[row, at + 2])
            fourth += np.float64(query[at + 3]) * np.float64(rows[row, at + 3])
        for at in range(whole, dims):
            first += np.float64(query[at]) * np.float64(rows[row, at])
        products[row] = (first + second) + (third + fourth)


@compiled
def _half_products(query: Any, rows: Any, halves: Any, products: Any) -> None:
    """The same bits as `_products` of the rows in float32."""
    dims = len(query)
    whole = dims - dims % 4
    for row in range(len(rows)):
        first = second = third = fourth = 0.0
        for at in range(0, whole, 4):
            first += np.float64(query[at]) * halves[rows[row, at]]
            second += np.float64(query[at + 1]) * halves[rows[row, at + 1]]
            third += np.float64(query[at + 2]) * halves[rows[row, at + 2]]
            fourth += np.float64(query[at + 3]) * halves[rows[row, at + 3]]
        for at in range(whole, dims):
            first += np.float64(query[at]) * halves[rows[row, at]]
        products[row] = (first + second) + (third + fourth)


def exact_search(
    queries: NDArray[np.float32],
    vectors: Vectors,
    depth: int,
    *,
    device: str = "cpu",
    brain: bool | None = None,
    threads: int | None = None,
) -> Hits:
    """The best `depth` vectors of each query by inner product, then by position; fewer where there are fewer.

    Args:
        queries: float32 (queries, dimensions).
        vectors: finite numbers; one that is not is an error of whoever made them.
        depth: hits a query.
        device: where the products are made.
        brain: whether products are made in bfloat16 first; None: where that is faster. It does not change the hits.
        threads: None: all cores.

    Memory does not grow with the number of vectors; queries are taken in parts that fit.

    >>> pyrites = ArrayVectors(np.array([[1, 0], [0.6, 0.8], [0, 1], [0.6, 0.8]], np.float16))
    >>> hits = exact_search(np.array([[0, 1]], np.float32), pyrites, 3)
    >>> hits.positions.tolist(), [round(score, 2) for score in hits.scores[0].tolist()]
    ([[2, 1, 3]], [1.0, 0.8, 0.8])
    """
    if queries.ndim != 2 or queries.shape[1] != vectors.dims:
        raise DataError(f"queries of shape {queries.shape} cannot be compared with {vectors.dims}-dimensional vectors")
    block = BLOCK if device == "cpu" else DEVICE_BLOCK
    together = max(64, BUFFERS // Best.bytes_a_query(depth, block))
    parts = []
    for first in range(0, max(len(queries), 1), together):
        part = np.ascontiguousarray(queries[first : first + together], dtype=np.float32)
        best = Best(len(part), depth, block, rescore=_rescore(part, vectors), threads=threads)
        if len(part):
            product = product_of(part, device=device, brain=brain)
            for start in range(0, len(vectors), block):
                product.feed(vectors.rows(start, min(start + block, len(vectors))), start, best)
        parts.append(best.finish())
    return Hits.stacked(parts)


def _rescore(queries: NDArray[np.float32], vectors: Vectors) -> Rescore:
    def rescore(query: int, positions: NDArray[np.int32]) -> NDArray[np.float32]:
        return inner_products(queries[query], vectors.take(positions))

    return rescore
