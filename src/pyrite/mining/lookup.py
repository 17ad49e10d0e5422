"""Where a query has a document, and which of its documents are known: one walk over the rows of a pool."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _find(offsets: Any, documents: Any, query: Any, wanted: Any, rows: Any) -> None:
    for pair in range(len(query)):
        rows[pair] = -1
        for row in range(offsets[query[pair]], offsets[query[pair] + 1]):
            if documents[row] == wanted[pair]:
                rows[pair] = row
                break


def find_rows(
    offsets: NDArray[np.int64],
    documents: NDArray[np.int32],
    *,
    query: NDArray[np.integer],
    wanted: NDArray[np.integer],
) -> NDArray[np.int64]:
    """The row of each (query, document), int64, -1 where the query has no such row.

    Args:
        offsets: int64: query i has the rows [offsets[i], offsets[i + 1]).
        documents: int32, one a row.
        query, wanted: the pairs to find.

    >>> find_rows(np.array([0, 2]), np.array([7, 5]), query=np.array([0, 0]), wanted=np.array([5, 9])).tolist()
    [1, -1]
    """
    rows = np.empty(len(query), dtype=np.int64)
    _find(offsets, documents, np.asarray(query, dtype=np.int64), np.asarray(wanted, dtype=np.int64), rows)
    return rows


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _mark(offsets: Any, documents: Any, classes: Any, starts: Any, known: Any, marks: Any) -> None:
    for query in range(len(offsets) - 1):
        for row in range(offsets[query], offsets[query + 1]):
            document = documents[row]
            mark = 0
            for place in range(starts[query], starts[query + 1]):
                if known[place] == document:
                    mark = 1
                    break
                if classes[known[place]] == classes[document]:
                    mark = 2
            marks[row] = mark


def mark_known(
    offsets: NDArray[np.int64],
    documents: NDArray[np.int32],
    *,
    known: NDArray[np.int32],
    classes: NDArray[np.int64],
) -> NDArray[np.int8]:
    """For each row 1 where it is a known document of its query, 2 where it is of the class of one, else 0.

    Args:
        offsets, documents: as for `find_rows`.
        known: int32, shape (2, n): query and document.
        classes: int64, one a document.

    >>> rows, known = np.array([0, 1, 2], np.int32), np.array([[0], [1]], np.int32)
    >>> mark_known(np.array([0, 3]), rows, known=known, classes=np.array([8, 9, 9])).tolist()
    [0, 1, 2]
    """
    order = np.argsort(known[0], kind="stable")
    starts = np.searchsorted(known[0][order], np.arange(len(offsets))).astype(np.int64)
    marks = np.zeros(len(documents), dtype=np.int8)
    _mark(offsets, documents, classes, starts, known[1][order].astype(np.int64), marks)
    return marks
