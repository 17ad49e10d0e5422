"""Some rows of a table, written as they stand: every column, in the table's own format and spelling."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.formats.delimited import LONGEST_FIELD
from pyrite.formats.opening import AGAIN, open_bytes
from pyrite.formats.parquet import open_parquet
from pyrite.formats.tables import DELIMITERS, TableFormat

_GROUP_BYTES = 64 << 20
_BATCH = 4096
Parts = Sequence[tuple[Path, NDArray[np.bool_]]]
"""The files of one table in order, each with whether a row is kept, one value a row that a reader gives."""


def write_kept(out: Path, parts: Parts, *, kind: TableFormat) -> int:
    r"""Write the kept rows of a table into one file, and give their number.

    Lines of JSONL, CSV and TSV are the input's, byte for byte; Parquet keeps schema, metadata and types. A table of
    which nothing is kept is an empty file with its columns. One row group or one line is in memory at a time.

    Args:
        out: the file; packed where its name ends in .gz.
        parts: the input. kind: its format, and the output's.

    DataError where a file has changed since its rows were counted, or files of one table have different columns.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows, kept = Path(folder, "rows.csv"), Path(folder, "kept.csv")
    ...     _ = rows.write_text('id,text\n001,"a, b"\n2,c\n')
    ...     write_kept(kept, [(rows, np.array([True, False]))], kind="csv"), kept.read_text()
    (1, 'id,text\n001,"a, b"\n')
    """
    if kind == "parquet":
        _write_parquet(out, parts)
    else:
        header: list[list[str]] = []
        with _opened(out) as file:
            for path, keep in parts:
                lines = _jsonl(path) if kind == "jsonl" else _delimited(path, DELIMITERS[kind], file, header)
                _copy(lines, keep, file, path)
    return sum(int(keep.sum()) for _, keep in parts)


@contextmanager
def _opened(out: Path) -> Iterator[IO[bytes]]:
    with out.open("wb") as raw:
        if out.suffix != ".gz":
            yield raw
        else:
            # Without a name and a time in it, the same rows are the same bytes.
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                yield cast(IO[bytes], packed)


def _copy(lines: Iterator[bytes], keep: NDArray[np.bool_], file: IO[bytes], path: Path) -> None:
    count = 0
    for count, line in enumerate(lines, start=1):
        if count > len(keep):
            break
        if keep[count - 1]:
            # A last line without an end gets one: another file may follow.
            file.write(line if line.endswith(b"\n") else line + b"\n")
    if count != len(keep):
        raise DataError(f"has other rows than the {len(keep):,} that were read", where=str(path), fix="run it again")


def _jsonl(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        yield from (line for line in stream if not line.isspace())


def _delimited(path: Path, delimiter: str, file: IO[bytes], header: list[list[str]]) -> Iterator[bytes]:
    """Rows as they are spelled, quoted line ends and all; the first file's header goes to the output."""
    csv.field_size_limit(LONGEST_FIELD)
    spelled: list[str] = []

    def lines(text: io.TextIOWrapper) -> Iterator[str]:
        for line in text:
            spelled.append(line)
            yield line

    with open_bytes(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        begun = False
        for row in csv.reader(lines(text), delimiter=delimiter, strict=True):
            raw = "".join(spelled).encode()
            spelled.clear()
            if not row:
                continue
            if begun:
                yield raw
            elif not header:
                header.append(row)
                file.write(raw if raw.endswith(b"\n") else raw + b"\n")
            elif row != header[0]:
                fix = "make them alike, or treat them one by one"
                raise DataError("has other columns than the file before it", where=str(path), fix=fix)
            begun = True


def _write_parquet(out: Path, parts: Parts) -> None:
    with open_parquet(parts[0][0]) as file:
        schema = file.schema_arrow
    with pq.ParquetWriter(out, schema, compression="zstd", compression_level=3) as writer:
        held: list[pa.RecordBatch] = []
        for path, keep in parts:
            with open_parquet(path) as file:
                if not file.schema_arrow.equals(schema):
                    where = f"has other columns or types than {parts[0][0].name}"
                    raise DataError(where, where=str(path), fix="make them alike, or treat them one by one")
                if file.metadata.num_rows != len(keep):
                    raise DataError("has other rows than those that were read", where=str(path), fix="run it again")
                for batch in _kept_batches(file, keep, path):
                    held.append(batch)
                    if sum(one.nbytes for one in held) >= _GROUP_BYTES:
                        writer.write_table(pa.Table.from_batches(held, schema))
                        held.clear()
        if held:
            writer.write_table(pa.Table.from_batches(held, schema))


def _kept_batches(file: pq.ParquetFile, keep: NDArray[np.bool_], path: Path) -> Iterator[pa.RecordBatch]:
    start = 0
    try:
        for batch in file.iter_batches(_BATCH):
            rows = keep[start : start + len(batch)]
            start += len(batch)
            if rows.all():
                yield batch
            elif rows.any():
                # Not filter(): it is not there for every nested type.
                yield batch.take(pa.array(np.flatnonzero(rows)))
    except (pa.ArrowException, OSError) as error:
        raise DataError("is not a whole Parquet file", where=str(path), fix=AGAIN) from error
