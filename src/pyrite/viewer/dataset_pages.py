"""Pages about a dataset: its queries, one query with its rankings side by side, one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pyrite.core import Document
from pyrite.viewer.asked import Asked, NotThereError, Span, url
from pyrite.viewer.dataset import Dataset, System
from pyrite.viewer.given import Shelf
from pyrite.viewer.result_pages import choice_of
from pyrite.viewer.shown import CUT, Shown, Terms, show

DEPTHS = ("10", "20", "50", "100")
JUDGED = 10
"""Judged documents of a query that are shown at first."""
SIDE_BY_SIDE = 4
"""Systems that are shown at first."""


@dataclass(frozen=True)
class Passage:
    """A document as a list has it; `there` is False where the corpus lacks the id, and then it has no text."""

    doc_id: str
    title: Shown | None
    text: Shown | None
    there: bool


@dataclass(frozen=True)
class JudgedPassage:
    """A judged document, its grade, and its rank in each system (None where the system did not find it)."""

    passage: Passage
    grade: int
    ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class RankedPassage:
    """A document of a ranking; grade is None where nobody judged it, forced where nobody found it."""

    rank: int
    passage: Passage
    score: float
    grade: int | None
    forced: bool


@dataclass(frozen=True)
class Ranking:
    """One system's ranking of a query.

    Attributes:
        system: its name. passages: the first ones. length: of the whole ranking.
        best: rank of the first relevant document, None where there is none in the ranking.
        values: measure -> value, where it was measured.
    """

    system: str
    passages: tuple[RankedPassage, ...]
    length: int
    best: int | None
    values: Mapping[str, float]


@dataclass(frozen=True)
class Walk:
    """The queries among which one stands: those of a comparison, of a search, or all.

    Attributes:
        at: its place, from 0; None where it is not one of them. count: how many there are.
        previous, next: its neighbours. back: the page of them all. kept: what its address carries on.
    """

    at: int | None
    count: int
    previous: str | None
    next: str | None
    back: str
    kept: Mapping[str, Any]


def queries_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """The queries of a split that a search finds, each with the rank of its first relevant document in every system."""
    dataset = asked.among("set", shelf.datasets)
    find = asked.text("find").strip()
    places = dataset.search(find)
    span = Span.of(asked, len(places))
    rows = []
    for place in places[span.rows]:
        query = dataset.queries[place]
        positives = set(dataset.qrels.positives(query.query_id))
        best = [_best(system, query.query_id, positives) for system in dataset.systems]
        rows.append((query.query_id, show(query.text, cut=CUT), len(positives), best))
    told = {"dataset": dataset, "set": asked.number("set"), "find": find, "span": span, "rows": rows}
    return {**told, "measuring": shelf.measuring(dataset)}


def query_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """One query: its judged documents with their ranks, and the systems' rankings side by side."""
    dataset = asked.among("set", shelf.datasets)
    query_id = asked.text("id")
    if query_id not in dataset.queries:
        raise NotThereError(f"there is no query '{query_id[:80]}'", where=dataset.title, fix="search for it")
    query = dataset.queries[dataset.queries.position(query_id)]
    depth = int(asked.choice("depth", DEPTHS))
    grades = dataset.qrels[query_id]
    chosen = _chosen(asked, dataset)
    systems = [dataset.systems[number] for number in chosen]
    ranks = [{doc: rank for rank, doc in enumerate(one.ranking(query_id), start=1)} for one in systems]
    by_grade = sorted(grades, key=lambda doc: (-grades[doc], min((r[doc] for r in ranks if doc in r), default=1 << 30)))
    judged = by_grade if asked.text("judged") == "all" else by_grade[:JUDGED]
    wanted = dict.fromkeys([*judged, *(doc for one in systems for doc in one.ranking(query_id, depth))])
    found = dataset.texts.find(list(wanted))
    terms = dataset.terms(query.text)
    passages = {doc_id: _passage(doc_id, found.get(doc_id), terms) for doc_id in wanted}
    values = _values(shelf, dataset, query_id)
    return {
        "dataset": dataset,
        "set": asked.number("set"),
        "query": query,
        "shown": show(query.text),
        "judged": [JudgedPassage(passages[doc], grades[doc], tuple(r.get(doc) for r in ranks)) for doc in judged],
        "hidden": len(by_grade) - len(judged),
        "rankings": [_ranking(one, query_id, depth, (passages, grades), values) for one in systems],
        "chosen": chosen,
        "depth": depth,
        "depths": [int(one) for one in DEPTHS],
        "walk": _walk(shelf, asked, dataset, query_id),
    }


