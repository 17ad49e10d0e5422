"""What students gained by a mined set, as its card tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.core import DataError, Estimate
from pyrite.formats import read_json

SCHEMA = 1
SETTINGS = ("epochs", "batch_size", "learning_rate", "scale", "temperature", "contrast", "max_length", "seed")
"""What the card shows of how a student was trained."""


@dataclass(frozen=True)
class TrainedRow:
    """One student that was trained.

    Attributes:
        objective: on what. rows: that it was trained on.
        reached: its mean on the held-out queries. gained: after minus before, over the same queries.
        p: of the paired test, corrected for all pairs of students.
        settings: name -> value.
    """

    objective: str
    rows: int
    reached: Estimate
    gained: Estimate
    p: float
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Gain:
    """A student before and after, on one held-out collection.

    Attributes:
        student: its short form. dataset: it was measured on. split: of it, or "". queries: the denominator.
        measure: as it prints. before: as the student came. trained: in the order in which they were trained.
    """

    student: str
    dataset: str
    split: str
    queries: int
    measure: str
    before: Estimate
    trained: tuple[TrainedRow, ...]


def find_gains(folder: Path, digest: str) -> list[Gain]:
    """The gains that lie in a folder's `results/`, by path; those of other tables than the folder's are left out.

    Args:
        folder: of a mined set. digest: of its tables as they are now.

    DataError for a train.json that is not whole.
    """
    found = []
    for path in sorted((folder / "results").glob("*/train.json")):
        held = read_json(path)
        try:
            if held["schema"] == SCHEMA and held["dataset"]["digest"] == digest:
                found.append(_gain(held))
        except (KeyError, TypeError) as error:
            raise DataError("is not a whole result of training", where=str(path), fix="train again") from error
    return found


def _gain(held: Mapping[str, Any]) -> Gain:
    about = held["held_out"]
    measure = about["measure"]
    return Gain(
        student=held["student"],
        dataset=about["dataset"],
        split=about["split"],
        queries=about["queries"],
        measure=measure,
        before=_estimate(held["before"]["measures"][measure]),
        trained=tuple(
            TrainedRow(
                objective=one["objective"],
                rows=one["rows"] - one["dropped"],
                reached=_estimate(one["measures"][measure]),
                gained=_estimate(one["gain"]),
                p=one["gain"]["p_holm"],
                settings={
                    name.replace("_", " "): one["settings"][name]
                    for name in SETTINGS
                    if one["settings"].get(name) is not None
                },
            )
            for one in held["trained"]
        ),
    )


def _estimate(held: Mapping[str, Any]) -> Estimate:
    return Estimate(held["mean"], held["low"], held["high"])
