"""What one split is chosen from, read: a corpus by rows, queries, and judgements on its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Queries, join_title
from pyrite.formats import collection_files, listed_rows, numbered_rows, read_parts
from pyrite.preparation import DocumentMap, Identical, Judgement, map_corpus, map_documents
from pyrite.sources import TableShard

TEXT = pa.large_string()
SCANNED = pa.schema([("id", TEXT), ("digest", pa.binary(16))])
"""What is kept of a corpus table: an id a row, and a digest of its text, null for an empty one."""


class SourceCorpus(Protocol):
    """The documents of a source, by row; texts are read when they are asked for."""

    @property
    def ids(self) -> pa.ChunkedArray:
        """One id a row."""
        ...

    def document_map(self, identical: Identical) -> DocumentMap:
        """Which rows are the same text."""
        ...

    def take(self, rows: NDArray[np.int64]) -> Corpus:
        """The documents of these rows, in this order, title and text joined."""
        ...


@dataclass(frozen=True)
class MemoryCorpus:
    """A corpus that a folder in a known layout holds."""

    corpus: Corpus

    @property
    def ids(self) -> pa.ChunkedArray:
        """One id a row."""
        return self.corpus.ids

    def document_map(self, identical: Identical) -> DocumentMap:
        """Which rows are the same text."""
        return map_corpus(self.corpus, identical)

    def take(self, rows: NDArray[np.int64]) -> Corpus:
        """The documents of these rows, in this order."""
        return self.corpus.take(rows)


@dataclass(frozen=True)
class TableCorpus:
    """A corpus that is a raw table: scanned once for ids and digests, its texts never all in memory.

    Attributes:
        shards: of the table. scanned: what `scan` wrote of each, in their order.
        template: how title and text become one text.
    """

    shards: tuple[TableShard, ...]
    scanned: tuple[Path, ...]
    template: str

    @cached_property
    def ids(self) -> pa.ChunkedArray:
        """One id a row, no two alike."""
        ids = self._scanned("id")
        if pc.count_distinct(ids).as_py() != len(ids):
            counts = pc.value_counts(ids)
            repeated = counts.filter(pc.greater(pc.struct_field(counts, "counts"), 1))[0].as_py()["values"]
            where = self.shards[0].name if self.shards else ""
            raise DataError(f"document id '{repeated}' occurs more than once", where=where, fix="make the ids unique")
        return ids

    def _scanned(self, name: str) -> pa.ChunkedArray:
        tables = [pq.read_table(path, columns=[name]) for path in self.scanned]
        return pa.concat_tables(tables).column(name).cast(SCANNED.field(name).type)

    def document_map(self, identical: Identical) -> DocumentMap:  # noqa: ARG002 - the scan has settled it
        """Which rows are the same text."""
        column = self._scanned("digest").combine_chunks()
        empty = np.asarray(column.is_null().to_numpy(zero_copy_only=False), dtype=np.bool_)
        held = np.frombuffer(column.buffers()[1] or b"", dtype=np.uint64).reshape(-1, 2)
        numbers = held[column.offset : column.offset + len(column)].copy()
        # What lies under a null is anything.
        numbers[empty] = 0
        return map_documents(numbers, empty)

    def take(self, rows: NDArray[np.int64]) -> Corpus:
        """The documents of these rows, in this order; one batch of the table is in memory at a time."""
        wanted = np.sort(rows)
        found: dict[int, tuple[str, str]] = {}
        start = 0
        for batch in _batches(self.shards):
            low, high = np.searchsorted(wanted, [start, start + len(batch)])
            if high > low:
                places = wanted[low:high]
                part = batch.take(pa.array(places - start))
                ids, texts = part.column("id").to_pylist(), joined_texts(part, self.template)
                found |= dict(zip(places.tolist(), zip(ids, texts, strict=True), strict=True))
            start += len(batch)
            if len(found) == len(wanted):
                break
        documents = [found[row] for row in rows.tolist()]
        return Corpus(pa.array([one[0] for one in documents], TEXT), pa.array([one[1] for one in documents], TEXT))


def joined_texts(batch: pa.RecordBatch, template: str) -> list[str]:
    """What a system reads of each document of a batch; a missing text is an empty one."""
    texts = batch.column("text").to_pylist()
    if "title" not in batch.schema.names:
        return [text or "" for text in texts]
    titles = batch.column("title").to_pylist()
    return [join_title(title, text or "", template) for title, text in zip(titles, texts, strict=True)]


def _batches(shards: Sequence[TableShard]) -> Iterator[pa.RecordBatch]:
    for shard in shards:
        yield from shard.read()


@dataclass(frozen=True)
class Judged:
    """Queries and what is judged for them, documents by the row of the corpus they are in."""

    queries: Queries
    judgements: tuple[Judgement, ...] = field(repr=False)


def read_folder(folder: Path, split: str | None, template: str) -> tuple[Corpus, Judged]:
    """One split of a folder in a known layout; judgements of what is not there stay, for the ledger to count."""
    files = collection_files(names_in(folder), split, where=str(folder))
    corpus, queries, qrels = read_parts(folder, files, template=template)
    return corpus, Judged(queries, tuple(_on_rows(qrels.rows(), corpus.ids)))


def names_in(folder: Path) -> list[str]:
    """The files of a folder, relative to it, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def judged_table(
    queries: Sequence[TableShard],
    qrels: Sequence[TableShard] | None,
    ids: pa.ChunkedArray,
    *,
    refer_by: Literal["row", "id"],
) -> Judged:
    """The queries of raw tables, judged in a table of their own or in lists beside each query.

    Args:
        queries: columns id, query, and positives and negatives where there is no qrels table.
        qrels: columns query_id, doc_id, relevance; or None.
        ids: of the corpus.
        refer_by: whether positives and negatives hold row numbers of the corpus, from 0, or ids.
    """
    batches = list(_batches(queries))
    if not batches:
        return Judged(Queries.of([]), ())
    table = pa.Table.from_batches(batches)
    asked = Queries(table["id"], pc.fill_null(table["query"].cast(TEXT), ""))
    if qrels is not None:
        rows = [
            (row["query_id"], row["doc_id"], int(row["relevance"]))
            for batch in _batches(qrels)
            for row in batch.to_pylist()
        ]
        return Judged(asked, tuple(_on_rows(rows, ids)))
    listed = list(listed_rows(table))
    if refer_by == "id":
        return Judged(asked, tuple(_on_rows(listed, ids)))
    return Judged(asked, tuple(_numbered(listed, ids)))


def _on_rows(rows: Any, ids: pa.ChunkedArray) -> Iterator[Judgement]:
    told = list(rows)
    names = pa.array([document for _, document, _ in told], TEXT)
    places = pc.fill_null(pc.index_in(names, value_set=ids.combine_chunks()), -1).to_pylist()
    for (query_id, document, grade), place in zip(told, places, strict=True):
        yield Judgement(query_id, document, place, grade)


def _numbered(rows: Sequence[tuple[str, str, int]], ids: pa.ChunkedArray) -> Iterator[Judgement]:
    for (query_id, row, grade), (_, document, _) in zip(rows, numbered_rows(rows, ids), strict=True):
        yield Judgement(query_id, document, int(row), grade)
