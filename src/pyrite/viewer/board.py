"""What was measured on one dataset, by however many results folders: systems side by side, query by query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, Report, Run
from pyrite.evaluation import Aligned, align
from pyrite.formats import read_report, read_run
from pyrite.pipelines import run_folders
from pyrite.viewer.dataset import Dataset, System

LEVEL = 1e-9
"""Values nearer than this are level, as `pyrite compare` counts them."""


@dataclass(frozen=True)
class Duel:
    """Two systems on the same queries, sorted by difference: the first's greatest wins first.

    Attributes:
        first, second: their names. measure: as it prints.
        query_ids: sorted. values: float64 of shape (2, queries), in the same order.
        won, lost: how many queries the first system is above and below on; the others are level.
    """

    first: str
    second: str
    measure: str
    query_ids: tuple[str, ...]
    values: NDArray[np.float64]
    won: int
    lost: int

    @property
    def differences(self) -> NDArray[np.float64]:
        """First minus second, float64, falling."""
        return np.asarray(self.values[0] - self.values[1])

    def places(self, which: str) -> list[int]:
        """The places of the queries "won", "lost" (the greatest loss first), "level", or "all"."""
        count = len(self.query_ids)
        spans = {
            "won": range(self.won),
            "lost": range(count - 1, count - self.lost - 1, -1),
            "level": range(self.won, count - self.lost),
        }
        return list(spans.get(which, range(count)))


class Board:
    """The reports on one dataset and split.

    Args:
        reports: they name the same dataset and split, and have at least one measure in common.
        dataset: the split that they measure, where it was given.
    """

    def __init__(self, reports: Sequence[Report], dataset: Dataset | None) -> None:
        self.reports, self.dataset = tuple(reports), dataset
        self.name, self.split = reports[0].dataset, reports[0].split
        everywhere = [set(system.values) for report in reports for system in report.systems]
        self.measures = tuple(
            name for name in reports[0].systems[0].values if all(name in there for there in everywhere)
        )
        self._aligned: dict[str, Aligned] = {measure: align(reports, measure) for measure in self.measures}

    @property
    def title(self) -> str:
        """Dataset and split."""
        return f"{self.name}, {self.split}" if self.split else self.name

    @property
    def systems(self) -> tuple[str, ...]:
        """The names, those of several reports told apart as `align` does."""
        return next((aligned.systems for aligned in self._aligned.values()), ())

    def values(self, query_id: str, measure: str) -> dict[str, float]:
        """System -> value of one query; nothing where it was not measured."""
        aligned = self._aligned[measure]
        if query_id not in aligned.query_ids:
            return {}
        at = aligned.query_ids.index(query_id)
        return {name: float(row[at]) for name, row in zip(aligned.systems, aligned.values, strict=True)}

    def duel(self, first: str, second: str, measure: str) -> Duel:
        """Two of the systems, query by query."""
        aligned = self._aligned[measure]
        rows = [aligned.systems.index(name) for name in (first, second)]
        values = aligned.values[rows]
        differences = values[0] - values[1]
        order = np.argsort(-differences, kind="stable")
        return Duel(
            first=first,
            second=second,
            measure=measure,
            query_ids=tuple(aligned.query_ids[at] for at in order.tolist()),
            values=values[:, order],
            won=int((differences > LEVEL).sum()),
            lost=int((differences < -LEVEL).sum()),
        )


def open_results(folder: Path) -> tuple[Report, list[System]]:
    """The report of a results folder, and the runs that lie beside it."""
    report = read_report(folder)
    names = [one.system for one in report.systems]
    files = [(name, folder / "runs" / own / "run.parquet") for name, own in zip(names, run_folders(names), strict=True)]
    return report, [System(name, _reader(file, name)) for name, file in files if file.is_file()]


def open_run(path: Path) -> System:
    """The run in a file, read at once."""
    run = read_run(path)
    return System(run.system, lambda: run, path)


def _reader(path: Path, name: str) -> Callable[[], Run]:
    return lambda: read_run(path).named(name)


def boards_of(reports: Sequence[tuple[Report, Dataset | None]]) -> list[Board]:
    """Reports by dataset and split, in the order in which each is first met; those that share nothing stay apart."""
    groups: dict[tuple[str, str], list[tuple[Report, Dataset | None]]] = {}
    for report, dataset in reports:
        groups.setdefault((report.dataset, report.split), []).append((report, dataset))
    boards = []
    for group in groups.values():
        dataset = next((one for _, one in group if one is not None), None)
        try:
            boards.append(Board([report for report, _ in group], dataset))
        except DataError:  # they share no query
            boards += [Board([report], dataset) for report, _ in group]
    return boards
