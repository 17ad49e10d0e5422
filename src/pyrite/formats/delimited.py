"""CSV and TSV: every value a string, quoted fields as RFC 4180 has them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

import pyarrow as pa

from pyrite.core import DataError
from pyrite.formats.batches import batches_of_rows
from pyrite.formats.columns import Column, choose_columns
from pyrite.formats.opening import not_utf8, open_bytes

LONGEST_FIELD = (1 << 31) - 1


def first_row(path: Path, delimiter: str) -> list[str]:
    """The first row that is not blank: a header, or not; [] for an empty file."""
    return next((row for _, row in _rows(path, delimiter)), [])


def delimited_batches(
    path: Path, columns: Sequence[Column], *, delimiter: str, names: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    r"""Batches of the wanted columns under our names, of about 16 MB, in row order; blank lines are passed over.

    Args:
        path: the file, .gz or not.
        columns: what is wanted.
        delimiter: "," or a tab.
        names: of the columns, where the file has no header.

    Nothing is guessed from a value: "001", "1e3", "no" and "" stay as they are. A field may be quoted, and then hold
    the delimiter, line ends and doubled quotes. Errors name the line on which a row begins, from 1. DataError for a
    missing column, a row of another length than the header, a quote that is not closed, or invalid UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.csv")
    ...     _ = path.write_text('id,text\n001,"a, b"\n')
    ...     [batch.to_pylist() for batch in delimited_batches(path, [Column("text", ("text",))], delimiter=",")]
    [[{'text': 'a, b'}]]
    """
    rows = _rows(path, delimiter)
    header = list(names) if names is not None else next((row for _, row in rows), [])
    chosen = choose_columns(columns, header, str(path))
    fields = _fields(rows, [header.index(theirs) for _, theirs in chosen], len(header), path)
    return batches_of_rows(fields, chosen, path, partial(_line, path))


def _fields(
    rows: Iterator[tuple[int, list[str]]], places: Sequence[int], width: int, path: Path
) -> Iterator[tuple[int, int, Sequence[str]]]:
    take = itemgetter(*places) if len(places) > 1 else lambda row: [row[place] for place in places]
    for line, row in rows:
        if len(row) != width:
            what = f"has {len(row)} fields where {width} are due"
            raise DataError(what, where=_line(path, line), fix="quote a field that holds the delimiter")
        yield line, sum(map(len, row)), take(row)


def _line(path: Path, line: int) -> str:
    return f"{path}, line {line}"


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(line on which the row begins, its fields)."""
    # The limit is the process's; passages are longer than its default of 131,072.
    csv.field_size_limit(LONGEST_FIELD)
    with open_bytes(path) as stream:
        # utf-8-sig: a byte order mark is not part of the first name.
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        begins = 1
        try:
            for row in reader:
                if row:
                    yield begins, row
                begins = reader.line_num + 1
        except csv.Error as error:
            fix = "close it, or double it inside a quoted field"
            raise DataError("a quote is out of place", where=_line(path, begins), fix=fix) from error
        except UnicodeDecodeError as error:
            raise _first_bad_line(path) from error


def _first_bad_line(path: Path) -> DataError:
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return not_utf8(line, error, _line(path, number))
    raise AssertionError("every line is UTF-8")
