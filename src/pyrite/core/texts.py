"""Text columns: how they are held inside."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def strings(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """A text column as chunked large_string, copied only where its type differs."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    return chunked if chunked.type == pa.large_string() else chunked.cast(pa.large_string())


def taken(column: pa.ChunkedArray | pa.Array, rows: NDArray[np.integer]) -> pa.ChunkedArray | pa.Array:
    """The values at these rows, in this order; nothing else of the column is copied.

    Arrow's own `take` puts the chunks of a text column together first, all of it.

    >>> taken(pa.chunked_array([["a", "b"], ["c"]]), np.array([2, 0, 2])).to_pylist()
    ['c', 'a', 'c']
    """
    if not isinstance(column, pa.ChunkedArray) or column.num_chunks <= 1 or not len(rows):
        return column.take(pa.array(rows))
    ends = np.cumsum([len(chunk) for chunk in column.chunks])
    chunk_of = np.searchsorted(ends, rows, side="right")
    parts, places = [], []
    for number in np.unique(chunk_of).tolist():
        mine = np.flatnonzero(chunk_of == number)
        chunk = column.chunk(number)
        parts.append(chunk.take(pa.array(rows[mine] - (ends[number] - len(chunk)))))
        places.append(mine)
    order = np.argsort(np.concatenate(places))
    return pa.chunked_array([pa.concat_arrays(parts).take(pa.array(order))])


def rows_of(wanted: pa.Array | pa.ChunkedArray, ids: pa.ChunkedArray | Iterable[pa.Array]) -> NDArray[np.int64]:
    """For each wanted id its row among `ids`, which are distinct; int64, -1 for one that is not there.

    Memory grows with what is wanted, not with the ids that it is looked up in.

    >>> rows_of(pa.array(["d2", "d9", "d2"]), pa.chunked_array([["d0", "d1"], ["d2"]])).tolist()
    [2, -1, 2]
    """
    encoded = strings(wanted).combine_chunks().dictionary_encode()
    rows = np.full(len(encoded.dictionary), -1, dtype=np.int64)
    start = 0
    for chunk in ids.chunks if isinstance(ids, pa.ChunkedArray) else ids:
        found = pc.index_in(chunk.cast(pa.large_string()), value_set=encoded.dictionary)
        there = np.flatnonzero(found.is_valid().to_numpy(zero_copy_only=False))
        rows[found.drop_null().to_numpy()] = start + there
        start += len(chunk)
    places = encoded.indices.fill_null(-1).to_numpy() if encoded.null_count else encoded.indices.to_numpy()
    # The last place is that of a missing id.
    return np.asarray(np.append(rows, -1)[places], dtype=np.int64)
