"""The numbers behind the charts, as plain values for the page's script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Estimate, Ledger
from pyrite.reporting.naming import shown_systems
from pyrite.reporting.values import MeasuredSet, Page

BARS = 20
"""Bars of the histogram of a measure, whose values lie between 0 and 1."""


def chart_data(page: Page) -> dict[str, Any]:
    """What the script draws from; systems are told by their place in `systems`."""
    names = shown_systems(page.systems)
    places = {system: place for place, system in enumerate(page.systems)}
    return {
        "systems": list(names.values()),
        "apart": [places[name] for name in page.systems if name in page.apart],
        "boards": [
            {
                "measure": board.measure,
                "order": [places[name] for name in board.systems],
                "means": [[places[name], _short(mean)] for name, mean in board.means.items()],
            }
            for board in page.boards
        ],
        "sets": [_set(one, places) for one in page.sets],
        "lengths": [
            {
                "texts": one.texts,
                "of": one.of,
                "count": one.count,
                "p5": one.p5,
                "median": one.median,
                "p95": one.p95,
                "bins": [list(one_bin) for one_bin in one.bins],
            }
            for one in page.lengths
        ],
        "ledger": [
            {
                "stage": entry.stage,
                "unit": entry.unit,
                "in": entry.rows_in,
                "kept": entry.rows_out,
                "dropped": list(entry.dropped.items()),
            }
            for entry in Ledger.from_json(page.manifest.ledger).entries
        ]
        if page.manifest is not None
        else [],
    }


def _set(one: MeasuredSet, places: Mapping[str, int]) -> dict[str, Any]:
    means: dict[str, list[Any]] = {}
    bars: dict[str, list[Any]] = {}
    for system in one.report.systems:
        place = places[system.system]
        for measure, estimate in system.measures.items():
            letters = one.groups.get(measure, {}).get(system.system, "")
            means.setdefault(measure, []).append([place, *_estimate(estimate), letters])
            bars.setdefault(measure, []).append([place, _histogram(system.values[measure])])
    sweeps: dict[str, dict[str, list[Any]]] = {}
    for sweep, points in one.report.sweeps.items():
        for point in points:
            row = [places[point.system], point.at, point.documents, *_estimate(point.estimate)]
            sweeps.setdefault(sweep, {}).setdefault(point.measure, []).append(row)
    return {"name": one.name, "language": one.language, "means": means, "bars": bars, "sweeps": sweeps}


def _histogram(values: NDArray[np.float64]) -> list[int]:
    """How many of the values lie in each twentieth of 0..1; the last one holds the ones.

    >>> _histogram(np.array([0.0, 0.04, 0.96, 1.0])) == [2] + [0] * 18 + [2]
    True
    """
    return [int(count) for count in np.histogram(values, bins=BARS, range=(0.0, 1.0))[0]]


def _estimate(estimate: Estimate) -> tuple[float, float, float]:
    return _short(estimate.mean), _short(estimate.low), _short(estimate.high)


def _short(value: float) -> float:
    return round(float(value), 6)
