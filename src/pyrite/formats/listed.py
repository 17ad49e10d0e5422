"""Queries that list their relevant documents, by id or by row of the corpus, where there are no qrels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import DataError, Qrels, Queries
from pyrite.formats.beir import files, naming
from pyrite.formats.columns import Column, DataWarning
from pyrite.formats.judgements import Conflicts, judged
from pyrite.formats.tables import column_names, format_of, integer_columns, read_table

ReferBy = Literal["id", "row"]
TEXT = pa.large_string()
_POSITIVES = ("relevant_docs", "relevant", "relevant_doc_ids", "positives", "positive_docs", "positive_ids")
_NEGATIVES = ("negatives", "negative_docs", "negative_ids", "irrelevant_docs")
_COLUMNS = (
    Column("id", ("_id", "id", "query_id", "query-id", "qid"), "id", optional=True, single=True),
    Column("text", ("text", "query", "question"), "given", single=True),
    # Integers among them are told of here, once it is known what they are.
    Column("positives", _POSITIVES, told=True),
    Column("negatives", _NEGATIVES, optional=True, told=True),
)
Row = tuple[str, str, int]
"""Query id, reference, grade."""


def read_listed(
    paths: Sequence[Path], doc_ids: pa.ChunkedArray, *, refer_by: ReferBy | None = None, conflicts: Conflicts = "error"
) -> tuple[Queries, Qrels]:
    """Queries and their judgements from tables with a query and a list of relevant documents a row.

    Args:
        paths: the files: text (or query, question), relevant_docs (or positives, ...), perhaps negatives and an id;
            without one the queries are q0, q1, ... . A value that is no list is a list of one.
        doc_ids: of the corpus, in its order.
        refer_by: what the lists hold: "id"s, or "row" numbers of the corpus from 0. None: row numbers, with a
            DataWarning, where they are integers of which none is the id of a document; else ids.
        conflicts: of one document listed as both; see `judged`.

    DataError where there is no such column, and for a row number beyond the corpus.
    """
    where = files(paths)
    table = read_table(paths, _with_positives(paths))
    if "id" not in table.column_names:
        table = table.append_column("id", pa.array([f"q{number}" for number in range(len(table))], TEXT))
    with naming(paths):
        asked = Queries(table["id"], table["text"])
    rows = list(listed_rows(table))
    if _are_rows(paths, rows, doc_ids, refer_by, where):
        rows = list(numbered_rows(rows, doc_ids, where=where))
    found = pa.table(
        {
            "query": pa.array([row[0] for row in rows], TEXT),
            "doc": pa.array([row[1] for row in rows], TEXT),
            "relevance": pa.array([row[2] for row in rows], pa.int64()),
        }
    )
    return asked, judged(found, where=where, conflicts=conflicts)


def _with_positives(paths: Sequence[Path]) -> tuple[Column, ...]:
    for path in paths:
        names = column_names(path, format_of(path.name) or "jsonl")
        if not set(names) & set(_POSITIVES):
            raise DataError(
                f"there are no qrels, and no column lists the relevant documents; the columns are {', '.join(names)}",
                where=str(path),
                fix=f"add the qrels, or name the column {_POSITIVES[0]}",
            )
    return _COLUMNS


def listed_rows(table: pa.Table) -> Iterator[Row]:
    """(query id, reference, grade) of a table id, positives and perhaps negatives: positives 1, negatives 0.

    >>> list(listed_rows(pa.table({"id": ["q1", "q2"], "positives": [["d1"], None], "negatives": [["d2"], []]})))
    [('q1', 'd1', 1), ('q1', 'd2', 0)]
    """
    for grade, name in ((1, "positives"), (0, "negatives")):
        if name not in table.column_names:
            continue
        for query_id, listed in zip(table["id"].to_pylist(), table[name].to_pylist(), strict=True):
            for reference in [listed] if isinstance(listed, str) else listed or ():
                yield query_id, reference, grade


def numbered_rows(rows: Sequence[Row], doc_ids: pa.ChunkedArray, *, where: str = "") -> Iterator[Row]:
    """The same with the id of the corpus row that each reference numbers, from 0; DataError where there is none.

    >>> list(numbered_rows([("q1", "1", 1)], pa.chunked_array([["d1", "d2"]])))
    [('q1', 'd2', 1)]
    """
    for query_id, reference, _ in rows:
        if not reference.isascii() or not reference.isdigit() or int(reference) >= len(doc_ids):
            raise DataError(
                f"query '{query_id}' refers to row '{reference}' of a corpus of {len(doc_ids):,} rows",
                where=where,
                fix='write row numbers from 0, or refer_by = "id"',
            )
    ids = doc_ids.take(pa.array([int(reference) for _, reference, _ in rows], pa.int64())).to_pylist()
    for (query_id, _, grade), doc_id in zip(rows, ids, strict=True):
        yield query_id, doc_id, grade


def _are_rows(
    paths: Sequence[Path], rows: Sequence[Row], doc_ids: pa.ChunkedArray, refer_by: ReferBy | None, where: str
) -> bool:
    if refer_by is not None:
        return refer_by == "row"
    integers = any(integer_columns(path, format_of(path.name) or "jsonl") & {*_POSITIVES} for path in paths)
    if not integers or not rows:
        return False
    references = pa.array([row[1] for row in rows], TEXT)
    numbers = not pc.any(pc.is_in(references, value_set=doc_ids.combine_chunks())).as_py()
    held = "are integers and none is the id of a document; they are taken as rows of the corpus, from 0"
    cast = "hold integers; they are cast to strings"
    warnings.warn(f"{where}: the lists of relevant documents {held if numbers else cast}", DataWarning, stacklevel=3)
    return numbers
