"""Comparisons as tables: who is in which group, and every pair with its tests."""

import numpy as np

from pyrite.evaluation import Aligned, compare, comparison_tables


def test_the_tables_say_groups_differences_and_counts() -> None:
    chance = np.random.default_rng(0)
    level = chance.random(60) * 0.5
    values = np.stack([level, np.clip(level + 0.3, 0, 1), level + chance.choice([-0.01, 0.01], 60)])
    ids = tuple(f"q{number}" for number in range(60))
    systems, pairs = comparison_tables(compare(Aligned("RR@10", ids, ("low", "high", "near"), values)))
    assert systems.header == ("system", "RR@10", "group 1", "group 2")
    assert [(row[0], row[2], row[3]) for row in systems.rows] == [
        ("high", "x", ""),
        *sorted([("low", "", "x"), ("near", "", "x")], key=lambda row: row[0] != systems.rows[1][0]),
    ]
    assert systems.notes[0].startswith("60 queries; 2 of 3 pairs are told apart")
    first = pairs.rows[0]
    assert first[0] == "high"
    assert first[2].startswith("+0.")
    assert first[5] == "60 / 0 / 0"
