"""One table in one or several files, of any format that is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

import pyarrow as pa

from pyrite.core import DataError
from pyrite.formats.columns import TEXT, Column
from pyrite.formats.delimited import delimited_batches, first_row
from pyrite.formats.jsonl import jsonl_batches, jsonl_integers, jsonl_names
from pyrite.formats.opening import open_bytes
from pyrite.formats.parquet import open_parquet, parquet_batches

TableFormat = Literal["parquet", "jsonl", "csv", "tsv"]
DELIMITERS = {"csv": ",", "tsv": "\t"}
_ENDINGS: dict[str, TableFormat] = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
}


def format_of(name: str) -> TableFormat | None:
    """What a file's name says it is, or None.

    >>> format_of("corpus.jsonl.gz"), format_of("data/train-00000-of-00001.parquet"), format_of("README.md")
    ('jsonl', 'parquet', None)
    """
    packed = name.endswith(".gz")
    found = _ENDINGS.get(Path(name.removesuffix(".gz")).suffix)
    return None if packed and found == "parquet" else found


def column_names(path: Path, kind: TableFormat) -> list[str]:
    """The names of a file's columns, in its order; DataError where the file is cut short or not of its kind."""
    if kind == "parquet":
        with open_parquet(path) as file:
            return list(file.schema_arrow.names)
    if kind == "jsonl":
        _refuse_array(path)
        return jsonl_names(path)
    return first_row(path, DELIMITERS[kind])


def integer_columns(path: Path, kind: TableFormat) -> set[str]:
    """The columns in which a file has integers: by the schema of Parquet, by the first thousand lines of JSONL."""
    if kind == "parquet":
        with open_parquet(path) as file:
            return {field.name for field in file.schema_arrow if _of_integers(field.type)}
    return jsonl_integers(path) if kind == "jsonl" else set()


def _of_integers(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or (hasattr(kind, "value_type") and pa.types.is_integer(kind.value_type)))


def _refuse_array(path: Path) -> None:
    with open_bytes(path) as stream:
        if stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            raise DataError("is one JSON array, not JSON lines", where=str(path), fix="write one object a line")


def batches(path: Path, columns: Sequence[Column], *, kind: TableFormat | None = None) -> Iterator[pa.RecordBatch]:
    """Batches of the wanted columns, whatever the file's format; see `parquet_batches` and its siblings for errors."""
    kind = kind or format_of(path.name)
    if kind is None:
        raise DataError(
            "is of no format that is read", where=str(path), fix=f"the formats are {', '.join(get_args(TableFormat))}"
        )
    if kind == "parquet":
        return parquet_batches(path, columns)
    if kind == "jsonl":
        _refuse_array(path)
        return jsonl_batches(path, columns)
    return delimited_batches(path, columns, delimiter=DELIMITERS[kind])


def read_table(paths: Sequence[Path], columns: Sequence[Column], *, kind: TableFormat | None = None) -> pa.Table:
    """The rows of all these files under our names; an optional column that some lack is null there."""
    types = {"integer": pa.int64(), "number": pa.float64()}
    found = [batch for path in paths for batch in batches(path, columns, kind=kind)]
    there = {name for batch in found for name in batch.schema.names}
    arrays, names = [], []
    for column in columns:
        type_ = types.get(column.kind, TEXT)
        if column.optional and column.name not in there:
            continue
        chunks = [
            batch.column(column.name) if column.name in batch.schema.names else pa.nulls(len(batch), type_)
            for batch in found
        ]
        arrays.append(pa.chunked_array(chunks, chunks[0].type if chunks else type_))
        names.append(column.name)
    return pa.table(arrays, names=names)
