"""One table of what several reports say: a row a system, a column a dataset."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyrite.core import DataError, Estimate, RecipeError, Report
from pyrite.evaluation.align import align
from pyrite.evaluation.significance import compare
from pyrite.evaluation.table import Table, format_estimate, left_out_note

SAME = 1e-9
"""Means nearer than this are one number, measured twice."""


@dataclass(frozen=True)
class Entry:
    """One system's estimate on one dataset."""

    system: str
    family: str
    dataset: str
    estimate: Estimate
    report: Report


@dataclass(frozen=True)
class Leaderboard:
    """What reports say by one measure, systems and datasets in the order of the table.

    Attributes:
        measure: as it prints. datasets, systems: their names; the systems best first.
        entries: (system, dataset) -> its estimate; some may be missing.
        means: system -> mean over the datasets, for those that have them all.
        left_out: systems of the reports that have no place here, since positives were put into their candidates.
    """

    measure: str
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    entries: dict[tuple[str, str], Entry]
    means: dict[str, float]
    left_out: tuple[str, ...] = ()

    @cached_property
    def groups(self) -> dict[str, str]:
        """System -> letters of the groups of systems that can't be told apart, on one dataset only."""
        if len(self.datasets) > 1 or len(self.systems) < 2:
            return {}
        return _groups(self.entries, self.systems, self.datasets[0], self.measure)

    def table(self) -> Table:
        """The leaderboard as strings; with one dataset a letter for each group of systems that can't be told apart."""
        several, grouped = len(self.datasets) > 1, bool(self.groups)
        header = ["system", "family", *(["group"] if grouped else []), *(["mean"] if several else []), *self.datasets]
        rows = []
        for system in self.systems:
            own = [self.entries.get((system, dataset)) for dataset in self.datasets]
            family = next(entry.family for entry in own if entry is not None)
            mean = f"{self.means[system]:.4f}" if system in self.means else ""
            cells = [format_estimate(entry.estimate) if entry is not None else "" for entry in own]
            group = [self.groups.get(system, "")] if grouped else []
            rows.append((system, family, *group, *([mean] if several else []), *cells))
        letters = (
            "Systems that share a letter can't be told apart (paired randomisation test, Holm-corrected, p < 0.05)."
        )
        notes = (*([letters] if grouped else []), *left_out_note(self.left_out))
        return Table(f"Leaderboard: {self.measure}", tuple(header), tuple(rows), notes, named_by=2 + grouped)

    def to_csv(self) -> str:
        """One line a system and dataset: system, family, dataset, measure, mean, low, high."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["system", "family", "dataset", "measure", "mean", "low", "high"])
        for system in self.systems:
            for dataset in self.datasets:
                if entry := self.entries.get((system, dataset)):
                    numbers = [entry.estimate.mean, entry.estimate.low, entry.estimate.high]
                    writer.writerow([system, entry.family, dataset, self.measure, *numbers])
        return out.getvalue()


def leaderboard(reports: Sequence[Report], measure: str) -> Leaderboard:
    """The systems of all reports by one measure.

    A system that several reports of one dataset have must have one number there. DataError where it has two, or where
    reports of one dataset measure other queries; RecipeError where a report lacks the measure.
    """
    entries: dict[tuple[str, str], Entry] = {}
    queries: dict[str, tuple[str, ...]] = {}
    for report in reports:
        dataset = f"{report.dataset}, {report.split}" if report.split else report.dataset
        if queries.setdefault(dataset, report.query_ids) != report.query_ids:
            raise DataError(
                f"two reports of '{dataset}' measure other queries", fix="measure both by one protocol (--queries)"
            )
        for system in report.systems:
            if measure not in system.measures:
                raise RecipeError(
                    f"the report of '{dataset}' has no {measure}", fix=f"ask for one of {', '.join(system.measures)}"
                )
            entry = Entry(system.system, system.family, dataset, system.measures[measure], report)
            known = entries.setdefault((system.system, dataset), entry)
            if abs(known.estimate.mean - entry.estimate.mean) > SAME:
                raise DataError(
                    f"two reports of '{dataset}' have {measure} {known.estimate.mean:.4f} and "
                    f"{entry.estimate.mean:.4f} for {system.system}",
                    fix="leave one of them out, or give the systems names of their own",
                )
    return _ordered(entries, tuple(queries), measure)


def _ordered(entries: dict[tuple[str, str], Entry], datasets: tuple[str, ...], measure: str) -> Leaderboard:
    names = list(dict.fromkeys(system for system, _ in entries))
    held = {name: [entries[name, one].estimate.mean for one in datasets if (name, one) in entries] for name in names}
    means = {name: float(np.mean(values)) for name, values in held.items() if len(values) == len(datasets)}
    # A mean over fewer datasets is not comparable: those systems come after the others.
    order = sorted(names, key=lambda name: (name not in means, -float(np.mean(held[name]))))
    return Leaderboard(measure, datasets, tuple(order), entries, means)


def _groups(
    entries: dict[tuple[str, str], Entry], systems: Sequence[str], dataset: str, measure: str
) -> dict[str, str]:
    chosen = []
    for name in systems:
        report = entries[name, dataset].report
        own = next(system for system in report.systems if system.system == name)
        chosen.append(Report(report.dataset, report.split, report.queries, report.query_ids, (own,)))
    found = compare(align(chosen, measure)).groups
    letters = {number: _letters(number) for number in range(len(found))}
    return {name: "".join(letters[number] for number, group in enumerate(found) if name in group) for name in systems}


def _letters(number: int) -> str:
    """a, b, ... z, then a1, b1, ..."""
    turn, place = divmod(number, 26)
    return f"{chr(ord('a') + place)}{turn or ''}"
