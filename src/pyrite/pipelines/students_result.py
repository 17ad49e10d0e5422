"""train.json: what was trained, from what, on what, and what it gained."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyrite.core import DataError, Report
from pyrite.evaluation import Comparison
from pyrite.formats import read_json

SCHEMA = 1
TRAIN, STUDENT = "train.json", "student.json"


@dataclass(frozen=True)
class Line:
    """One trained student.

    Attributes:
        objective: on what. system: what the report calls it.
        rows: of the objective. dropped: of these, left out since their query is measured.
        steps: of the optimizer. loss: its mean over all of them.
        settings: everything that decides the weights and that the data do not.
        key: a digest of the model it started from, its rows and what was asked for.
    """

    objective: str
    system: str
    rows: int
    dropped: int
    steps: int
    loss: float
    settings: Mapping[str, Any]
    key: str


def line_text(line: Line) -> str:
    """A line as the JSON that lies beside the student's weights."""
    return _text({"schema": SCHEMA, **asdict(line)})


def stored_line(folder: Path, key: str) -> Line | None:
    """What a student's folder says of it; None where there is no student of this key.

    Args:
        folder: of the student. key: what it has to be made from.
    """
    try:
        held = read_json(folder / STUDENT)
    except DataError:
        return None
    if held.get("schema") != SCHEMA or held.get("key") != key:
        return None
    held.pop("schema")
    return Line(**held)


def result_text(report: Report, compared: Comparison, lines: Sequence[Line], about: Mapping[str, Any]) -> str:
    """The JSON of train.json: no time and no path in it, so that the same training has the same bytes.

    Args:
        report: the student as it came first, then one system a line. compared: the same systems.
        lines: the trained students. about: dataset, student, protocol: what else is told.
    """
    before, *after = report.systems
    measures = [{name: vars(estimate) for name, estimate in system.measures.items()} for system in report.systems]
    told = [
        {**asdict(line), "measures": own, "gain": _gain(compared, before.system, system.system)}
        for line, system, own in zip(lines, after, measures[1:], strict=True)
    ]
    return _text(
        {
            "schema": SCHEMA,
            **about,
            "held_out": {
                "dataset": report.dataset,
                "split": report.split,
                "queries": report.queries.measured,
                "measure": compared.measure,
            },
            "before": {"system": before.system, "settings": dict(before.settings), "measures": measures[0]},
            "trained": told,
            "comparison": asdict(compared),
            "versions": dict(report.versions),
        }
    )


def _gain(compared: Comparison, before: str, after: str) -> dict[str, Any]:
    """After minus before, whichever is better."""
    pair = next(pair for pair in compared.pairs if {pair.better, pair.worse} == {before, after})
    difference = pair.difference
    mean, low, high, up, down = difference.mean, difference.low, difference.high, pair.wins, pair.losses
    if pair.better == before:
        mean, low, high, up, down = -mean, -high, -low, down, up
    return {
        "mean": mean,
        "low": low,
        "high": high,
        "p": pair.p,
        "p_holm": pair.p_holm,
        "better": up,
        "worse": down,
        "equal": pair.ties,
    }


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
