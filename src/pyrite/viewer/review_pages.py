"""The page of a review queue: what an audit suspects, with the texts it is about, ready to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyrite.viewer.asked import Asked, Span
from pyrite.viewer.dataset import Dataset
from pyrite.viewer.dataset_pages import Passage, passages_of
from pyrite.viewer.given import Shelf
from pyrite.viewer.queue import ReviewQueue
from pyrite.viewer.shown import Shown, show

ITEMS = 15
"""Items of a page: each has two texts to read."""
SHOW = {"all": "all", "open": "without a decision"}


@dataclass(frozen=True)
class ReviewItem:
    """One suspicion: its row of the queue, the texts that are known, what was decided ("" where nothing was)."""

    told: Mapping[str, Any]
    number: int
    query: Shown | None
    document: Passage | None
    positive: Passage | None
    decision: str


def review_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """One page of a queue, in its order."""
    queue = asked.among("queue", shelf.queues)
    queue.refresh()
    kind, which = asked.choice("kind", ["", *queue.kinds]), asked.choice("which", SHOW)
    items = queue.chosen(kind, undecided=which == "open")
    span = Span.of(asked, len(items), ITEMS)
    shown = [_item(queue, told, at) for at, told in enumerate(items[span.rows], start=span.rows.start + 1)]
    return {
        "queue": queue,
        "number": asked.number("queue"),
        "kind": kind,
        "which": which,
        "options": SHOW,
        "span": span,
        "items": shown,
        "set": shelf.datasets.index(queue.dataset) if queue.dataset is not None else None,
    }


def _item(queue: ReviewQueue, told: Mapping[str, Any], number: int) -> ReviewItem:
    query, document, positive = _texts(queue.dataset, told) if queue.dataset is not None else (None, None, None)
    return ReviewItem(told, number, query, document, positive, queue.decision(told["item"]))


def _texts(dataset: Dataset, told: Mapping[str, Any]) -> tuple[Shown | None, Passage | None, Passage | None]:
    query_id = told["query-id"]
    text = dataset.queries[dataset.queries.position(query_id)].text if query_id in dataset.queries else None
    terms = dataset.terms(text) if text is not None else None
    wanted = [told[name] for name in ("corpus-id", "positive-id") if told[name] is not None]
    passages = passages_of(dataset, wanted, terms)
    query = show(text) if text is not None else None
    return query, passages.get(told["corpus-id"]), passages.get(told["positive-id"])
