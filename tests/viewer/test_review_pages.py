"""The page of a review queue."""

from __future__ import annotations

from pathlib import Path

from pyrite.viewer import open_paths
from pyrite.viewer.asked import Asked
from pyrite.viewer.review_pages import review_page


def test_items_have_the_texts_that_they_are_about(dataset: Path, audit: Path) -> None:
    told = review_page(open_paths([dataset, audit]), Asked.of("queue=0"))
    pair, ambiguous, leak = told["items"]
    assert (pair.document.doc_id, pair.positive.doc_id, pair.number) == ("d2", "d1", 1)
    assert [piece.text for piece in pair.document.text.segments if piece.kind] == ["Gold", "is"]
    assert (ambiguous.document, ambiguous.positive) == (None, None)
    assert leak.query.segments[0].text == "What is salt?"


def test_without_the_dataset_there_are_ids_alone(audit: Path) -> None:
    told = review_page(open_paths([audit]), Asked.of("queue=0&kind=leak"))
    (item,) = told["items"]
    assert (item.query, item.document, item.told["corpus-id"], told["set"]) == (None, None, "d4", None)


def test_what_is_decided_can_be_left_out(dataset: Path, audit: Path) -> None:
    shelf = open_paths([dataset, audit])
    shelf.queues[0].decide("pair-1", "relevant")
    assert [item.decision for item in review_page(shelf, Asked.of(""))["items"]] == ["relevant", "", ""]
    assert [item.told["item"] for item in review_page(shelf, Asked.of("which=open"))["items"]] == ["query-1", "leak-1"]
