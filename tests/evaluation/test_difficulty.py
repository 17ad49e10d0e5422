"""Saturated and undecided datasets say so."""

import numpy as np
import pytest

from pyrite.core import Estimate, QueryCounts, Report, SystemReport
from pyrite.evaluation import difficulty


def report(*means):
    """One system a mean; every query of a system has that value."""
    systems = [
        SystemReport(f"s{row}", "run", {}, {"nDCG@10": Estimate(mean, mean, mean)}, {"nDCG@10": np.full(40, mean)})
        for row, mean in enumerate(means)
    ]
    query_ids = tuple(f"q{row}" for row in range(40))
    return Report("toy", "", QueryCounts(40, 40, 40, 0), query_ids, tuple(systems))


def test_five_systems_from_95_to_97_raise_the_ceiling_and_the_low_variance_flags():
    """O29: sd of .950 .955 .960 .965 .970 is .0079; the headroom is 1 - .97."""
    found = difficulty(report(0.95, 0.955, 0.96, 0.965, 0.97), "nDCG@10")
    assert found.flags == ("ceiling", "low variance")
    assert (found.mean, found.sd) == (pytest.approx(0.96), pytest.approx(0.0079, abs=5e-5))
    assert found.headroom == pytest.approx(0.03)
    assert (found.pairs, found.separated) == (10, 10)
    assert found.sentences[0].startswith("Ceiling: nDCG@10 is near its maximum for all (mean 0.960, ")


@pytest.mark.parametrize(
    ("means", "flags"),
    [
        ((0.01, 0.02, 0.05), ("floor", "low variance")),
        ((0.50, 0.51), ("low variance",)),
        ((0.30, 0.55, 0.80), ()),
        ((0.99, 0.90, 0.88), ()),  # mean .923, but sd .059
        ((0.97, 0.90, 0.92), ("ceiling",)),  # sd .036
        ((0.95,), ("ceiling",)),
        ((0.50,), ()),
    ],
)
def test_flags_follow_the_mean_and_the_spread_over_systems(means, flags):
    """O29."""
    assert difficulty(report(*means), "nDCG@10").flags == flags


def test_systems_that_hardly_differ_are_not_separated():
    """O29: 0.5 in every query but one."""
    same = report(0.5, 0.5)
    same.systems[1].values["nDCG@10"][0] = 1.0
    found = difficulty(same, "nDCG@10")
    assert (found.pairs, found.separated) == (1, 0)
    assert "Separated: 0 of 1 pairs of systems (p < 0.05, Holm-corrected)." in found.sentences
