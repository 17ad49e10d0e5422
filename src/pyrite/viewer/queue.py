"""The review queue of an audit, and the decisions of whoever goes through it: the only thing that is written."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from pyrite.core import RecipeError
from pyrite.formats import DECISIONS, Review, append_review, read_json, read_queue, read_review
from pyrite.viewer.dataset import Dataset

REVIEW = "review.jsonl"


class ReviewQueue:
    """What an audit suspects, and what was decided of it.

    Args:
        folder: with audit.json, queue.parquet and, once something is decided, review.jsonl.

    A decision is appended to review.jsonl before `decide` returns. Several windows may decide at once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, folder.name
        told = read_json(folder / "audit.json")
        self.of, self.split = str(told.get("dataset") or ""), str(told.get("split") or "")
        self.items: list[dict[str, Any]] = read_queue(folder / "queue.parquet").to_pylist()
        self._places = {item["item"]: place for place, item in enumerate(self.items)}
        self._lock = Lock()
        self._read: tuple[int, int] | None = None
        self._decided: dict[str, str] = {}
        self.dataset: Dataset | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the decisions again where the file has changed: another window, or a person, may have written it."""
        path = self.folder / REVIEW
        with self._lock:
            told = path.stat() if path.is_file() else None
            seen = (told.st_mtime_ns, told.st_size) if told else (0, 0)
            if seen != self._read:
                self._decided = {item: review.decision for item, review in read_review(path).items()}
                self._read = seen

    @property
    def kinds(self) -> dict[str, int]:
        """Kind -> how many items."""
        counts: dict[str, int] = {}
        for item in self.items:
            counts[item["kind"]] = counts.get(item["kind"], 0) + 1
        return counts

    @property
    def open(self) -> int:
        """How many items are not decided."""
        return sum(item["item"] not in self._decided for item in self.items)

    def decision(self, item: str) -> str:
        """What was decided of an item last; "" where nothing was."""
        return self._decided.get(item, "")

    def chosen(self, kind: str = "", *, undecided: bool = False) -> list[dict[str, Any]]:
        """The items of a kind ("": of every kind), all or those without a decision, in the queue's order."""
        return [
            item
            for item in self.items
            if kind in ("", item["kind"]) and not (undecided and item["item"] in self._decided)
        ]

    def decide(self, item: str, decision: str) -> None:
        """Write one decision to the disk; RecipeError for an item that the queue lacks or a word that decides nothing.

        DataError where the disk does not take it; what was decided before stands then.
        """
        if item not in self._places:
            raise RecipeError(f"the queue has no item '{item}'", where=str(self.folder), fix="load the page again")
        known = next((one for one in DECISIONS if one == decision), None)
        if known is None:
            raise RecipeError(f"'{decision}' decides nothing", fix=f"say one of {', '.join(DECISIONS)}")
        row = self.items[self._places[item]]
        with self._lock:
            append_review(self.folder / REVIEW, Review(item, row["query-id"], row["corpus-id"], known))
            self._decided[item] = known
