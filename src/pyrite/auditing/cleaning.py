"""A collection after an audit: judgements added, documents merged, documents and queries taken out, with an account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from pyrite.auditing.decisions import Remedies
from pyrite.core import Collection, DataError, Ledger, LedgerEntry, Qrels


@dataclass(frozen=True)
class Cleaned:
    """A cleaned collection.

    Attributes:
        collection: what is left; ids and order are those of before.
        documents, queries: id -> why it went.
        merged: document -> the one that it became one with.
        added: judgements that are new.
        ledger: of queries, documents and judgements.
    """

    collection: Collection
    documents: Mapping[str, str]
    queries: Mapping[str, str]
    merged: Mapping[str, str]
    added: int
    ledger: Ledger


def clean(collection: Collection, remedies: Remedies) -> Cleaned:
    """Do what was decided; the collection itself stays as it is.

    Added judgements have relevance 1. A merged document gives its judgements to the positive that it is like, the
    higher grade wins; one that others are merged into, or whose positive is gone, stays and is judged relevant to the
    queries of its positive instead, so that likeness is never handed on from text to text. A query that loses its last
    positive goes too.

    Raises:
        DataError: a decision names what the collection lacks, or no query is left.

    >>> from pyrite.core import Corpus, Document, Queries, Query
    >>> corpus = Corpus.of([Document("d1", "Gold."), Document("d2", "GOLD."), Document("d3", "Tin.")])
    >>> toy = Collection("toy", "en", corpus, Queries.of([Query("q1", "?")]), Qrels.of({"q1": {"d1": 1}}))
    >>> cleaned = clean(toy, Remedies(add=(("q1", "d3"),), merge={"d2": "d1"}))
    >>> cleaned.collection.qrels["q1"], cleaned.collection.corpus.ids.to_pylist(), cleaned.documents
    ({'d1': 1, 'd3': 1}, ['d1', 'd3'], {'d2': 'merged into a positive'})
    """
    _must_be_there(collection, remedies)
    judged = {query: dict(collection.qrels[query]) for query in collection.qrels.query_ids.to_pylist()}
    before = sum(len(docs) for docs in judged.values())
    added = 0
    merged, stay = _merges(remedies)
    positive_of = [
        (query, doc, kept) for doc, kept in stay.items() for query in judged if judged[query].get(kept, 0) > 0
    ]
    for query, doc in [*remedies.add, *((query, doc) for query, doc, _ in positive_of)]:
        held = judged.setdefault(query, {})
        added += held.get(doc) is None
        held[doc] = max(held.get(doc, 0), 1)
    gone = {**dict(remedies.documents), **dict.fromkeys(merged, "merged into a positive")}
    lost: Counter[str] = Counter()
    queries = {query: why for query, why in remedies.queries.items() if query in collection.queries}
    had = {query for query, docs in judged.items() if max(docs.values(), default=0) >= 1}
    for query, docs in judged.items():
        _without(docs, gone, merged, lost)
        if query in had and query not in queries and max(docs.values(), default=0) < 1:
            queries[query] = "no positive is left"
    for query in queries:
        lost["their query is taken out"] += len(judged.pop(query, {}))
    return _cleaned(collection, judged, (gone, queries, merged), (before, added, lost))


def _merges(remedies: Remedies) -> tuple[dict[str, str], dict[str, str]]:
    """Which documents become one with which, and which cannot and stay."""
    merged: dict[str, str] = {}
    stay: dict[str, str] = {}
    kept = set()
    for document, positive in remedies.merge.items():
        if document in kept or positive in merged or positive in remedies.documents or document in remedies.documents:
            stay[document] = positive
        else:
            merged[document] = positive
            kept.add(positive)
    return merged, {doc: positive for doc, positive in stay.items() if doc not in remedies.documents}


def _without(docs: dict[str, int], gone: Mapping[str, str], merged: Mapping[str, str], lost: Counter[str]) -> None:
    """Take what is gone out of one query's judgements; those of a merged document go to what it is merged into."""
    for doc in [doc for doc in docs if doc in gone]:
        grade = docs.pop(doc)
        target = merged.get(doc)
        if target is None:
            lost["their document is taken out"] += 1
        elif target in docs:
            docs[target] = max(docs[target], grade)
            lost["one with the judgement of the document that theirs is merged into"] += 1
        else:
            docs[target] = grade


def _cleaned(
    collection: Collection,
    judged: Mapping[str, Mapping[str, int]],
    went: tuple[dict[str, str], dict[str, str], dict[str, str]],
    counts: tuple[int, int, Counter[str]],
) -> Cleaned:
    gone, queries, merged = went
    before, added, lost = counts
    corpus, asked = collection.corpus, collection.queries
    kept_documents = np.array([doc not in gone for doc in corpus.ids.to_pylist()], dtype=np.bool_)
    kept_queries = np.array([query not in queries for query in asked.ids.to_pylist()], dtype=np.bool_)
    if not kept_queries.any():
        raise DataError("no query is left", where=collection.name, fix="take out less, or review by hand")
    qrels = Qrels.of(judged)
    notes = (f"{added:,} judgements of relevance 1 were added",) if added else ()
    entries = (
        _entry("audit: queries", "queries", len(asked), int(kept_queries.sum()), queries),
        _entry("audit: documents", "documents", len(corpus), int(kept_documents.sum()), gone),
        LedgerEntry("audit: judgements", "qrels", before + added, len(qrels), dict(sorted(lost.items())), notes),
    )
    rest = replace(
        collection,
        corpus=corpus if kept_documents.all() else corpus.take(np.flatnonzero(kept_documents)),
        queries=asked if kept_queries.all() else asked.take(np.flatnonzero(kept_queries)),
        qrels=qrels,
    )
    return Cleaned(rest, gone, queries, merged, added, Ledger(entries))


def _entry(stage: str, unit: str, before: int, after: int, why: Mapping[str, str]) -> LedgerEntry:
    return LedgerEntry(stage, unit, before, after, dict(sorted(Counter(why.values()).items())))


def _must_be_there(collection: Collection, remedies: Remedies) -> None:
    documents = [*(doc for _, doc in remedies.add), *remedies.merge, *remedies.merge.values(), *remedies.documents]
    for what, ids, known in (
        ("query", [*(query for query, _ in remedies.add), *remedies.queries], collection.queries),
        ("document", documents, collection.corpus),
    ):
        rows = known.positions(pa.array(ids, pa.large_string()))
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            raise DataError(
                f"a decision names the {what} '{ids[int(missing[0])]}', which is not in it",
                where=collection.name,
                fix="audit the dataset that the decisions are of",
            )
