"""What one table holds: rows, columns, lengths of its texts, and a few of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.core import DataError
from pyrite.formats import (
    DELIMITERS,
    Column,
    TableFormat,
    column_names,
    delimited_batches,
    format_of,
    jsonl_batches,
    table_name,
)
from pyrite.publishing.parts import batches, read_schema
from pyrite.publishing.statistics import TextMeter, TextStatistics

SHOWN_ROWS = 3
HEAD_ROWS = 200
SHOWN_CHARACTERS = 100


@dataclass(frozen=True)
class TableFacts:
    """One table, in one file or several.

    Attributes:
        name: its path without ending and number ("corpus/corpus"). files: relative paths.
        rows: how many. columns: name -> type.
        lengths: text column -> its words and characters; columns of ids have none.
        head: the first rows, whole; the first few of them are shown.
    """

    name: str
    files: tuple[str, ...]
    rows: int
    columns: Mapping[str, str]
    lengths: Mapping[str, TextStatistics]
    head: tuple[Mapping[str, Any], ...]

    @property
    def sample(self) -> tuple[Mapping[str, Any], ...]:
        """The rows that are shown."""
        return self.head[:SHOWN_ROWS]

    def lines(self) -> list[str]:
        """For a terminal: one line a fact, long values cut."""
        told = ", ".join(f"{name} ({kind})" for name, kind in self.columns.items())
        files = f" in {len(self.files)} files" if len(self.files) > 1 else ""
        out = [f"{self.name}: {self.rows:,} rows{files}; {told}"]
        for name, lengths in self.lengths.items():
            for unit in ("words", "characters"):
                one = getattr(lengths, unit)
                out.append(
                    f"  {name}, {unit}: mean {one.mean:,.1f}, 5% {one.p5:,}, median {one.median:,}, "
                    f"95% {one.p95:,}, longest {one.longest:,}"
                )
        out += ["  " + ", ".join(f"{name}={_cut(value)}" for name, value in row.items()) for row in self.sample]
        return out

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        told = asdict(self)
        del told["head"]
        return told | {"sample": [dict(row) for row in self.sample]}


def _cut(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def table_facts(folder: Path, files: Sequence[str]) -> TableFacts:
    """What a table in a folder holds, read once in a stream; JSON lines and delimited tables tell their text columns.

    Raises:
        DataError: a file is broken, or of no format that is read.
    """
    kind = format_of(files[0])
    if kind is None:
        raise DataError("is of no format that is read", where=files[0], fix="name a Parquet, JSONL, CSV or TSV file")
    if kind == "parquet":
        columns = {field.name: str(field.type) for field in read_schema(folder, files[0])}
        stream = batches(folder, files)
    else:
        names = _text_columns(folder / files[0], kind)
        columns = dict.fromkeys(names, "string")
        stream = chain.from_iterable(_text_batches(folder / file, names, kind) for file in files)
    texts = [name for name, told in columns.items() if told.endswith("string") and not name.lower().endswith("id")]
    meters = {name: TextMeter() for name in texts}
    rows = 0
    head: list[Mapping[str, Any]] = []
    for batch in stream:
        rows += len(batch)
        if len(head) < HEAD_ROWS:
            head += batch.slice(0, HEAD_ROWS - len(head)).to_pylist()
        for name, meter in meters.items():
            meter.add(batch.column(name))
    return TableFacts(
        name=table_name(files[0]),
        files=tuple(files),
        rows=rows,
        columns=columns,
        lengths={name: meter.statistics() for name, meter in meters.items()},
        head=tuple(head),
    )


def _text_columns(path: Path, kind: TableFormat) -> list[str]:
    """The columns that hold text; JSON lines may have objects, lists and numbers beside them."""
    found = []
    for name in column_names(path, kind):
        try:
            next(_text_batches(path, [name], kind), None)
        except DataError:
            continue
        found.append(name)
    return found


def _text_batches(path: Path, names: Sequence[str], kind: TableFormat) -> Iterator[pa.RecordBatch]:
    columns = [Column(name, (name,), optional=True, told=True, single=True) for name in names]
    if kind == "jsonl":
        return jsonl_batches(path, columns)
    return delimited_batches(path, columns, delimiter=DELIMITERS[kind])
