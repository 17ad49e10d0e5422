"""Decisions of a review: on the disk before anything else happens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyrite.core import DataError, RecipeError
from pyrite.formats import Review, append_review
from pyrite.viewer.queue import ReviewQueue


def test_a_decision_is_a_line_at_once_and_the_last_one_counts(audit: Path) -> None:
    queue = ReviewQueue(audit)
    queue.decide("pair-1", "unsure")
    queue.decide("pair-1", "relevant")
    queue.decide("query-1", "not relevant")
    lines = [json.loads(line) for line in (audit / "review.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == [
        {"item": "pair-1", "query-id": "q1", "corpus-id": "d2", "decision": "unsure"},
        {"item": "pair-1", "query-id": "q1", "corpus-id": "d2", "decision": "relevant"},
        {"item": "query-1", "query-id": "q2", "corpus-id": None, "decision": "not relevant"},
    ]
    again = ReviewQueue(audit)
    assert (again.decision("pair-1"), again.decision("leak-1"), again.open) == ("relevant", "", 1)


def test_items_are_chosen_by_kind_and_by_whether_they_are_decided(audit: Path) -> None:
    queue = ReviewQueue(audit)
    queue.decide("pair-1", "unsure")
    assert queue.kinds == {"false negative": 1, "ambiguous": 1, "leak": 1}
    assert [item["item"] for item in queue.chosen("leak")] == ["leak-1"]
    assert [item["item"] for item in queue.chosen(undecided=True)] == ["query-1", "leak-1"]


def test_what_another_window_decided_is_seen(audit: Path) -> None:
    queue = ReviewQueue(audit)
    append_review(audit / "review.jsonl", Review("leak-1", "q3", "d4", "relevant"))
    queue.refresh()
    assert queue.decision("leak-1") == "relevant"


def test_what_decides_nothing_is_refused_and_nothing_is_written(audit: Path) -> None:
    queue = ReviewQueue(audit)
    with pytest.raises(RecipeError, match="the queue has no item 'x'"):
        queue.decide("x", "relevant")
    with pytest.raises(RecipeError, match="'maybe' decides nothing"):
        queue.decide("pair-1", "maybe")
    assert not (audit / "review.jsonl").exists()


def test_a_decision_that_cannot_be_written_is_not_taken(audit: Path) -> None:
    queue = ReviewQueue(audit)
    (audit / "review.jsonl").mkdir()
    with pytest.raises(DataError, match="cannot be written"):
        queue.decide("pair-1", "relevant")
    assert queue.decision("pair-1") == ""
