"""Results folders side by side: tests between systems, leaderboards, and how faithful a subset is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyrite.core import FORCED_POSITIVES, RecipeError, Report
from pyrite.evaluation import Comparison, Fidelity, Leaderboard, align, compare, fidelity, leaderboard
from pyrite.formats import read_report


def read_results(path: Path) -> list[Report]:
    """The report of a results folder, or those of the folders in it, by name; a built dataset's `results` too."""
    for folder in (path, path / "results"):
        if (folder / "report.json").is_file():
            return [read_report(folder)]
        inside = sorted(file.parent for file in folder.glob("*/report.json"))
        if inside:
            return [read_report(one) for one in inside]
    raise RecipeError("has no report.json", where=str(path), fix="name a folder that evaluate --out wrote")


def compare_results(paths: Sequence[Path], measure: str | None = None) -> Comparison:
    """The systems of reports on one dataset compared: paired tests, wins and losses, groups.

    Numbers with forced positives answer another question and are left out, here as in what follows, and named.

    Args:
        paths: results folders.
        measure: as it prints; None: the first one of the first report.
    """
    reports, left_out = _as_retrieved(*paths)
    return replace(compare(align(reports, measure or first_measure(reports))), left_out=left_out)


def rank_results(paths: Sequence[Path], measure: str | None = None) -> Leaderboard:
    """One table of the systems of all results folders; the measure as in `compare_results`."""
    reports, left_out = _as_retrieved(*paths)
    return replace(leaderboard(reports, measure or first_measure(reports)), left_out=left_out)


def subset_fidelity(subset: Path, full: Path, measure: str | None = None) -> Fidelity:
    """How the results on a subset rank the systems, against those on the full set; the measure as above."""
    reports, _ = _as_retrieved(full)
    return fidelity(_as_retrieved(subset)[0], reports, measure or first_measure(reports))


def _as_retrieved(*paths: Path) -> tuple[list[Report], tuple[str, ...]]:
    """The reports without the systems that have no place in an order, and their names."""
    reports = [report for path in paths for report in read_results(path)]
    forced = [one.system for report in reports for one in report.systems if FORCED_POSITIVES in one.settings]
    return [report.as_retrieved() for report in reports], tuple(dict.fromkeys(forced))


def first_measure(reports: Sequence[Report]) -> str:
    """The measure that the first report names first."""
    return next(iter(reports[0].systems[0].measures))
