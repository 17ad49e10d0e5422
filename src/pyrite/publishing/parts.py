"""Which tables a published folder has, in which files, and how to stream them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.core import DataError
from pyrite.formats import group_batches, table_name

ASIDE = ("provenance", "results")
"""Folders whose tables go with a dataset but are none of its configs."""

BATCH_ROWS = 2048


@dataclass(frozen=True)
class Part:
    """One split of one config and the files that hold its rows, in order.

    Attributes:
        config, split: as `datasets.load_dataset(folder, config, split=split)` names them.
        files: paths relative to the folder, with forward slashes.
    """

    config: str
    split: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        """What a message about the whole table calls it."""
        return self.files[0] if self.files else f"{self.config}/{self.split}"

    @property
    def parquet(self) -> bool:
        """Whether every file is a Parquet table."""
        return all(file.endswith(".parquet") for file in self.files)


def benchmark_parts(folder: Path) -> list[Part]:
    """The corpus, the queries and each split of the qrels that a benchmark folder has, from its files alone."""
    parts = []
    for config in ("corpus", "queries", "qrels"):
        files = sorted(path.relative_to(folder).as_posix() for path in (folder / config).glob("*.parquet"))
        if config == "qrels":
            splits = dict.fromkeys(table_name(file).split("/")[-1] for file in files)
            parts += [
                Part(config, split, tuple(file for file in files if table_name(file).split("/")[-1] == split))
                for split in splits
            ]
        elif files:
            parts.append(Part(config, config, tuple(files)))
    return parts


def data_tables(folder: Path) -> dict[str, list[str]]:
    """Each Parquet table of the dataset itself and its files, sorted; provenance and results are none of it."""
    tables: dict[str, list[str]] = {}
    for file in parquet_files(folder):
        if file.split("/")[0] not in ASIDE:
            tables.setdefault(table_name(file), []).append(file)
    return tables


def parquet_files(folder: Path) -> list[str]:
    """Every Parquet file of a folder, relative to it, sorted; hidden ones left out."""
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet"))
    return sorted(file for file in files if not hidden(file))


def hidden(file: str) -> bool:
    """Whether a file, or a folder on the way to it, has a name with a leading dot.

    >>> hidden(".cache/corpus.parquet"), hidden("corpus/corpus.parquet")
    (True, False)
    """
    return any(piece.startswith(".") for piece in file.split("/"))


@contextlib.contextmanager
def open_table(folder: Path, file: str) -> Iterator[pq.ParquetFile]:
    """An open Parquet file; DataError where it, or what is read of it inside the block, is broken."""
    try:
        with pq.ParquetFile(folder / file, buffer_size=1 << 20) as parquet:
            yield parquet
    except (pa.ArrowException, OSError) as error:
        raise DataError("is not a whole Parquet file", where=file, fix="build or download it again") from error


def batches(folder: Path, files: Sequence[str], columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a table in order, a batch at a time; only one batch is in memory."""
    for file in files:
        with open_table(folder, file) as parquet:
            yield from group_batches(parquet, BATCH_ROWS, columns)


def read_frame(folder: Path, files: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """These columns of a table, all rows; for ids, grades and queries, never for the text of a corpus."""
    tables = []
    for file in files:
        with open_table(folder, file) as parquet:
            tables.append(parquet.read(columns=list(columns)).select(list(columns)))
    frame = pl.from_arrow(pa.concat_tables(tables, promote_options="permissive"))
    assert isinstance(frame, pl.DataFrame)
    return frame


def read_schema(folder: Path, file: str) -> pa.Schema:
    """The columns of one Parquet file and their types, without metadata."""
    with open_table(folder, file) as parquet:
        return parquet.schema_arrow.remove_metadata()


def row_count(folder: Path, files: Sequence[str]) -> int:
    """How many rows the files hold, from their footers."""
    total = 0
    for file in files:
        with open_table(folder, file) as parquet:
            total += int(parquet.metadata.num_rows)
    return total
