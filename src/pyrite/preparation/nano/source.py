"""A source made ready: one query a text, one document a text, every judgement on what stayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Collection, LedgerEntry, Queries
from pyrite.preparation.nano.account import account
from pyrite.preparation.nano.documents import DocumentMap, map_corpus

LISTED = 100
"""How many ids or conflicts a note names before it only counts the rest."""


class Judgement(NamedTuple):
    """One source judgement; `row` is the document's row in the source corpus, -1 where it is not there."""

    query_id: str
    doc_id: str
    row: int
    grade: int


@dataclass(frozen=True)
class NanoSource:
    """What a Nano split is chosen from; documents are rows of the source corpus, so no text is held.

    Attributes:
        queries: one a text, in source order.
        judged: query id -> document row -> grade, in qrels order; 0 or less = judged non-relevant.
        documents: int64, the rows that a corpus may take, in source order.
        digests: uint64 of shape (documents, 2), of their texts.
        ledger: what was left out and merged, and why.
    """

    queries: Queries
    judged: Mapping[str, Mapping[int, int]]
    documents: NDArray[np.int64]
    digests: NDArray[np.uint64]
    ledger: tuple[LedgerEntry, ...]

    def positives(self, query_id: str) -> list[int]:
        """Rows of grade 1 or more, in qrels order."""
        return [row for row, grade in self.judged.get(query_id, {}).items() if grade >= 1]

    def negatives(self, query_id: str) -> list[int]:
        """Rows that were judged non-relevant, in qrels order."""
        return [row for row, grade in self.judged.get(query_id, {}).items() if grade < 1]


def prepare_source(queries: Queries, judgements: Iterable[Judgement], documents: DocumentMap) -> NanoSource:
    """A source with equal texts merged: documents by the map, queries by their text.

    The first of equal queries stays and takes the judgements of all. A judgement of a merged document moves to the
    one that stays; where two meet, the highest grade wins and a conflict is listed.

    >>> from pyrite.core import Query
    >>> twins = DocumentMap(np.array([0, 0]), np.ones((2, 2), np.uint64), ())
    >>> asked = Queries.of([Query("q1", "why?"), Query("q2", "why?")])
    >>> source = prepare_source(asked, [Judgement("q2", "d2", 1, 1)], twins)
    >>> source.judged, source.queries.ids.to_pylist()
    ({'q1': {0: 1}}, ['q1'])
    """
    stands_for, kept_queries, query_entry = _merge_queries(queries)
    judged: dict[str, dict[int, int]] = {query.query_id: {} for query in kept_queries}
    dropped: Counter[str] = Counter()
    absent: dict[str, None] = {}
    conflicts: list[str] = []
    count = 0
    for query_id, doc_id, row, grade in judgements:
        count += 1
        query, document = stands_for.get(query_id), int(documents.kept[row]) if row >= 0 else -1
        if query is None:
            dropped["query text is empty" if query_id in queries else "query is not in the source"] += 1
            absent[f"query '{query_id}'"] = None
        elif document < 0:
            dropped["document is not in the corpus" if row < 0 else "document text is empty"] += 1
            absent[f"document '{doc_id}'"] = None
        elif document in judged[query]:
            before = judged[query][document]
            judged[query][document] = max(before, grade)
            dropped["same pair after merging"] += 1
            if before != grade:
                grades = f"grades {before} and {grade}, {max(before, grade)} stays"
                conflicts.append(f"query '{query}', document '{doc_id}': {grades}")
        else:
            judged[query][document] = grade
    notes = (*_listed("left out", list(absent)), *_listed("conflict", conflicts))
    judgement_entry = account(
        "judgements",
        "qrels",
        rows_in=count,
        rows_out=count - dropped.total(),
        dropped=dict(sorted(dropped.items())),
        notes=notes,
    )
    stay = documents.documents
    ledger = (*documents.entries, query_entry, judgement_entry)
    return NanoSource(kept_queries, judged, stay, documents.digests[stay], ledger)


def source_of(collection: Collection) -> NanoSource:
    """The source of a collection in memory."""
    ids = collection.qrels.doc_ids
    rows = dict(zip(ids.to_pylist(), collection.corpus.positions(ids).tolist(), strict=True))
    judgements = (Judgement(query, doc, rows[doc], grade) for query, doc, grade in collection.qrels.rows())
    return prepare_source(collection.queries, judgements, map_corpus(collection.corpus))


def _merge_queries(queries: Queries) -> tuple[dict[str, str], Queries, LedgerEntry]:
    """Query id -> the id that stands for it, the queries that stay, and the account."""
    first: dict[str, str] = {}
    stands_for: dict[str, str] = {}
    rows: list[int] = []
    empty = 0
    for row, query in enumerate(queries):
        if not query.text.strip():
            empty += 1
            continue
        if query.text not in first:
            first[query.text] = query.query_id
            rows.append(row)
        stands_for[query.query_id] = first[query.text]
    entry = account(
        "queries of equal text",
        "queries",
        rows_in=len(queries),
        rows_out=len(rows),
        dropped={"empty text": empty, "same text as an earlier one": len(queries) - empty - len(rows)},
    )
    return stands_for, queries.take(np.array(rows, dtype=np.int64)), entry


def _listed(label: str, items: list[str]) -> tuple[str, ...]:
    named = tuple(f"{label}: {item}" for item in items[:LISTED])
    rest = len(items) - len(named)
    return (*named, f"{label}: {rest} more") if rest else named
