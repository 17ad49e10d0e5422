"""What the results beside a dataset say, as the tables of its card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.core import FORCED_POSITIVES, Estimate, Report, SystemReport
from pyrite.formats import read_report

HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")

FAMILIES = {
    "lexical": "Lexical",
    "dense": "Dense",
    "sparse": "Sparse",
    "multi-vector": "Multi-vector",
    "reranker": "Reranker",
    "fusion": "Fusion",
    "run": "Run file",
}


@dataclass(frozen=True)
class ScoreRow:
    """One system of a score table; `cells` aligned with the table's measures, None where it was not measured."""

    system: str
    family: str
    cells: tuple[Estimate | None, ...]
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ScoreTable:
    """Systems that were measured on the same queries, best first by the first measure; those given positives last.

    Attributes:
        measured, selected, total: the denominator, what the protocol took, and what there is.
        rules: the sentences by which the numbers were made.
    """

    measures: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    measured: int
    selected: int
    total: int
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Curve:
    """One measure of several systems along a sweep; a cell is None where a system was not measured.

    Attributes:
        sweep: what varies ("distractors", "max_length").
        points: (value, documents in the corpus at it), ascending.
        rows: (system, one estimate a point).
    """

    sweep: str
    measure: str
    points: tuple[tuple[int, int], ...]
    rows: tuple[tuple[str, tuple[Estimate | None, ...]], ...]

    def spread(self, place: int) -> tuple[float, float]:
        """The lowest and the highest mean at the place-th point."""
        means = [cells[place].mean for _, cells in self.rows if cells[place] is not None]  # type: ignore[union-attr]
        return min(means), max(means)


def find_reports(folder: Path, results: Sequence[Path] = ()) -> list[Report]:
    """The reports in the folder's `results/` and in further folders of results, sorted by path."""
    found: list[Path] = []
    for root in (folder / "results", *results):
        found += [path.parent for path in sorted(root.rglob("report.json"))]
    return [read_report(path) for path in dict.fromkeys(found)]


def score_tables(reports: Iterable[Report]) -> list[ScoreTable]:
    """One table for each set of queries that was measured; a system measured twice is told once, as first found."""
    groups: dict[tuple[int, int, int], dict[str, SystemReport]] = {}
    rules: dict[tuple[int, int, int], tuple[str, ...]] = {}
    for report in reports:
        key = (report.queries.measured, report.queries.selected, report.queries.total)
        for system in report.systems:
            groups.setdefault(key, {}).setdefault(system.system, system)
        rules.setdefault(key, report.rules)
    return [_table(key, list(systems.values()), rules[key]) for key, systems in groups.items() if systems]


def _table(key: tuple[int, int, int], systems: list[SystemReport], rules: tuple[str, ...]) -> ScoreTable:
    measures = _headline_first(measure for system in systems for measure in system.measures)
    rows = [
        ScoreRow(
            system.system,
            FAMILIES.get(system.family, system.family),
            tuple(system.measures.get(measure) for measure in measures),
            tuple((name, _plain(value)) for name, value in sorted(system.settings.items()) if _plain(value)),
        )
        for system in systems
    ]
    apart = {system.system for system in systems if FORCED_POSITIVES in system.settings}
    rows.sort(key=lambda row: (-row.cells[0].mean if row.cells and row.cells[0] else 0.0, row.system))
    rows.sort(key=lambda row: row.system in apart)
    measured, selected, total = key
    return ScoreTable(measures, tuple(rows), measured, selected, total, rules)


def _headline_first(measures: Iterable[str]) -> tuple[str, ...]:
    """Distinct measures, nDCG before all others, else as they come."""
    return tuple(sorted(dict.fromkeys(measures), key=lambda measure: not measure.startswith("nDCG")))


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(inner)}" for name, inner in sorted(value.items()) if _plain(inner))
    if isinstance(value, list | tuple):
        return ", ".join(_plain(inner) for inner in value)
    return "" if value is None else str(value)


def curves(reports: Iterable[Report], sweep: str) -> list[Curve]:
    """The curve of one sweep over all reports, in the headline measure; a list of one, or of none."""
    by_measure: dict[str, dict[str, dict[tuple[int, int], Estimate]]] = {}
    for report in reports:
        for point in report.sweeps.get(sweep, ()):
            cells = by_measure.setdefault(point.measure, {}).setdefault(point.system, {})
            cells.setdefault((point.at, point.documents), point.estimate)
    made = []
    for measure in _headline_first(by_measure)[:1]:
        systems = by_measure[measure]
        points = tuple(sorted({point for cells in systems.values() for point in cells}))
        rows = [(system, tuple(cells.get(point) for point in points)) for system, cells in systems.items()]
        made.append(Curve(sweep, measure, points, tuple(rows)))
    return made


def find_mean(tables: Iterable[ScoreTable], measure: str, system: str) -> float | None:
    """A system's mean as a recipe names both: "bm25" finds "bm25:en", "org/model" finds "dense:org/model"."""
    for table in tables:
        for row in table.rows:
            family, _, rest = row.system.partition(":")
            if system in (row.system, family, re.split(r"[,@]", rest)[0]) and measure in table.measures:
                cell = row.cells[table.measures.index(measure)]
                if cell is not None:
                    return cell.mean
    return None


def best_models(tables: Iterable[ScoreTable]) -> dict[str, str]:
    """Family -> the hub id of its best measured model, for usage code that names a model worth trying."""
    best: dict[str, str] = {}
    for table in tables:
        for row in table.rows:
            family, _, rest = row.system.partition(":")
            model = re.split(r"[,@]", rest)[0]
            if HUB_ID.fullmatch(model):
                best.setdefault(family, model)
    return best


def published_rows(
    published: Mapping[str, Any], built: Mapping[str, Any], tables: Sequence[ScoreTable]
) -> list[tuple[str, Any, Any]]:
    """(what, published, built) for each number of a recipe's `[published]`; built is None where it is not known.

    >>> published_rows({"queries": 5000, "nDCG@10": {"bm25": 0.7501}}, {"queries": 5000}, [])
    [('queries', 5000, 5000), ('nDCG@10 of bm25', 0.7501, None)]
    """
    rows: list[tuple[str, Any, Any]] = []
    for name, value in published.items():
        if isinstance(value, Mapping):
            rows += [(f"{name} of {system}", told, find_mean(tables, name, system)) for system, told in value.items()]
        else:
            rows.append((name, value, built.get(name)))
    return rows
