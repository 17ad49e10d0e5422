"""Tables that stay on the disk: their rows are read one at a time, and found by id through a small sorted index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Document
from pyrite.formats import Column, choose_columns, open_parquet, parquet_batches

_ID = Column("id", ("_id", "id", "docid", "doc_id", "docno"), "id", single=True, told=True)
_TEXT = Column("text", ("text", "contents"), "given", single=True)
_TITLE = Column("title", ("title",), optional=True, single=True)


class StoredRows:
    """The rows of one table in several Parquet files, none of them in memory.

    A row is read by its place: of its row group only the pages that hold it are unpacked, so that the time does not
    grow with the table.

    >>> import tempfile
    >>> import pyarrow.parquet as pq
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for number, names in enumerate((["a", "b"], ["c"])):
    ...         pq.write_table(pa.table({"name": names}), Path(folder, f"{number}.parquet"))
    ...     rows = StoredRows([Path(folder, "0.parquet"), Path(folder, "1.parquet")])
    ...     len(rows), rows.take([2, 0])
    (3, [{'name': 'c'}, {'name': 'a'}])
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        lengths = []
        for path in self.paths:
            with open_parquet(path) as file:
                lengths.append(file.metadata.num_rows)
                self.columns: tuple[str, ...] = tuple(file.schema_arrow.names)
        self._starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def take(self, rows: Sequence[int], columns: Sequence[str] = ()) -> list[dict[str, Any]]:
        """These rows as plain values, of these columns or of all."""
        found = []
        # One after the other: on a busy machine this is faster than many small plans that wait for each other.
        for row in rows:
            part = int(np.searchsorted(self._starts, row, side="right")) - 1
            scan = pl.scan_parquet(self.paths[part], glob=False).slice(row - int(self._starts[part]), 1)
            found.append(self._collected(scan.select(columns) if columns else scan).row(0, named=True))
        return found

    def containing(self, column: str, text: str) -> list[int]:
        """The places of the rows whose text has `text` in it, whatever the case."""
        found: list[int] = []
        for path, start in zip(self.paths, self._starts.tolist(), strict=False):
            scan = pl.scan_parquet(path, glob=False, row_index_name="at").select("at", column)
            there = pl.col(column).str.to_lowercase().str.contains(text.lower(), literal=True)
            found += [start + at for at in self._collected(scan.filter(there).select("at"))["at"].to_list()]
        return found

    def column(self, name: str) -> pa.ChunkedArray:
        """One whole column: for numbers, not for texts."""
        chunks = []
        for path in self.paths:
            with open_parquet(path) as file:
                chunks += file.read(columns=[name])[name].chunks
        return pa.chunked_array(chunks)

    def _collected(self, scan: pl.LazyFrame) -> pl.DataFrame:
        try:
            return scan.collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            where = str(self.paths[0] if len(self.paths) == 1 else self.paths[0].parent)
            raise DataError("is not a whole Parquet file", where=where, fix="copy or download it again") from error


class Texts(Protocol):
    """Documents that are found by id."""

    def __len__(self) -> int: ...

    def find(self, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The documents of these ids; an id that is not there is left out."""


class StoredTexts:
    """The documents of a Parquet corpus, found by id; the texts stay on the disk.

    In memory is an index of 16 bytes a document, built when the first document is asked for: the sorted hashes of the
    ids, and where each stands. Of equal hashes the one whose id is the wanted one counts.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._rows = StoredRows(paths)
        chosen = choose_columns([_ID, _TEXT, _TITLE], self._rows.columns, str(paths[0]))
        self._names = {column.name: theirs for column, theirs in chosen}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def _index(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        hashes = [
            _hashes(batch.column("id")) for path in self._rows.paths for batch in parquet_batches(path, [_ID])
        ] or [np.empty(0, np.uint64)]
        joined = np.concatenate(hashes)
        order = np.argsort(joined, kind="stable")
        return joined[order], order

    def find(self, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The documents of these ids; an id that is not there is left out."""
        if not doc_ids:
            return {}
        with self._lock:
            hashes, places = self._index
        wanted = _hashes(pa.array(doc_ids, pa.large_string()))
        first, last = np.searchsorted(hashes, wanted, side="left"), np.searchsorted(hashes, wanted, side="right")
        rows = sorted({int(places[at]) for start, stop in zip(first, last, strict=True) for at in range(start, stop)})
        asked, found = set(doc_ids), {}
        for row in self._rows.take(rows, list(dict.fromkeys(self._names.values()))):
            doc_id = str(row[self._names["id"]])
            if doc_id in asked:
                title = row[self._names["title"]] if "title" in self._names else ""
                found[doc_id] = Document(doc_id, row[self._names["text"]] or "", title or "")
        return found


class HeldTexts:
    """The documents of a corpus that is in memory: one that was read from no Parquet file."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def __len__(self) -> int:
        return len(self._corpus)

    def find(self, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The documents of these ids; an id that is not there is left out."""
        there = [doc_id for doc_id in doc_ids if doc_id in self._corpus]
        return {doc_id: self._corpus[self._corpus.position(doc_id)] for doc_id in there}


def _hashes(ids: pa.Array) -> NDArray[np.uint64]:
    return np.asarray(pl.Series(pl.from_arrow(ids)).hash().to_numpy(), dtype=np.uint64)
