"""train.json says after minus before, whichever of them is better."""

import json
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Estimate, QueryCounts, Report, SystemReport
from pyrite.evaluation import align, compare
from pyrite.pipelines.students_result import STUDENT, Line, line_text, result_text, stored_line

LINE = Line("pairs", "dense:m after pairs", 10, 2, 3, 0.5, {"seed": 0}, "key")


def report(before: list[float], after: list[float]) -> Report:
    def system(name: str, values: list[float]) -> SystemReport:
        mean = float(np.mean(values))
        return SystemReport(name, "dense", {}, {"RR@10": Estimate(mean, 0.0, 1.0)}, {"RR@10": np.array(values)})

    ids = tuple(f"q{n}" for n in range(len(before)))
    counts = QueryCounts(len(ids), len(ids), len(ids), 0)
    return Report("toy", "", counts, ids, (system("dense:m", before), system(LINE.system, after)))


@pytest.mark.parametrize(
    ("before", "after", "gain", "better", "worse"),
    [
        ([0.0, 0.5, 1.0, 0.0], [1.0, 1.0, 0.5, 0.0], 0.25, 2, 1),
        ([1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0, 0.0], -0.25, 1, 2),
    ],
)
def test_a_gain_is_after_minus_before(
    before: list[float], after: list[float], gain: float, better: int, worse: int
) -> None:
    measured = report(before, after)
    told = json.loads(result_text(measured, compare(align([measured], "RR@10")), [LINE], {"student": "dense:m"}))
    found = told["trained"][0]["gain"]
    assert (found["mean"], found["better"], found["worse"], found["equal"]) == (gain, better, worse, 1)
    assert found["low"] <= gain <= found["high"]
    assert told["before"]["measures"]["RR@10"]["mean"] == np.mean(before)
    assert told["student"] == "dense:m"


def test_a_student_is_known_by_its_key(tmp_path: Path) -> None:
    assert stored_line(tmp_path, "key") is None
    (tmp_path / STUDENT).write_text(line_text(LINE))
    assert stored_line(tmp_path, "key") == LINE
    assert stored_line(tmp_path, "other") is None
