"""Text columns: how they are held inside."""

from __future__ import annotations

import pyarrow as pa


def strings(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """A text column as chunked large_string, copied only where its type differs."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    return chunked if chunked.type == pa.large_string() else chunked.cast(pa.large_string())