def document_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """One document, whole, with the terms of a query marked where one is named."""
    dataset = asked.among("set", shelf.datasets)
    doc_id, query_id = asked.text("id"), asked.text("query")
    found = dataset.texts.find([doc_id])
    if doc_id not in found:
        raise NotThereError(f"there is no document '{doc_id[:80]}'", where=dataset.title, fix="check the id")
    query = dataset.queries[dataset.queries.position(query_id)] if query_id in dataset.queries else None
    terms = dataset.terms(query.text) if query else None
    document = found[doc_id]
    return {
        "dataset": dataset,
        "set": asked.number("set"),
        "doc_id": doc_id,
        "query": query,
        "title": show(document.title, terms) if document.title else None,
        "shown": show(document.text, terms),
        "mark": dataset.qrels[query.query_id].get(doc_id) if query else None,
    }


def passages_of(dataset: Dataset, doc_ids: Sequence[str], terms: Terms | None) -> dict[str, Passage]:
    """Documents as a list has them, those that are not there among them."""
    found = dataset.texts.find(list(doc_ids))
    return {doc_id: _passage(doc_id, found.get(doc_id), terms) for doc_id in doc_ids}


def _passage(doc_id: str, document: Document | None, terms: Terms | None) -> Passage:
    if document is None:
        return Passage(doc_id, None, None, there=False)
    title = show(document.title, terms, cut=CUT) if document.title else None
    return Passage(doc_id, title, show(document.text, terms, cut=CUT), there=True)


def _walk(shelf: Shelf, asked: Asked, dataset: Dataset, query_id: str) -> Walk:
    if asked.text("board"):
        choice = choice_of(shelf, asked)
        kept = {**choice.kept, "which": choice.which}
        ids, back = choice.query_ids, url("/compare", **kept)
    else:
        find = asked.text("find").strip()
        kept = {"find": find} if find else {}
        ids = dataset.queries.ids.take(pa.array(dataset.search(find), pa.int64())).to_pylist()
        back = url("/queries", set=asked.number("set"), **kept)
    if query_id not in ids:
        return Walk(None, len(ids), None, None, back, kept)
    at = ids.index(query_id)
    before, after = ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None
    return Walk(at, len(ids), before, after, back, kept)


def _chosen(asked: Asked, dataset: Dataset) -> list[int]:
    given = [number for number in dict.fromkeys(asked.numbers("s")) if number < len(dataset.systems)]
    return given or list(range(min(len(dataset.systems), SIDE_BY_SIDE)))


def _values(shelf: Shelf, dataset: Dataset, query_id: str) -> dict[str, dict[str, float]]:
    """System -> measure -> value."""
    board, values = shelf.board_of(dataset), dict[str, dict[str, float]]()
    for measure in board.measures if board else ():
        for system, value in board.values(query_id, measure).items() if board else ():
            values.setdefault(system, {})[measure] = value
    return values


def _ranking(
    system: System,
    query_id: str,
    depth: int,
    known: tuple[Mapping[str, Passage], Mapping[str, int]],
    values: Mapping[str, Mapping[str, float]],
) -> Ranking:
    passages, grades = known
    ids, scores, forced = system.ranking(query_id), system.scores(query_id, depth), system.forced(query_id)
    ranked = [
        RankedPassage(rank, passages[doc], score, grades.get(doc), doc in forced)
        for rank, (doc, score) in enumerate(zip(ids[:depth], scores, strict=True), start=1)
    ]
    positives = {doc for doc, grade in grades.items() if grade >= 1}
    return Ranking(
        system.name, tuple(ranked), len(ids), _best(system, query_id, positives), values.get(system.name, {})
    )


def _best(system: System, query_id: str, positives: set[str]) -> int | None:
    ranked = enumerate(system.ranking(query_id), start=1)
    return next((rank for rank, doc in ranked if doc in positives), None)
