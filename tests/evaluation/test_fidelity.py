"""Rank correlations against scipy, and refusals where they would say nothing."""

import numpy as np
import pytest
from scipy import stats

from pyrite.core import DataError, Estimate, QueryCounts, RecipeError, Report, SystemReport
from pyrite.evaluation import fidelity, fidelity_table
from pyrite.evaluation.fidelity import correlations


def report(means: dict[str, float], measure: str = "nDCG@10") -> Report:
    systems = tuple(
        SystemReport(name, "lexical", {}, {measure: Estimate(mean, mean, mean)}, {measure: np.array([mean])})
        for name, mean in means.items()
    )
    return Report("toy", "", QueryCounts(1, 1, 1, 0), ("q1",), systems)


SMALL = {"a": 0.5, "b": 0.6, "c": 0.4, "d": 0.9, "e": 0.1, "f": 0.3}
LARGE = {"a": 0.4, "b": 0.5, "c": 0.45, "d": 0.8, "e": 0.2, "f": 0.1}


def test_the_correlations_are_those_of_scipy_ties_included() -> None:
    chance = np.random.default_rng(0)
    for _ in range(50):
        first, second = chance.integers(0, 6, (2, 9)).astype(float)
        rows = chance.integers(0, 9, (20, 9))
        taus, rhos = correlations(first, second, rows)
        for row, tau, rho in zip(rows, taus, rhos, strict=True):
            if len(set(first[row])) > 1 and len(set(second[row])) > 1:
                assert tau == pytest.approx(stats.kendalltau(first[row], second[row]).statistic, abs=1e-12)
                assert rho == pytest.approx(stats.spearmanr(first[row], second[row]).statistic, abs=1e-12)
            else:
                assert np.isnan(tau)


def test_systems_are_joined_by_name_and_the_rest_is_named() -> None:
    found = fidelity([report({**SMALL, "only": 0.2})], [report(LARGE)], "nDCG@10")
    names = [name for name, _, _ in found.systems]
    assert names == ["d", "b", "c", "a", "e", "f"]
    assert found.left_out == ("only",)
    values = [SMALL[name] for name in names], [LARGE[name] for name in names]
    assert found.kendall.mean == pytest.approx(stats.kendalltau(*values).statistic)
    assert found.spearman.mean == pytest.approx(stats.spearmanr(*values).statistic)
    assert found.kendall.low <= found.kendall.mean <= found.kendall.high <= 1.0
    assert fidelity([report(SMALL)], [report(LARGE)], "nDCG@10", seed=1) != found
    assert fidelity([report({**SMALL, "only": 0.2})], [report(LARGE)], "nDCG@10") == found


def test_several_reports_of_a_side_are_averaged() -> None:
    half = {name: 2 * value - 0.05 for name, value in SMALL.items()}
    found = fidelity([report(half), report(dict.fromkeys(SMALL, 0.05))], [report(LARGE)], "nDCG@10")
    assert {name: mean for name, mean, _ in found.systems} == pytest.approx(SMALL)


def test_fewer_than_five_systems_are_refused() -> None:
    few = dict(list(SMALL.items())[:4])
    with pytest.raises(DataError, match="4 systems are measured on both sides, and a rank correlation of fewer than 5"):
        fidelity([report(few)], [report(LARGE)], "nDCG@10")


def test_systems_without_an_order_and_a_measure_that_is_not_there_are_refused() -> None:
    with pytest.raises(DataError, match="no order to compare"):
        fidelity([report(dict.fromkeys(SMALL, 0.5))], [report(LARGE)], "nDCG@10")
    with pytest.raises(RecipeError, match="no RR@10 for a; ask for one of nDCG@10"):
        fidelity([report(SMALL)], [report(LARGE)], "RR@10")


def test_resamples_without_an_order_are_counted() -> None:
    almost = {**dict.fromkeys(SMALL, 0.5), "a": 0.6}
    found = fidelity([report(almost)], [report(LARGE)], "nDCG@10")
    # All six draws miss the one system that differs in (5/6)^6 = 33% of the resamples, and 6^-6 have it only.
    assert found.undefined / 10_000 == pytest.approx((5 / 6) ** 6, abs=0.02)


def test_the_table_has_both_ranks() -> None:
    table = fidelity_table(fidelity([report(SMALL)], [report({**LARGE, "g": 0.0})], "nDCG@10"))
    assert table.rows[2] == ("c", "0.4500", "3", "0.4000", "4")
    assert "left out: g." in table.notes[1]
