"""Pieces of a table: as much as one worker reads at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pyrite.engine import digest_of
from pyrite.formats import (
    DELIMITERS,
    Column,
    TableFormat,
    delimited_batches,
    jsonl_batches,
    open_parquet,
    parquet_batches,
)

SHARD_BYTES = 64 << 20
_SAMPLE = 1 << 16
TEXT = pa.large_string()
_TYPES = {"integer": pa.int64(), "number": pa.float64()}


@dataclass(frozen=True)
class TableFile:
    """One file of a table.

    Attributes:
        path: where it is. label: what shards are called after, relative to the source.
        identity: what names its content for good (a hub commit and path), or None for a local file.
    """

    path: Path
    label: str
    identity: str | None = None


@dataclass(frozen=True)
class TableShard:
    """A part of one file; it travels to a worker as this description and is read there.

    Attributes:
        name: what errors and progress call it ("train.parquet, rows 0-49999").
        digest: changes whenever the file, the part or the columns do; it takes size, time of change and samples of the
            file, not all of its bytes.
        path, kind: the file and its format.
        columns: what is read, under which names.
        start, stop: row groups of Parquet, bytes of JSONL; None for a whole file.
    """

    name: str
    digest: str
    path: Path
    kind: TableFormat
    columns: tuple[Column, ...]
    start: int = 0
    stop: int | None = None

    def read(self) -> Iterator[pa.RecordBatch]:
        """Batches in row order: one column for each wanted name, in that order, nulls kept.

        Text is large_string, or large_list of it where the file holds lists; integers among texts are cast, with one
        DataWarning for a column. A column that may be lacking and is, is all null. DataError names file, row or line,
        column and value.
        """
        for batch in self._batches():
            there = set(batch.schema.names)
            yield pa.record_batch(
                [
                    batch.column(one.name) if one.name in there else pa.nulls(len(batch), _TYPES.get(one.kind, TEXT))
                    for one in self.columns
                ],
                names=[one.name for one in self.columns],
            )

    def _batches(self) -> Iterator[pa.RecordBatch]:
        if self.kind == "parquet":
            groups = None if self.stop is None else (self.start, self.stop)
            return parquet_batches(self.path, self.columns, groups=groups)
        if self.kind == "jsonl":
            return jsonl_batches(self.path, self.columns, start=self.start, stop=self.stop)
        return delimited_batches(self.path, self.columns, delimiter=DELIMITERS[self.kind])


def shards_of(
    file: TableFile, kind: TableFormat, columns: Sequence[Column], *, shard_bytes: int = SHARD_BYTES
) -> list[TableShard]:
    """The parts of one file in order, each of about `shard_bytes` of input; at least one, even of an empty file.

    Parquet is cut between row groups (by the uncompressed size of the wanted columns), JSONL between lines; CSV, TSV
    and packed files are one shard.
    """
    if kind == "parquet":
        return _parquet_shards(file, columns, shard_bytes)
    size = file.path.stat().st_size
    ends = [size]
    if kind == "jsonl" and file.path.suffix != ".gz":
        ends = _line_ends(file.path, size, shard_bytes)
    shards, start = [], 0
    for end in ends:
        name = file.label if len(ends) == 1 else f"{file.label}, bytes {start}-{end}"
        sample = _sample(file.path, start, end)
        digest = digest_of(kind, _state(file), sample, start, end, _told(columns))
        stop = None if len(ends) == 1 else end
        shards.append(TableShard(name, digest, file.path, kind, tuple(columns), start, stop))
        start = end
    return shards


def _parquet_shards(file: TableFile, columns: Sequence[Column], shard_bytes: int) -> list[TableShard]:
    with open_parquet(file.path) as opened:
        metadata = opened.metadata
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        wanted = {name for column in columns for name in column.theirs}
        rows = [group.num_rows for group in groups]
        sizes = [
            sum(
                chunk.total_uncompressed_size
                for chunk in map(group.column, range(group.num_columns))
                if chunk.path_in_schema.partition(".")[0] in wanted
            )
            for group in groups
        ]
    footer = _footer(file.path)
    shards, start, held, first_row = [], 0, 0, 0
    for number, size in enumerate(sizes):
        held += size
        if held >= shard_bytes or number == len(sizes) - 1:
            count = sum(rows[start : number + 1])
            name = f"{file.label}, rows {first_row}-{first_row + count - 1}"
            digest = digest_of("parquet", _state(file), footer, start, number + 1, _told(columns))
            shards.append(TableShard(name, digest, file.path, "parquet", tuple(columns), start, number + 1))
            start, held, first_row = number + 1, 0, first_row + count
    empty = TableShard(
        file.label, digest_of("parquet", footer, _told(columns)), file.path, "parquet", tuple(columns), 0, 0
    )
    return shards or [empty]


def _line_ends(path: Path, size: int, shard_bytes: int) -> list[int]:
    ends: list[int] = []
    with path.open("rb") as file:
        position = shard_bytes
        while position < size:
            # One byte back: a cut that falls on a line's end stays there.
            file.seek(position - 1)
            file.readline()
            ends.append(file.tell())
            position = ends[-1] + shard_bytes
    return [end for end in ends if end < size] + [size]


def fingerprint(file: TableFile, kind: TableFormat) -> list[object]:
    """What a file holds, as far as its size and samples tell, the same on every machine."""
    size = file.path.stat().st_size
    return [file.label, size, _footer(file.path) if kind == "parquet" else _sample(file.path, 0, size)]


def _state(file: TableFile) -> list[object]:
    stat = file.path.stat()
    return [file.identity, stat.st_size] if file.identity else [stat.st_size, stat.st_mtime_ns]


def _told(columns: Sequence[Column]) -> list[object]:
    return [[column.name, list(column.theirs), column.kind] for column in columns]


def _sample(path: Path, start: int, stop: int) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        for position in (start, max(start, stop - _SAMPLE)):
            file.seek(position)
            digest.update(file.read(min(_SAMPLE, stop - position)))
    return digest.hexdigest()


def _footer(path: Path) -> str:
    """The digest of the schema, sizes, places and statistics of every column chunk."""
    with path.open("rb") as file:
        file.seek(-8, 2)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-8 - length, 2)
        return hashlib.blake2b(file.read(length), digest_size=16).hexdigest()
