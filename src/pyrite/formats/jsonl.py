"""JSON lines: one object a line, values kept as they are written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.core import DataError
from pyrite.formats.batches import batches_of_rows
from pyrite.formats.columns import Column, choose_columns
from pyrite.formats.opening import not_utf8, open_bytes

_BOM = b"\xef\xbb\xbf"
_LOOKED_AT = 1000


def jsonl_names(path: Path) -> list[str]:
    """The keys of the first thousand objects, in the order in which they occur."""
    return list(dict.fromkeys(name for row in _first_objects(path) for name in row))


def jsonl_integers(path: Path) -> set[str]:
    """The keys that have an integer, or a list of them, in the first thousand objects."""
    return {name for row in _first_objects(path) for name, value in row.items() if _is_integer(value)}


def _is_integer(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_integer(item) for item in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _first_objects(path: Path) -> Iterator[dict[str, Any]]:
    return (row for _, _, row in islice(_rows(path, 0, None), _LOOKED_AT))


def jsonl_batches(
    path: Path, columns: Sequence[Column], *, start: int = 0, stop: int | None = None
) -> Iterator[pa.RecordBatch]:
    r"""Batches of the wanted columns under our names, of about 16 MB, in line order; blank lines are passed over.

    Args:
        path: the file, .gz or not.
        columns: what is wanted; a key that an object lacks is null.
        start, stop: only the bytes [start, stop), which begin and end at a line.

    Lines in errors count from 1 in the file. DataError for a key that none of the first thousand objects has, a value
    that is not fit (file, line and value are named), a line that is no JSON object, or invalid UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "queries.jsonl")
    ...     _ = path.write_text('{"_id": "001", "text": "why?"}\n')
    ...     [batch.to_pylist() for batch in jsonl_batches(path, [Column("id", ("_id",), "id")])]
    [[{'id': '001'}]]
    """
    chosen = choose_columns(columns, jsonl_names(path), str(path))
    # An optional text may first occur after any number of lines.
    found = {column for column, _ in chosen}
    chosen += [(one, one.theirs[0]) for one in columns if one.kind == "text" and one not in found]
    keys = [theirs for _, theirs in chosen]
    rows = ((number, size, tuple(map(row.get, keys))) for number, size, row in _rows(path, start, stop))
    return batches_of_rows(rows, chosen, path, partial(_place, path, start))


def _rows(path: Path, start: int, stop: int | None) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(line, its bytes, object); the line counts from 0 at `start`."""
    with open_bytes(path) as stream:
        stream.seek(start)
        position = start
        for number, line in enumerate(stream):
            if stop is not None and position >= stop:
                return
            position += len(line)
            if start == 0 and number == 0:
                line = line.removeprefix(_BOM)
            if not line.isspace():
                yield number, len(line), _object(line, path, start, number)


def _object(line: bytes, path: Path, start: int, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise not_utf8(line, error, _place(path, start, number)) from error
    except (ValueError, RecursionError) as error:
        where = _place(path, start, number)
        raise DataError(f"is not JSON: {_excerpt(line)}", where=where, fix="write one object a line") from error
    if not isinstance(row, dict):
        where = _place(path, start, number)
        raise DataError(f"is not an object: {_excerpt(line)}", where=where, fix="write one object a line")
    return row


def _excerpt(line: bytes) -> str:
    text = line.decode().strip()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(path: Path, start: int, number: int) -> str:
    """Counts the lines before `start`, which is done only for an error."""
    before = 0
    with open_bytes(path) as stream:
        remaining = start
        while remaining and (block := stream.read(min(remaining, 1 << 20))):
            before += block.count(b"\n")
            remaining -= len(block)
    return f"{path}, line {before + number + 1}"
