"""Reports: per query first; means and intervals derive from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCHEMA = 1
FORCED_POSITIVES = "forced_positives"
"""The setting that says how many positives a reranker's candidates were given."""


@dataclass(frozen=True)
class Estimate:
    """A mean over queries with its 95% bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class QueryCounts:
    """Which queries a report is about; the denominator of every mean is `measured`.

    Attributes:
        total: queries of the dataset.
        selected: how many the protocol takes (the headline prefix, or what was asked for).
        measured: selected queries with at least one positive: the denominator.
        without_positives: selected queries left out because nothing relevant is judged.
        missing_from_run: system -> measured queries that its run lacks or leaves empty; each counts 0.
    """

    total: int
    selected: int
    measured: int
    without_positives: int
    missing_from_run: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SystemReport:
    """One system's values.

    Attributes:
        system: its name; family: lexical, dense, sparse, multi-vector, reranker, fusion or run.
        settings: everything that decides its output (analyzer, k1, b, versions).
        measures: measure -> mean with interval.
        values: measure -> float64 array, one value a measured query, in `Report.query_ids` order.
        truncated: share of documents and queries that the system cut, where it cuts any.
        tied: share of the measured queries whose ranking rests on a tie of scores; None: not known.
    """

    system: str
    family: str
    settings: Mapping[str, Any]
    measures: Mapping[str, Estimate]
    values: Mapping[str, NDArray[np.float64]]
    truncated: Mapping[str, float] = field(default_factory=dict)
    tied: float | None = None


@dataclass(frozen=True)
class SweepPoint:
    """One system's estimate at one point of a sweep (a number of distractors, a maximum length).

    Attributes:
        truncated: as in `SystemReport`, at this point.
    """

    system: str
    measure: str
    at: int
    documents: int
    estimate: Estimate
    truncated: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What was measured on one dataset, by one protocol.

    Attributes:
        dataset: its name. split: its split, or "".
        queries: the counts by rule. query_ids: the measured queries, in order.
        systems: one report a system, in the order in which they were asked for.
        sweeps: sweep name ("distractors") -> points.
        rules: the sentences by which the numbers were made.
        versions: package -> version.
    """

    dataset: str
    split: str
    queries: QueryCounts
    query_ids: tuple[str, ...]
    systems: tuple[SystemReport, ...]
    sweeps: Mapping[str, tuple[SweepPoint, ...]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    def mean(self, measure: str, system: str | None = None) -> float:
        """The mean of a measure; `system` may be left out where there is only one."""
        return self._find(system).measures[measure].mean

    def as_retrieved(self) -> Report:
        """The same without the systems whose candidates were given the positives that the first stage had missed.

        Their numbers answer another question, and have no place in an order of systems.

        >>> own = SystemReport("rerank:x", "reranker", {}, {}, {})
        >>> forced = SystemReport("rerank:x, forced", "reranker", {"forced_positives": 2}, {}, {})
        >>> report = Report("toy", "", QueryCounts(1, 1, 1, 0), ("q",), (own, forced))
        >>> [system.system for system in report.as_retrieved().systems]
        ['rerank:x']
        """
        kept = tuple(system for system in self.systems if FORCED_POSITIVES not in system.settings)
        return replace(self, systems=kept)

    def _find(self, system: str | None) -> SystemReport:
        if system is None and len(self.systems) == 1:
            return self.systems[0]
        return next(report for report in self.systems if report.system == system)

    def to_json(self) -> dict[str, Any]:
        """The schema-versioned form of `report.json`; per-query values go to `per_query.parquet`."""
        return {
            "schema": SCHEMA,
            "dataset": self.dataset,
            "split": self.split,
            "queries": {
                "total": self.queries.total,
                "selected": self.queries.selected,
                "measured": self.queries.measured,
                "without_positives": self.queries.without_positives,
                "missing_from_run": dict(self.queries.missing_from_run),
            },
            "systems": [
                {
                    "system": report.system,
                    "family": report.family,
                    "settings": dict(report.settings),
                    "measures": {name: vars(estimate) for name, estimate in report.measures.items()},
                    "truncated": dict(report.truncated),
                    **({} if report.tied is None else {"tied": report.tied}),
                }
                for report in self.systems
            ],
            "sweeps": {
                name: [
                    {
                        "system": point.system,
                        "measure": point.measure,
                        "at": point.at,
                        "documents": point.documents,
                        **vars(point.estimate),
                        **({"truncated": dict(point.truncated)} if point.truncated else {}),
                    }
                    for point in points
                ]
                for name, points in self.sweeps.items()
            },
            "rules": list(self.rules),
            "versions": dict(self.versions),
        }
