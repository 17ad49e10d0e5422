"""Parquet: read in bounded batches; written with fixed settings, so that the same rows are the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.formats.batches import BATCH_BYTES, BATCH_ROWS
from pyrite.formats.columns import Column, Origin, choose_columns
from pyrite.formats.conversion import converted
from pyrite.formats.opening import AGAIN, unreadable

GROUP_BYTES = 32 << 20
GROUP_ROWS = 100_000
_BROKEN = "is not a whole Parquet file"


def open_parquet(path: Path) -> pq.ParquetFile:
    """The open file; DataError where it is cut short or no Parquet at all."""
    try:
        # A buffer, so that a column of a large row group is read in pieces.
        return pq.ParquetFile(path if isinstance(path, Path) else path.open("rb"), buffer_size=1 << 20)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            raise unreadable(error, path) from error
        raise DataError(_BROKEN, where=str(path), fix=AGAIN) from error


def group_batches(file: pq.ParquetFile, rows: int, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of an open file in order, `rows` at most at a time, no batch over two row groups.

    One reader over all row groups would keep what it has read of each until the end of the file.
    """
    for group in range(file.num_row_groups):
        yield from file.iter_batches(rows, row_groups=[group], columns=None if columns is None else list(columns))


def parquet_batches(
    path: Path, columns: Sequence[Column], *, groups: tuple[int, int] | None = None
) -> Iterator[pa.RecordBatch]:
    """Batches of the wanted columns under our names, of about 16 MB, in row order.

    Args:
        path: the file.
        columns: what is wanted; see `Column` for the types that come out.
        groups: only the row groups [first, last); default: all.

    Rows in errors count from 0 in the file. DataError for a missing column, a value that is not fit (file, row and
    value are named), invalid UTF-8, or a file that is cut short.
    """
    with open_parquet(path) as file:
        chosen = choose_columns(columns, file.schema_arrow.names, str(path))
        first, last = groups or (0, file.num_row_groups)
        row = sum(file.metadata.row_group(group).num_rows for group in range(first))
        told = {theirs for column, theirs in chosen if column.told}
        for batch in _raw_batches(file, path, [theirs for _, theirs in chosen], range(first, last)):
            arrays = []
            for column, theirs in chosen:
                origin = Origin(str(path), theirs, partial(_row, path, row), told)
                arrays.append(converted(batch.column(theirs), column, origin))
            yield pa.record_batch(arrays, names=[column.name for column, _ in chosen])
            row += len(batch)


def _row(path: Path, first: int, index: int) -> str:
    return f"{path}, row {first + index}"


def _raw_batches(file: pq.ParquetFile, path: Path, names: Sequence[str], groups: range) -> Iterator[pa.RecordBatch]:
    for group in groups:
        told = file.metadata.row_group(group)
        bytes_a_row = told.total_byte_size // max(told.num_rows, 1)
        size = min(max(BATCH_BYTES // max(bytes_a_row, 1), 1), BATCH_ROWS)
        try:
            yield from file.iter_batches(size, row_groups=[group], columns=list(dict.fromkeys(names)))
        except (pa.ArrowException, OSError) as error:
            raise DataError(_BROKEN, where=f"{path}, row group {group}", fix=AGAIN) from error


class ParquetWriter:
    """A Parquet file that depends on its rows alone, however they arrive: zstd level 3, row groups of about 32 MB.

    A context manager; the file is removed when its block raises. Large string types are written as plain ones, and
    schema metadata is left out. Level 1 is for files that are read once more and never published: half the time to
    write, an eighth more bytes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "queries.parquet")
    ...     with ParquetWriter(path, pa.schema([("_id", pa.string())])) as writer:
    ...         writer.write(pa.table({"_id": ["q0"]}))
    ...     pq.read_table(path).to_pylist()
    [{'_id': 'q0'}]
    """

    def __init__(self, path: Path, schema: pa.Schema, *, level: int = 3) -> None:
        self._path, self.schema = path, plain(schema)
        self._writer = pq.ParquetWriter(
            path, self.schema, compression="zstd", compression_level=level, store_schema=False
        )
        self._cutter = Cutter(GROUP_BYTES, GROUP_ROWS)
        self._held: list[pa.Table] = []

    def write(self, rows: pa.Table | pa.RecordBatch) -> None:
        """Add rows; columns are taken by name."""
        table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
        for piece, full in self._cutter.pieces(table.select(self.schema.names)):
            self._held.append(piece)
            if full:
                self._flush()

    def _flush(self) -> None:
        if self._held:
            # One chunk a row group: Arrow starts a new page at every chunk.
            group = pa.concat_tables(self._held).cast(self.schema).combine_chunks()
            self._writer.write_table(group, row_group_size=max(len(group), 1))
            self._held.clear()

    def close(self) -> None:
        """Write what is held and finish the file."""
        self._flush()
        self._writer.close()

    def discard(self) -> None:
        """Give up: the file is removed."""
        try:
            self._writer.close()
        finally:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def write_parquet(path: Path, table: pa.Table) -> None:
    """Write a table with the fixed settings of `ParquetWriter`."""
    with ParquetWriter(path, table.schema) as writer:
        writer.write(table)


def plain(schema: pa.Schema) -> pa.Schema:
    """The schema as it is published: string for large_string, list for large_list, no metadata.

    >>> plain(pa.schema([("a", pa.large_string()), ("b", pa.large_list(pa.large_string()))]))
    a: string
    b: list<item: string>
      child 0, item: string
    """
    return pa.schema([(field.name, _plain_type(field.type)) for field in schema])


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    return kind


class Cutter:
    """Cuts a stream of tables where its size reaches a limit: after the same row, however the stream is batched."""

    def __init__(self, max_bytes: int, max_rows: int | None = None) -> None:
        self._max_bytes, self._max_rows = max_bytes, max_rows
        self._bytes = self._rows = 0

    def pieces(self, table: pa.Table) -> Iterator[tuple[pa.Table, bool]]:
        """Parts of the table in order, each with whether it fills a unit."""
        ends = np.cumsum(row_bytes(table))
        start = 0
        while start < len(table):
            before = int(ends[start - 1]) if start else 0
            stop = int(np.searchsorted(ends, before + self._max_bytes - self._bytes)) + 1
            if self._max_rows is not None:
                stop = min(stop, start + self._max_rows - self._rows)
            full = stop <= len(table)
            stop = min(stop, len(table))
            yield table.slice(start, stop - start), full
            self._bytes = 0 if full else self._bytes + int(ends[stop - 1]) - before
            self._rows = 0 if full else self._rows + stop - start
            start = stop


def row_bytes(table: pa.Table) -> NDArray[np.int64]:
    """The size of every row's values, int64: bytes of UTF-8 for text, 8 for a number."""
    total = np.zeros(len(table), dtype=np.int64)
    for column in table.columns:
        if len(column):
            total += np.concatenate([_value_bytes(chunk) for chunk in column.chunks])
    return total


def _value_bytes(values: pa.Array) -> NDArray[np.int64]:
    kind = values.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lengths = np.asarray(pc.fill_null(pc.list_value_length(values), 0), dtype=np.int64)
        ends = np.concatenate([[0], np.cumsum(_value_bytes(values.flatten()))])
        stops = np.cumsum(lengths)
        return np.asarray(ends[stops] - ends[stops - lengths], dtype=np.int64)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return np.asarray(pc.fill_null(pc.binary_length(values), 0), dtype=np.int64)
    return np.full(len(values), 8, dtype=np.int64)
