"""Per-query values of several systems side by side, joined by query id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, RecipeError, Report


@dataclass(frozen=True)
class Aligned:
    """What a comparison needs.

    Attributes:
        measure: as it prints. query_ids: the queries that every system measured, in the first report's order.
        systems: one name a row of `values`.
        values: float64 of shape (systems, queries).
        left_out: queries that only some of the reports measured.
    """

    measure: str
    query_ids: tuple[str, ...]
    systems: tuple[str, ...]
    values: NDArray[np.float64]
    left_out: int = 0


def align(reports: Sequence[Report], measure: str) -> Aligned:
    """The values of one measure, of every system of every report, joined by query id.

    A system that several reports name appears once for each: "bm25:en", then "bm25:en (2)". Reports of different
    datasets, reports without a shared query, and a measure that a report lacks are errors.
    """
    first = reports[0]
    for report in reports:
        if (report.dataset, report.split) != (first.dataset, first.split):
            raise DataError(
                f"reports of '{_dataset(first)}' and of '{_dataset(report)}' can't be compared",
                fix="compare reports of one dataset and split",
            )
        for system in report.systems:
            if measure not in system.values:
                raise RecipeError(
                    f"the report has no values of {measure} for {system.system}",
                    fix=f"ask for one of {', '.join(system.values)}",
                )
    rows = [{query_id: row for row, query_id in enumerate(report.query_ids)} for report in reports]
    shared = tuple(query_id for query_id in first.query_ids if all(query_id in known for known in rows))
    if not shared:
        raise DataError("the reports share no query", fix="measure the same queries")
    names: list[str] = []
    values = []
    for report, known in zip(reports, rows, strict=True):
        taken = [known[query_id] for query_id in shared]
        for system in report.systems:
            names.append(_distinct(system.system, names))
            values.append(np.asarray(system.values[measure], dtype=np.float64)[taken])
    everywhere = dict.fromkeys(query_id for report in reports for query_id in report.query_ids)
    return Aligned(measure, shared, tuple(names), np.stack(values), len(everywhere) - len(shared))


def _dataset(report: Report) -> str:
    return f"{report.dataset}, {report.split}" if report.split else report.dataset


def _distinct(name: str, taken: Sequence[str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    return candidate
