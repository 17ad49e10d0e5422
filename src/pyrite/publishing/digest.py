"""A digest of what tables say, whatever way their files are written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.publishing.parts import batches, data_tables, read_schema

Beside = Callable[[str, pa.RecordBatch], None]
"""What is given the name of each table and each of its batches, in order."""


def content_digest(folder: Path, *, beside: Beside | None = None) -> str:
    """The digest (32 hex characters) of every value of a dataset's tables, in order.

    It covers the names of tables and columns, the kind of each column and each value; the compression, the row
    groups, the number of files a table is cut into and the width of a string type make no difference, and neither
    do provenance, results, the card and the recipe. Two folders with one digest hold the same dataset.

    `beside` is given every batch too, in a thread of its own: one reading for whatever else is to be known.
    """
    with ThreadPoolExecutor(2) as threads:
        return _of(
            {name: _table_digest(folder, name, files, (threads, beside)) for name, files in data_tables(folder).items()}
        )


def _table_digest(
    folder: Path, table: str, files: Sequence[str], apart: tuple[ThreadPoolExecutor, Beside | None]
) -> str:
    threads, beside = apart
    schema = read_schema(folder, files[0])
    columns = {field.name: _Column(field.type) for field in schema}

    def digest(batch: pa.RecordBatch) -> None:
        for name, array in zip(batch.schema.names, batch.columns, strict=True):
            columns[name].add(array)

    # A batch is read while the one before it is looked at.
    running: list[Future[None]] = []
    for batch in batches(folder, files, schema.names):
        _finish(running)
        running = [threads.submit(digest, batch)]
        if beside is not None:
            running.append(threads.submit(beside, table, batch))
    _finish(running)
    return _of([[name, column.hexdigest()] for name, column in columns.items()])


def _finish(running: Sequence[Future[None]]) -> None:
    for one in running:
        one.result()


def _of(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        return _kind(kind.value_type)
    if pa.types.is_large_string(kind):
        return "string"
    if _is_list(kind):
        return f"list<{_kind(kind.value_type)}>"
    return str(kind)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


class _Column:
    """The running digest of one column.

    Validity, lengths and bytes go to a hash of their own each, so that the borders of batches leave no trace.
    """

    def __init__(self, kind: pa.DataType) -> None:
        self.kind = _kind(kind)
        self.hashes = {name: hashlib.blake2b(digest_size=16) for name in ("valid", "lengths", "bytes")}
        self.child = _Column(kind.value_type) if _is_list(kind) else None

    def add(self, array: pa.Array) -> None:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        self._hash("valid", np.uint8, pc.is_valid(array))
        if self.kind == "string":
            self._add_bytes(array.cast(pa.large_string()).cast(pa.large_binary()))
        elif self.child is not None:
            self._hash("lengths", np.int64, pc.fill_null(pc.list_value_length(array), 0))
            self.child.add(array.flatten())
        elif pa.types.is_primitive(array.type) and not pa.types.is_temporal(array.type):
            filled = array.fill_null(False if pa.types.is_boolean(array.type) else 0)
            values = np.ascontiguousarray(filled.to_numpy(zero_copy_only=False))
            self.hashes["bytes"].update(values.astype(values.dtype.newbyteorder("<")).tobytes())
        else:
            # No table of ours has such a column; one that a person added is covered all the same.
            self._add_bytes(pa.array([repr(value).encode() for value in array.to_pylist()], pa.large_binary()))

    def _add_bytes(self, array: pa.LargeBinaryArray) -> None:
        filled = array.fill_null(b"") if array.null_count else array
        self._hash("lengths", np.int64, pc.binary_length(filled))
        _, offsets, data = filled.buffers()
        if len(filled) and data is not None:
            bounds = np.frombuffer(offsets, np.int64, count=len(filled) + 1, offset=8 * filled.offset)
            self.hashes["bytes"].update(memoryview(data)[int(bounds[0]) : int(bounds[-1])])

    def _hash(self, name: str, width: type[np.integer[Any]], numbers: pa.Array) -> None:
        values = numbers.to_numpy(zero_copy_only=False)
        self.hashes[name].update(np.ascontiguousarray(values, dtype=width).tobytes())

    def hexdigest(self) -> str:
        made = {name: running.hexdigest() for name, running in self.hashes.items()}
        return _of([self.kind, made, self.child.hexdigest() if self.child else None])
