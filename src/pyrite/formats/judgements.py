"""Rows of judgements become qrels: repeated rows, conflicting grades, ids that nothing else knows."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import Corpus, DataError, LedgerEntry, Qrels, Queries
from pyrite.formats.columns import DataWarning

Conflicts = Literal["error", "max"]
_NAMED = 5


def judged(table: pa.Table, *, where: str, conflicts: Conflicts = "error") -> Qrels:
    """Qrels of the rows of a table query, doc, relevance.

    A pair that is repeated with the same grade counts once, and a DataWarning says how many rows that took. A pair
    with different grades is a DataError that names it, or its greatest grade where `conflicts` is "max".

    >>> rows = pa.table({"query": ["q1", "q1"], "doc": ["d1", "d1"], "relevance": [0, 2]})
    >>> judged(rows, where="qrels.tsv")
    Traceback (most recent call last):
    pyrite.core.errors.DataError: qrels.tsv: query 'q1' and document 'd1' are judged both 0 and 2; keep one judgement.
    """
    queries, docs = (table[name].combine_chunks().dictionary_encode() for name in ("query", "doc"))
    grades = np.asarray(table["relevance"], dtype=np.int64)
    # One number a pair: grouping by two columns of text takes ten times as long.
    pairs = np.asarray(queries.indices, np.int64) * len(docs.dictionary) + np.asarray(docs.indices, np.int64)
    order = np.argsort(pairs, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    if len(starts) == len(table):
        return Qrels(table["query"], table["doc"], grades)
    least, greatest = (np.asarray(kind.reduceat(grades[order], starts)) for kind in (np.minimum, np.maximum))
    first = order[starts]
    if conflicts == "error" and (least != greatest).any():
        group = int(np.flatnonzero(least != greatest)[np.argmin(first[least != greatest])])
        query, doc = (table[name][int(first[group])].as_py() for name in ("query", "doc"))
        what = f"query '{query}' and document '{doc}' are judged both {least[group]} and {greatest[group]}"
        raise DataError(what, where=where, fix="keep one judgement")
    warnings.warn(
        f"{where}: {len(table) - len(starts):,} of {len(table):,} judgements repeat an earlier pair; each pair counts "
        "once, with its greatest grade",
        DataWarning,
        stacklevel=2,
    )
    in_file = np.argsort(first)
    rows = pa.array(first[in_file])
    return Qrels(table["query"].take(rows), table["doc"].take(rows), greatest[in_file])


def check_references(qrels: Qrels, corpus: Corpus, queries: Queries, *, where: str) -> None:
    """DataError where judgements name documents or queries that are not there; the first ids and all counts are told.

    `where` names the files or the split.

    >>> from pyrite.core import Document, Query
    >>> corpus, queries = Corpus.of([Document("d1", "Gold.")]), Queries.of([Query("q1", "gold?")])
    >>> check_references(Qrels.of({"q1": {"d9": 1}}), corpus, queries, where="split 'test'")
    Traceback (most recent call last):
    pyrite.core.errors.DataError: split 'test': 1 of 1 judgements name 1 document that is not in the corpus: 'd9'; \
add what is missing, or leave the judgements out.
    """
    told = []
    for unit, place, ids, there in _referred(qrels, corpus, queries):
        rows = pc.is_in(ids, value_set=there.combine_chunks())
        absent = pc.unique(ids.filter(pc.invert(rows)))
        if len(absent):
            count = len(ids) - pc.sum(rows.cast(pa.int64())).as_py()
            plural = f"{unit}s that are" if len(absent) > 1 else f"{unit} that is"
            told.append(
                f"{count:,} of {len(ids):,} judgements name {len(absent):,} {plural} not {place}: {named(absent)}"
            )
    if told:
        raise DataError("; ".join(told), where=where, fix="add what is missing, or leave the judgements out")


def drop_dangling(qrels: Qrels, corpus: Corpus, queries: Queries) -> tuple[Qrels, LedgerEntry]:
    """The judgements whose document and query are there, and the account of the others.

    A query that loses every positive by it is named in the entry's notes.
    """
    keep = np.ones(len(qrels), dtype=np.bool_)
    dropped: dict[str, int] = {}
    for unit, place, ids, there in _referred(qrels, corpus, queries):
        present = np.asarray(pc.is_in(ids, value_set=there.combine_chunks()).to_numpy(zero_copy_only=False))
        if lost := int((keep & ~present).sum()):
            dropped[f"{unit} not {place}"] = lost
        keep &= present
    rows = pa.array(np.flatnonzero(keep))
    kept = Qrels(qrels.repeated_query_ids().take(rows), qrels.doc_ids.take(rows), qrels.relevance[keep])
    lost_all = [
        query
        for query in qrels.query_ids.to_pylist()
        if query in queries and qrels.positives(query) and not kept.positives(query)
    ]
    notes = (f"{len(lost_all)} queries lose every positive: {named(lost_all)}",) if lost_all else ()
    return kept, LedgerEntry("dangling judgements", "qrels", len(qrels), len(kept), dropped, notes)


def _referred(qrels: Qrels, corpus: Corpus, queries: Queries) -> list[tuple[str, str, pa.Array, pa.ChunkedArray]]:
    return [
        ("document", "in the corpus", qrels.doc_ids, corpus.ids),
        ("query", "among the queries", qrels.repeated_query_ids(), queries.ids),
    ]


def named(ids: pa.Array | list[str]) -> str:
    """The first five ids, quoted, and how many more there are.

    >>> named(["a", "b", "c", "d", "e", "f"])
    "'a', 'b', 'c', 'd', 'e' and 1 more"
    """
    first = ", ".join(f"'{one}'" for one in (ids if isinstance(ids, list) else ids.to_pylist())[:_NAMED])
    more = len(ids) - _NAMED
    return f"{first} and {more:,} more" if more > 0 else first
