"""The three tables of a collection: read from Parquet or JSON lines and TSV, written as a BEIR folder."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from pyrite.core import TEMPLATE, Collection, Corpus, DataError, Qrels, Queries
from pyrite.formats.columns import TEXT, Column
from pyrite.formats.delimited import delimited_batches, first_row
from pyrite.formats.judgements import Conflicts, judged
from pyrite.formats.tables import DELIMITERS, format_of, read_table

_DOC_ID = Column("id", ("_id", "id", "docid", "doc_id", "docno"), "id", single=True)
_QUERY_ID = Column("id", ("_id", "id", "query_id", "query-id", "qid"), "id", single=True)
_TEXT = Column("text", ("text", "contents"), "given", single=True)
_ASKED = Column("text", ("text", "query", "question"), "given", single=True)
_TITLE = Column("title", ("title",), optional=True, single=True)
_QUERY = Column("query", ("query-id", "query_id"), "id", single=True)
_DOC = Column("doc", ("corpus-id", "corpus_id", "doc_id"), "id", single=True)
_RELEVANCE = Column("relevance", ("score", "relevance"), "integer", optional=True)
_HEADER = ("query-id", "corpus-id", "score")
_UNNAMED = {2: _HEADER[:2], 3: _HEADER, 4: ("query-id", "iteration", "corpus-id", "score")}
_AS_BEIR = "write query-id, corpus-id, score"


def read_corpus(paths: Sequence[Path], *, template: str = TEMPLATE) -> Corpus:
    """The documents of these files in order: _id, text and, where there is one, title.

    A missing, null or blank title is no title. DataError with file, row or line for an id or a text that is not fit.
    """
    table = read_table(paths, [_DOC_ID, _TEXT, _TITLE])
    titles = table["title"] if "title" in table.column_names else None
    with naming(paths):
        return Corpus(table["id"], table["text"], titles, template=template)


def read_queries(paths: Sequence[Path]) -> Queries:
    """The queries of these files in order: _id and text."""
    table = read_table(paths, [_QUERY_ID, _ASKED])
    with naming(paths):
        return Queries(table["id"], table["text"])


@contextmanager
def naming(paths: Sequence[Path]) -> Iterator[None]:
    """The files go into an error that only knows the ids."""
    try:
        yield
    except DataError as error:
        raise DataError(error.what, where=files(paths), fix=error.fix) from error


def files(paths: Sequence[Path]) -> str:
    """What errors call these files: the one path, or their folder."""
    return str(paths[0]) if len(paths) == 1 else f"{paths[0].parent}{os.sep}"


def read_qrels(paths: Sequence[Path], *, conflicts: Conflicts = "error") -> Qrels:
    """The judgements of these files: query-id, corpus-id and score, or without a score all positives.

    A TSV file may have a header or not: its first row is a judgement unless it names the columns. Rows without a
    header are query, document, grade, or query, iteration, document, grade as TREC has them. For repeated and
    conflicting rows see `judged`.
    """
    return judged(qrels_rows(paths), where=files(paths), conflicts=conflicts)


def qrels_rows(paths: Sequence[Path]) -> pa.Table:
    """The rows of these files as they stand: query, doc and relevance, which is 1 where a file has no score."""
    tables = [
        _delimited_rows(path) if format_of(path.name) in DELIMITERS else read_table([path], [_QUERY, _DOC, _RELEVANCE])
        for path in paths
    ]
    ones = [pa.array(np.ones(len(table), dtype=np.int64)) for table in tables]
    return pa.concat_tables(
        table if "relevance" in table.column_names else table.append_column("relevance", one)
        for table, one in zip(tables, ones, strict=True)
    )


def _delimited_rows(path: Path) -> pa.Table:
    delimiter = DELIMITERS[str(format_of(path.name))]
    first = first_row(path, delimiter)
    header = not {*_QUERY.theirs}.isdisjoint(first) and not {*_DOC.theirs}.isdisjoint(first)
    names = None if header else _UNNAMED.get(len(first), ())
    if names == () and first:
        raise DataError(f"the first row, {first}, is neither a judgement nor a header", where=str(path), fix=_AS_BEIR)
    columns = [_QUERY, _DOC, _RELEVANCE]
    found = list(delimited_batches(path, columns, delimiter=delimiter, names=names)) if first else []
    empty = pa.table({"query": pa.array([], TEXT), "doc": pa.array([], TEXT), "relevance": pa.array([], pa.int64())})
    return pa.Table.from_batches(found) if found else empty


def write_beir(folder: Path, collection: Collection, *, split: str = "test") -> None:
    r"""Write corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, as BEIR's loaders and others read them.

    Every document has a title, "" for none. An id with a tab, a quote or a line end is quoted in the TSV.

    >>> import tempfile
    >>> from pyrite.core import Document, Query
    >>> corpus, queries = Corpus.of([Document("001", "An element.")]), Queries.of([Query("q1", "gold?")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_beir(Path(folder), Collection("toy", "en", corpus, queries, Qrels.of({"q1": {"001": 1}})))
    ...     Path(folder, "qrels/test.tsv").read_text()
    'query-id\tcorpus-id\tscore\nq1\t001\t1\n'
    """
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    documents = ({"_id": d.doc_id, "title": d.title, "text": d.text} for d in collection.corpus)
    _write_lines(folder / "corpus.jsonl", documents)
    _write_lines(folder / "queries.jsonl", ({"_id": q.query_id, "text": q.text} for q in collection.queries))
    with (folder / "qrels" / f"{split}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(_HEADER)
        writer.writerows(collection.qrels.rows())


def _write_lines(path: Path, rows: Iterable[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
