"""Which systems can be told apart."""

import numpy as np
import pytest

from pyrite.core import DataError, Estimate, QueryCounts, Report, SystemReport
from pyrite.evaluation import Aligned, compare, difficulty, holm, leaderboard, randomisation_test, significance
from pyrite.evaluation.significance import inseparable


def aligned(**systems):
    values = np.array(list(systems.values()), np.float64)
    return Aligned("RR", tuple(f"q{row}" for row in range(values.shape[1])), tuple(systems), values)


def test_two_systems_that_differ_in_one_of_200_queries_are_one_group():
    """O28: a better mean is not a better system; exchanging the one value that differs is as extreme, so p is 1."""
    base = np.tile([1.0, 0.5, 0.0, 1.0], 50)
    other = base.copy()
    other[2] = 1.0
    compared = compare(aligned(base=base, other=other))
    (pair,) = compared.pairs
    assert compared.groups == (("other", "base"),)
    assert compared.separated == 0
    assert (pair.better, pair.worse, pair.p, pair.p_holm) == ("other", "base", 1.0, 1.0)
    assert (pair.wins, pair.losses, pair.ties) == (1, 0, 199)
    assert pair.difference.mean == pytest.approx(1 / 200)
    assert pair.difference.low == 0.0


def test_the_same_question_is_computed_once_in_whatever_order_its_systems_are(monkeypatch):
    """Groups, difficulty and a leaderboard of one report ask it of the same values."""
    asked = []
    whole = significance._flipped_sums
    monkeypatch.setattr(
        significance, "_flipped_sums", lambda values, **more: asked.append(len(values)) or whole(values, **more)
    )
    rows = {name: np.random.default_rng(5 + place).random(40) for place, name in enumerate("abc")}
    systems = tuple(
        SystemReport(name, "run", {}, {"RR": Estimate(*[float(held.mean())] * 3)}, {"RR": held})
        for name, held in rows.items()
    )
    report = Report("toy", "", QueryCounts(40, 40, 40, 0), tuple(f"q{row}" for row in range(40)), systems)
    found = difficulty(report, "RR")
    board = leaderboard([report], "RR")
    assert asked == [3]
    assert set(board.groups) == set("abc")
    assert compare(aligned(**dict(reversed(rows.items())))).separated == found.separated
    assert asked == [3]
    compare(aligned(**rows), seed=1)
    assert asked == [3, 3]


def test_a_system_that_is_better_almost_everywhere_is_told_apart():
    base = np.tile([0.2, 0.4, 0.6, 0.1], 50)
    compared = compare(aligned(low=base, high=base + 0.3))
    (pair,) = compared.pairs
    assert compared.groups == (("high",), ("low",))
    assert compared.separated == 1
    assert pair.p == 1 / 10_001
    assert pair.difference.low == pytest.approx(0.3)
    assert [name for name, _ in compared.systems] == ["high", "low"]


def test_the_exact_p_is_the_share_of_exchanges_as_extreme():
    """Differences 3, 2, 1, -1, sum 5: of the 16 sign patterns +-(3 2 1 1), +-(3 2 1 -1), +-(3 2 -1 1) reach 5."""
    assert randomisation_test([3.0, 2.0, 1.0, 0.0, 7.0], [0.0, 0.0, 0.0, 1.0, 7.0]) == 6 / 16
    assert randomisation_test([1.0, 2.0], [1.0, 2.0]) == 1.0


def test_the_sampled_p_is_near_the_exact_one():
    """14 differences of 1, two of them negative: P(|2 B - 14| >= 10), B of Binomial(14, 1/2), is 212 / 16384."""
    first, second = np.array([1.0] * 12 + [0.0] * 2), np.array([0.0] * 12 + [1.0] * 2)
    p = randomisation_test(first, second, samples=50_000)
    assert p == pytest.approx(2 * (1 + 14 + 91) / 2**14, rel=0.15)
    assert p == randomisation_test(first, second, samples=50_000)
    assert p == pytest.approx(randomisation_test(second, first, samples=50_000))


def test_the_same_pair_has_the_same_p_alone_and_among_others():
    generator = np.random.default_rng(3)
    rows = {name: generator.random(60) for name in "abc"}
    compared = compare(aligned(**rows), samples=2_000)
    for pair in compared.pairs:
        assert pair.p == randomisation_test(rows[pair.better], rows[pair.worse], samples=2_000)
    assert [pair.p_holm for pair in compared.pairs] == holm([pair.p for pair in compared.pairs])


def test_a_random_difference_is_called_significant_about_as_often_as_the_level_says():
    generator = np.random.default_rng(0)
    called = sum(randomisation_test(*generator.random((2, 30)), samples=199) < 0.05 for _ in range(400))
    assert 0.02 < called / 400 < 0.09


def test_holm_corrects_by_hand():
    """0.01 x 4, 0.02 x 3, 0.03 x 2 stays at the running maximum, 0.5 x 1; never above 1."""
    assert holm([0.5, 0.01, 0.03, 0.02]) == pytest.approx([0.5, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_two_systems_share_a_group_if_and_only_if_they_are_not_told_apart():
    generator = np.random.default_rng(1)
    for _ in range(50):
        systems = 6
        apart = [(a, b) for a in range(systems) for b in range(a + 1, systems) if generator.random() < 0.4]
        groups = inseparable(systems, apart)
        for a in range(systems):
            for b in range(a + 1, systems):
                assert ((a, b) in apart) != any(a in group and b in group for group in groups)
        assert {member for group in groups for member in group} == set(range(systems))
        assert not any(set(one) < set(other) for one in groups for other in groups)


def test_a_system_between_two_others_is_in_both_groups():
    """They differ in 15, 8 and 7 queries, all one way: p is about 2 / 2^15, 2 / 2^8 and 2 / 2^7."""
    low = np.zeros(20)
    high = np.array([1.0] * 15 + [0.0] * 5)
    middle = np.array([1.0] * 8 + [0.0] * 12)
    compared = compare(aligned(low=low, middle=middle, high=high), alpha=0.005)
    assert [pair.p < 0.005 for pair in compared.pairs] == [False, True, False]
    assert compared.groups == (("high", "middle"), ("middle", "low"))


def test_one_system_alone_cannot_be_compared():
    with pytest.raises(DataError, match="only one system"):
        compare(aligned(alone=[1.0, 0.0]))


def test_comparing_again_gives_the_same_numbers():
    generator = np.random.default_rng(2)
    rows = {name: generator.random(40) for name in "abcd"}
    assert compare(aligned(**rows), samples=500) == compare(aligned(**rows), samples=500)
