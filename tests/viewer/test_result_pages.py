"""Pages of results: means as the reports have them, and two systems query by query."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.viewer import open_paths
from pyrite.viewer.asked import Asked, NotThereError
from pyrite.viewer.result_pages import compare_page, results_page


def test_the_systems_stand_with_their_own_means(results: Path) -> None:
    told = results_page(open_paths([results]), Asked.of("board=0"))
    assert [(name, system.measures["RR@10"].mean) for name, system in told["rows"]] == [
        ("first", 0.5),
        ("second", pytest.approx(2.5 / 3)),
    ]


def test_lost_queries_come_first_the_greatest_loss_on_top(dataset: Path, results: Path) -> None:
    told = compare_page(open_paths([dataset, results]), Asked.of("board=0"))
    rows = [(query_id, ours, theirs, difference) for query_id, _, ours, theirs, difference in told["rows"]]
    assert rows == [("q3", 0.0, 1.0, -1.0), ("q2", 0.5, 1.0, -0.5)]
    assert told["rows"][0][1].segments[0].text == "What is salt?"
    won = compare_page(open_paths([dataset, results]), Asked.of("board=0&a=0&b=1&which=won"))
    assert [row[0] for row in won["rows"]] == ["q1"]


def test_without_the_dataset_there_are_ids_alone(results: Path) -> None:
    told = compare_page(open_paths([results]), Asked.of("board=0&which=all"))
    assert [(row[0], row[1]) for row in told["rows"]] == [("q1", None), ("q2", None), ("q3", None)]


def test_one_system_twice_is_no_comparison(results: Path) -> None:
    with pytest.raises(NotThereError, match="no two systems"):
        compare_page(open_paths([results]), Asked.of("board=0&a=1&b=1"))
