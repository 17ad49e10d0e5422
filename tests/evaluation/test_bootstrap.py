"""Intervals: seeded, the same in one pass or alone, honest about spread."""

from importlib import import_module

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.evaluation import bootstrap, bootstrap_all
from pyrite.evaluation.bootstrap import BLOCK, resampled_means

VALUES = np.array([0.0, 0.25, 0.5, 1.0] * 25)


def test_the_interval_of_a_mean_is_near_the_one_of_the_normal_distribution():
    """sd / sqrt(n) = 0.0371 for these 100 values; 1.96 of it on either side, within a tenth."""
    found = bootstrap(VALUES)
    width = 1.96 * VALUES.std() / np.sqrt(len(VALUES))
    assert found.mean == VALUES.mean()
    assert found.low == pytest.approx(found.mean - width, abs=width / 10)
    assert found.high == pytest.approx(found.mean + width, abs=width / 10)


def test_the_interval_of_yes_and_no_is_the_binomial_one():
    """50 of 100: the 2.5% and 97.5% points of Binomial(100, 1/2) are 40 and 60."""
    found = bootstrap([1.0] * 50 + [0.0] * 50)
    assert (found.mean, found.low, found.high) == (0.5, pytest.approx(0.4), pytest.approx(0.6))


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    assert bootstrap(VALUES, seed=7) == bootstrap(VALUES.copy(), seed=7)
    assert bootstrap(VALUES, seed=7) != bootstrap(VALUES, seed=8)


def test_many_rows_in_one_pass_have_the_intervals_of_each_alone():
    rows = np.stack([VALUES, VALUES[::-1] ** 2, np.ones(100)])
    assert bootstrap_all(rows, samples=500) == tuple(bootstrap(row, samples=500) for row in rows)


def test_values_without_spread_have_an_interval_without_width():
    assert vars(bootstrap([1.0] * 9)) == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert vars(bootstrap([0.5])) == {"mean": 0.5, "low": 0.5, "high": 0.5}


def test_the_number_of_draws_held_at_once_does_not_change_the_numbers(monkeypatch):
    whole = resampled_means(VALUES[None, :], samples=300)
    monkeypatch.setattr(import_module("pyrite.evaluation.bootstrap"), "BLOCK", 7 * len(VALUES))
    assert 300 * len(VALUES) < BLOCK
    assert np.array_equal(resampled_means(VALUES[None, :], samples=300), whole)


def test_no_value_has_no_mean():
    with pytest.raises(DataError, match="no value to take a mean of"):
        bootstrap([])
