"""Text columns in a file that is mapped, not read: they cost the pages that are touched, whoever opens it."""

from __future__ import annotations

import contextlib
import mmap
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa

TEXT = pa.large_string()


def write_mapped(path: Path, names: Iterable[str], batches: Iterable[pa.Table | pa.RecordBatch]) -> int:
    """Write text columns as an uncompressed Arrow IPC file of one record batch; how many rows there are.

    One batch, so that rows anywhere in it are taken without a copy of it: Arrow puts a column of several together
    first. The rows come in a stream and are never all in memory; the same rows are the same bytes.

    Args:
        path: of the file. names: the columns.
        batches: the rows in order, of any string type, no value missing.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "pool.arrow")
    ...     rows = write_mapped(path, ["_id", "text"], [pa.table({"_id": ["d0"], "text": ["Gold."]})])
    ...     rows, read_mapped(path).to_pylist()
    (1, [{'_id': 'd0', 'text': 'Gold.'}])
    """
    with contextlib.ExitStack() as stack:
        columns = {}
        for name in names:
            ends = stack.enter_context(tempfile.TemporaryFile(dir=path.parent))
            data = stack.enter_context(tempfile.TemporaryFile(dir=path.parent))
            columns[name] = _Column(ends, data)
        for batch in batches:
            for name, column in columns.items():
                column.add(batch.column(name))
        whole = pa.record_batch([column.array() for column in columns.values()], names=list(columns))
        with pa.ipc.new_file(path, whole.schema) as file:
            file.write_batch(whole)
        return int(whole.num_rows)


def read_mapped(path: Path) -> pa.Table:
    """The columns that `write_mapped` wrote, large_string, one chunk each, on the file's own pages."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


class _Column:
    """A text column on its way to the disk: where each text ends, and the bytes of all, in files without a name."""

    def __init__(self, ends: IO[bytes], data: IO[bytes]) -> None:
        self._ends, self._bytes = ends, data
        self._ends.write(bytes(8))
        self._rows = self._length = 0

    def add(self, texts: pa.Array | pa.ChunkedArray) -> None:
        for chunk in texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]:
            if not len(chunk):
                continue
            if chunk.null_count:
                raise ValueError("a text of a mapped file is missing")
            held = chunk.cast(TEXT)
            _, offsets, data = held.buffers()
            ends = np.frombuffer(offsets, np.int64)[held.offset : held.offset + len(held) + 1]
            self._ends.write((ends[1:] + (self._length - ends[0])).tobytes())
            if data is not None:
                self._bytes.write(memoryview(data)[int(ends[0]) : int(ends[-1])])
            self._length += int(ends[-1] - ends[0])
            self._rows += len(held)

    def array(self) -> pa.LargeStringArray:
        buffers = [None, *(self._mapped(file) for file in (self._ends, self._bytes))]
        return pa.LargeStringArray.from_buffers(self._rows, buffers[1], buffers[2], null_count=0)

    def _mapped(self, file: IO[bytes]) -> pa.Buffer:
        file.flush()
        # An empty file cannot be mapped.
        return pa.py_buffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.tell() else b"")
