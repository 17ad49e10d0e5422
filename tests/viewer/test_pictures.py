"""Shapes of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from pyrite.viewer.pictures import HEIGHT, WIDTH, differences, histogram


def test_a_histogram_has_a_bin_as_high_as_its_share_of_the_highest() -> None:
    drawn = histogram([np.array([0.0, 0.0, 40.0]), np.array([20.5])])
    points = [tuple(map(float, point.split(","))) for point in drawn.shapes[0].split()]
    assert points[0] == (0.0, HEIGHT)
    assert points[1] == (0.0, 0.0), "the first bin is the highest"
    assert points[-2] == (WIDTH, HEIGHT / 2), "the last one has half as many"
    assert points[-1] == (WIDTH, HEIGHT)
    assert (drawn.at(0.0), drawn.at(20.0), drawn.at(40.0)) == (0.0, WIDTH / 2, WIDTH)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [(-3.0, 7.0, ["−2", "0", "2", "4", "6"]), (0.0, 0.5, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]), (5.0, 5.0, None)],
)
def test_the_axis_is_marked_at_round_numbers(low: float, high: float, labels: list[str] | None) -> None:
    drawn = histogram([np.array([low, high])])
    found = [label for _, label in drawn.ticks]
    assert found == labels if labels else "5" in found
    assert all(0 <= place <= WIDTH for place, _ in drawn.ticks)


def test_no_value_at_all_is_no_fault() -> None:
    assert histogram([np.array([1.0]), np.array([])]).shapes[1]
    assert differences(np.array([]))[0] == f"0,{HEIGHT // 2} {WIDTH},{HEIGHT // 2}"


def test_many_differences_are_thinned_and_keep_their_ends() -> None:
    won, lost = differences(np.linspace(1, -1, 10_000))
    assert len(won.split()) == len(lost.split()) == 2 * WIDTH + 2
    assert won.split()[1] == "0.0,0.0"
    assert lost.split()[-2] == f"{WIDTH:.1f},{HEIGHT:.1f}"
