"""What is suspected becomes the rows of a review queue, each with an id of its own and a reason in words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.auditing.bars import Bars
from pyrite.auditing.sightings import NOWHERE, Sightings
from pyrite.auditing.suspects import Suspects
from pyrite.core import Collection
from pyrite.formats import QUEUE


@dataclass(frozen=True)
class Leak:
    """A query, or a positive of one, that another dataset holds.

    Attributes:
        query: its row. document: the row of the positive that leaks, or -1 where the query itself does.
        reason: what it is in the other dataset ("the same as a document, normalised").
        weight: how strong the reason is, from 0, the strongest.
    """

    query: int
    document: int
    reason: str
    weight: int


def item_id(kind: str, *parts: str) -> str:
    """The id of a suspicion: the same for the same ids in every audit, whatever characters they have.

    A pair has one id whether it is a likely false negative or a near-duplicate, so that a decision on it stays.

    >>> item_id("pair", "q1", "d7")
    'pair-2505a0b309cc0eba'
    """
    told = json.dumps([kind, *parts], ensure_ascii=False, separators=(",", ":"))
    return f"{kind}-{hashlib.blake2b(told.encode(), digest_size=8).hexdigest()}"


def queue_of(suspects: Suspects, leaks: Sequence[Leak] = ()) -> pa.Table:
    """The review queue: likely false negatives, near-duplicates, ambiguous queries, leaks; see `formats.QUEUE`.

    Most suspicious first within each kind, in an order that the pairs alone decide: see `Suspects` for the first three;
    leaks by the strength of the reason, the queries themselves before their positives, then by query and document.
    """
    rows = [
        *_false_negatives(suspects),
        *_near_duplicates(suspects),
        *_ambiguous(suspects),
        *_leaks(suspects.seen.collection, leaks),
    ]
    whole = [{name: row.get(name) for name in QUEUE.names} for row in rows]
    return pa.Table.from_pylist(whole, schema=QUEUE)


def _false_negatives(suspects: Suspects) -> Iterable[dict[str, Any]]:
    seen, bars, ids = suspects.seen, suspects.bars, _Ids(suspects.seen.collection)
    for row in suspects.false_negatives.tolist():
        query = int(seen.query[row])
        yield {
            **_pair(suspects, ids, row),
            "kind": "false negative",
            "positive-id": ids.document(_bar_document(seen, bars, query)),
            "reason": f"{_evidence(suspects, row)}{_uses(seen, row)}.",
        }


def _near_duplicates(suspects: Suspects) -> Iterable[dict[str, Any]]:
    seen, near, ids = suspects.seen, suspects.near, _Ids(suspects.seen.collection)
    rows = seen.find(near.query, near.document)
    for place in suspects.near_duplicates.tolist():
        row = int(rows[place])
        likeness = (
            "Its text is that of the positive but for case, width and white space"
            if near.same[place]
            else f"It shares {suspects.rules.near:g} or more of its 5-word shingles with the positive"
        )
        judged = "is judged not relevant" if seen.judged[row] else "is not judged"
        yield {
            **_pair(suspects, ids, row),
            "kind": "near-duplicate",
            "positive-id": ids.document(int(near.positive[place])),
            "reason": f"{likeness}, and {judged}{_uses(seen, row)}.",
        }


def _ambiguous(suspects: Suspects) -> Iterable[dict[str, Any]]:
    seen, bars, ids = suspects.seen, suspects.bars, _Ids(suspects.seen.collection)
    for query in suspects.ambiguous.tolist():
        above = int(bars.above[query])
        by = (
            f"the teacher scores {above:,} above"
            if bars.row[query] >= 0
            else f"every system ranks {above:,} or more above"
        )
        yield {
            "item": item_id("query", ids.query(query)),
            "kind": "ambiguous",
            "query-id": ids.query(query),
            "positive-id": ids.document(_bar_document(seen, bars, query)),
            "positive_logit": _number(bars.logit[query]),
            "above": above,
            "reason": f"Of the documents that are not known to be relevant, {by} {_the(suspects)} positive.",
        }


def _leaks(collection: Collection, leaks: Sequence[Leak]) -> Iterable[dict[str, Any]]:
    ids = _Ids(collection)
    for leak in sorted(leaks, key=lambda one: (one.weight, one.document >= 0, one.query, one.document)):
        query = ids.query(leak.query)
        positives = collection.qrels.positives(query)
        asked = leak.document < 0
        document = (positives[0] if positives else None) if asked else ids.document(leak.document)
        what = "query" if asked else "positive"
        yield {
            "item": item_id("leak", what, query, document or ""),
            "kind": "leak",
            "query-id": query,
            "corpus-id": document,
            "positive-id": document,
            "reason": f"The text of the {what} is {leak.reason} of the other dataset.",
        }


def _pair(suspects: Suspects, ids: _Ids, row: int) -> dict[str, Any]:
    """What both kinds of pairs say; system, rank and score are of the system that ranks the document best."""
    seen, bars = suspects.seen, suspects.bars
    query, document = int(seen.query[row]), int(seen.document[row])
    above = int(bars.above[query])
    told: dict[str, Any] = {
        "item": item_id("pair", ids.query(query), ids.document(document) or ""),
        "query-id": ids.query(query),
        "corpus-id": ids.document(document),
        "logit": _number(seen.logit[row]),
        "positive_logit": _number(bars.logit[query]),
        "above": above if above >= 0 else None,
    }
    ranks = seen.rank[:, row]
    if len(ranks) and ranks.min() < NOWHERE:
        best = int(ranks.argmin())
        told |= {"system": seen.systems[best], "rank": int(ranks[best]), "score": _number(seen.score[best, row])}
    return told


def _evidence(suspects: Suspects, row: int) -> str:
    seen, bars = suspects.seen, suspects.bars
    agree, systems = int(suspects.agreeing[row]), len(seen.systems)
    ranked = f"{agree} of {systems} systems rank{'s' if agree == 1 else ''} it above the positive" if systems else ""
    if suspects.evidence[row] < 2:
        bar = float(bars.logit[int(seen.query[row])])
        scored = f"The teacher scores it {float(seen.logit[row]):.2f} and {_the(suspects)} positive {bar:.2f}"
        return f"{scored}, and {ranked}" if ranked else scored
    return f"{ranked}, {_best(seen, row)}"


def _best(seen: Sightings, row: int) -> str:
    ranks = seen.rank[:, row]
    return f"{seen.systems[int(ranks.argmin())]} at rank {int(ranks.min())}"


def _uses(seen: Sightings, row: int) -> str:
    uses = int(seen.uses[row])
    return f"; it is a negative of {uses:,} mined row{'' if uses == 1 else 's'}" if uses else ""


def _the(suspects: Suspects) -> str:
    return f"the {suspects.rules.positive}"


def _bar_document(seen: Sightings, bars: Bars, query: int) -> int:
    """The positive that is the bar: the teacher's, or else the one that the systems rank best, or else the first."""
    if bars.row[query] >= 0:
        return int(seen.document[bars.row[query]])
    span = slice(int(seen.offsets[query]), int(seen.offsets[query + 1]))
    rows = np.flatnonzero(seen.positive[span]) + span.start
    if not len(rows):
        return -1
    best = seen.rank[:, rows].min(axis=0, initial=NOWHERE)
    return int(seen.document[rows[best.argmin()]])


def _number(value: np.floating[Any]) -> float | None:
    return None if np.isnan(value) else float(value)


class _Ids:
    """The ids of rows."""

    def __init__(self, collection: Collection) -> None:
        self._queries, self._documents = collection.queries.ids, collection.corpus.ids

    def query(self, row: int) -> str:
        """Of a query."""
        return str(self._queries[row].as_py())

    def document(self, row: int) -> str | None:
        """Of a document; None for -1."""
        return None if row < 0 else str(self._documents[row].as_py())
