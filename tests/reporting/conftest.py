"""Reports made by hand, of two small sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pyrite.core import Estimate, QueryCounts, Report, SweepPoint, SystemReport
from pyrite.formats import Manifest
from pyrite.reporting import Board, Hardness, MeasuredSet, Page, TextLengths


@pytest.fixture
def make_system() -> Callable[..., SystemReport]:
    """A system from its values by one or two measures; intervals a tenth wide on both sides."""

    def made(
        name: str, *, family: str = "lexical", settings: dict[str, Any] | None = None, **values: Any
    ) -> SystemReport:
        arrays = {measure.replace("_", "@"): np.array(held, dtype=np.float64) for measure, held in values.items()}
        means = {measure: float(held.mean()) for measure, held in arrays.items()}
        return SystemReport(
            system=name,
            family=family,
            settings=settings or {},
            measures={name: Estimate(mean, max(0.0, mean - 0.1), min(1.0, mean + 0.1)) for name, mean in means.items()},
            values=arrays,
        )

    return made


@pytest.fixture
def make_set(make_system: Callable[..., SystemReport]) -> Callable[..., MeasuredSet]:
    """A set of four queries on which the systems of a mapping were measured by nDCG@10 and RR@10."""

    def made(name: str, values: dict[str, list[float]], *, split: str = "", sweeps: Any = None) -> MeasuredSet:
        systems = tuple(make_system(one, nDCG_10=held, RR_10=held[::-1]) for one, held in values.items())
        counts = QueryCounts(6, 5, 4, 1, dict.fromkeys(values, 0))
        report = Report(
            "minerals",
            split,
            counts,
            ("q1", "q2", "q3", "q4"),
            systems,
            sweeps or {},
            ("All is counted.",),
            {"numpy": "2"},
        )
        hard = Hardness(2, 0.7, 0.1, 0.8, 0.2, 1, 0, ("low variance",), ("Low variance: hardly differs.",))
        groups = {"nDCG@10": dict.fromkeys(values, "a")}
        return MeasuredSet(name, report, groups, {"nDCG@10": hard}, "en")

    return made


@pytest.fixture
def page(make_set: Callable[..., MeasuredSet]) -> Page:
    """A build of one set with two systems, with curves, lengths and a ledger."""
    points = [
        SweepPoint(system, "nDCG@10", at, 10 + at, Estimate(0.9 - at / 100, 0.8 - at / 100, 0.95), {})
        for system in ("good", "bad")
        for at in (0, 20)
    ]
    cut = [
        SweepPoint("good", "nDCG@10", at, 30, Estimate(share, share, share), {"documents": 1 - share})
        for at, share in ((32, 0.5), (64, 0.75))
    ]
    values = {"bad": [0.0, 0.5, 0.5, 1.0], "good": [0.0, 1.0, 1.0, 1.0]}
    one = make_set("minerals", values, sweeps={"distractors": tuple(points), "max_length": tuple(cut)})
    ledger = [
        {
            "stage": "passages",
            "unit": "rows",
            "in": 12,
            "kept": 9,
            "dropped": {"empty": 1, "seen before": 2},
            "notes": [],
        }
    ]
    manifest = Manifest(
        "benchmark",
        "minerals-en",
        "en",
        recipe={"name": "minerals-en"},
        versions={"pyrite": "0.1.0"},
        protocol={"headline_queries": 5},
        counts={"queries": 6, "corpus": 30},
        ledger=ledger,
        sources={"eval": {"path": "/data/eval.jsonl", "rows": 12, "digest": "abc"}},
    )
    return Page(
        "Minerals",
        (one,),
        (Board("nDCG@10", ("good", "bad"), {"good": 0.75, "bad": 0.5}), Board("RR@10", ("good", "bad"), {})),
        (
            TextLengths.of_lengths("documents", np.array([100, 120, 300])),
            TextLengths.of_lengths("queries", np.array([10, 20])),
        ),
        manifest,
        'kind = "benchmark"\n',
        "d1ge57",
    )


@pytest.fixture
def several(make_set: Callable[..., MeasuredSet]) -> Page:
    """Two languages and eight systems, one of which was measured on the first only."""
    values = {f"system {number}": [number / 10, 0.5, 0.25, 1.0] for number in range(8)}
    german = {name: held for name, held in values.items() if name != "system 7"}
    sets = (make_set("en", values, split="en"), make_set("de", german, split="de"))
    order = tuple(sorted(values, reverse=True, key=lambda name: (name != "system 7", name)))
    means = {name: float(np.mean(held)) for name, held in german.items()}
    return Page("Minerals in two languages", sets, (Board("nDCG@10", order, means), Board("RR@10", order, means)))


@pytest.fixture
def forced(make_set: Callable[..., MeasuredSet], make_system: Callable[..., SystemReport]) -> Page:
    """Two sets of two systems, one of them measured again with the positives that it had missed."""

    def with_forced(one: MeasuredSet) -> MeasuredSet:
        given = {"nDCG_10": [1.0] * 4, "RR_10": [1.0] * 4}
        system = make_system("good, given all", family="reranker", settings={"forced_positives": 3}, **given)
        return replace(one, report=replace(one.report, systems=(system, *one.report.systems)))

    values = {"bad": [0.0, 0.5, 0.5, 1.0], "good": [0.0, 1.0, 1.0, 1.0]}
    sets = tuple(with_forced(make_set(name, values, split=name)) for name in ("en", "de"))
    means = {"good": 0.75, "bad": 0.5, "good, given all": 1.0}
    boards = tuple(Board(measure, ("good", "bad"), means) for measure in ("nDCG@10", "RR@10"))
    return Page("Given", sets, boards)
