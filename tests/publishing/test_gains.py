"""Gains that lie beside a mined set, as far as they are of its tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from pyrite.core import DataError, Estimate
from pyrite.publishing.gains import find_gains

HELD: dict[str, Any] = {
    "schema": 1,
    "dataset": {"name": "mined", "digest": "abc"},
    "student": "dense:m",
    "held_out": {"dataset": "toy", "split": "test", "queries": 7, "measure": "RR@10"},
    "before": {"measures": {"RR@10": {"mean": 0.5, "low": 0.4, "high": 0.6}}},
    "trained": [
        {
            "objective": "n-tuples",
            "rows": 10,
            "dropped": 3,
            "settings": {"epochs": 3, "batch_size": 32, "max_length": None, "warmup": 0.1},
            "measures": {"RR@10": {"mean": 0.7, "low": 0.6, "high": 0.8}},
            "gain": {"mean": 0.2, "low": 0.1, "high": 0.3, "p": 0.01, "p_holm": 0.02},
        }
    ],
}


def put(folder: Path, name: str, held: dict[str, Any]) -> None:
    (folder / "results" / name).mkdir(parents=True)
    (folder / "results" / name / "train.json").write_text(json.dumps(held))


def test_a_gain_is_told_with_what_it_was_measured_on(tmp_path: Path) -> None:
    put(tmp_path, "trained", HELD)
    put(tmp_path, "other", {**HELD, "dataset": {"name": "mined", "digest": "of another day"}})
    (gain,) = find_gains(tmp_path, "abc")
    assert (gain.student, gain.dataset, gain.split, gain.queries, gain.measure) == (
        "dense:m",
        "toy",
        "test",
        7,
        "RR@10",
    )
    assert gain.before == Estimate(0.5, 0.4, 0.6)
    (row,) = gain.trained
    assert (row.objective, row.rows, row.reached, row.p) == ("n-tuples", 7, Estimate(0.7, 0.6, 0.8), 0.02)
    assert row.gained == Estimate(0.2, 0.1, 0.3)
    assert row.settings == {"epochs": 3, "batch size": 32}


def test_a_folder_without_results_has_no_gain(tmp_path: Path) -> None:
    assert find_gains(tmp_path, "abc") == []


def test_a_result_that_is_not_whole_is_named(tmp_path: Path) -> None:
    put(tmp_path, "trained", {name: value for name, value in HELD.items() if name != "before"})
    with pytest.raises(DataError, match=r"trained/train\.json: is not a whole result of training"):
        find_gains(tmp_path, "abc")
