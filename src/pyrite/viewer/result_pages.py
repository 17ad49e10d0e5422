"""Pages about what was measured: the systems of a dataset, and two of them query by query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyrite.viewer.asked import Asked, NotThereError, Span
from pyrite.viewer.board import Board, Duel
from pyrite.viewer.given import Shelf
from pyrite.viewer.pictures import differences
from pyrite.viewer.shown import CUT, show

WHICH = ("lost", "won", "level", "all")


def results_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """The systems measured on one dataset, with their means and intervals."""
    board = asked.among("board", shelf.boards)
    measured = [system for report in board.reports for system in report.systems]
    rows = [(name, system) for name, system in zip(board.systems, measured, strict=True)]
    return {"board": board, "number": asked.number("board"), "rows": rows}


@dataclass(frozen=True)
class Choice:
    """Two systems of a board, a measure, and which queries: "lost", "won", "level" or "all"."""

    board: Board
    duel: Duel
    which: str
    kept: dict[str, Any]

    @property
    def query_ids(self) -> list[str]:
        """The queries, in the order in which the page has them."""
        return [self.duel.query_ids[place] for place in self.duel.places(self.which)]


def choice_of(shelf: Shelf, asked: Asked) -> Choice:
    """The two systems that an address names; NotThereError where they are no two."""
    board = asked.among("board", shelf.boards)
    if len(board.systems) < 2:
        raise NotThereError("there is only one system to compare", where=board.title, fix="give further results")
    first = asked.number("a")
    second = asked.number("b", 1 if first == 0 else 0)
    if max(first, second) >= len(board.systems) or first == second:
        raise NotThereError("these are no two systems", where=board.title, fix="choose two that differ")
    measure, which = asked.choice("measure", board.measures), asked.choice("which", WHICH)
    kept = {"board": asked.number("board"), "a": first, "b": second, "measure": measure}
    return Choice(board, board.duel(board.systems[first], board.systems[second], measure), which, kept)


def compare_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """Two systems: the queries that the first won or lost, the greatest difference first."""
    choice = choice_of(shelf, asked)
    board, duel, dataset = choice.board, choice.duel, choice.board.dataset
    places = duel.places(choice.which)
    span = Span.of(asked, len(places))
    rows = []
    for place in places[span.rows]:
        query_id = duel.query_ids[place]
        there = dataset is not None and query_id in dataset.queries
        text = dataset.queries[dataset.queries.position(query_id)].text if dataset is not None and there else ""
        ours, theirs = duel.values[:, place].tolist()
        rows.append((query_id, show(text, cut=CUT) if there else None, ours, theirs, ours - theirs))
    return {
        **choice.kept,
        "number": choice.kept["board"],
        "board": board,
        "duel": duel,
        "which": choice.which,
        "kept": choice.kept,
        "span": span,
        "rows": rows,
        "set": shelf.datasets.index(dataset) if dataset is not None else None,
        "areas": differences(duel.differences),
        "means": duel.values.mean(axis=1).tolist(),
    }
