"""One table of several reports: nothing is averaged that is not comparable."""

import numpy as np
import pytest

from pyrite.core import DataError, QueryCounts, RecipeError, Report, SystemReport
from pyrite.evaluation import bootstrap, leaderboard


def report(dataset: str, systems: dict[str, list[float]], queries: int = 40) -> Report:
    held = []
    for name, pattern in systems.items():
        values = np.resize(np.array(pattern), queries)
        held.append(SystemReport(name, name[:5], {}, {"RR@10": bootstrap(values)}, {"RR@10": values}))
    ids = tuple(f"q{number}" for number in range(queries))
    return Report(dataset, "", QueryCounts(queries, queries, queries, 0), ids, tuple(held))


def test_systems_of_several_machines_meet_in_one_table_best_first() -> None:
    board = leaderboard([report("toy", {"dense": [0.2, 0.4]}), report("toy", {"bm25": [0.9, 0.7]})], "RR@10")
    assert board.systems == ("bm25", "dense")
    assert [row[0] for row in board.table().rows] == ["bm25", "dense"]
    assert board.table().header == ("system", "family", "group", "toy")


def test_systems_that_cannot_be_told_apart_share_a_letter() -> None:
    """O28."""
    board = leaderboard([report("toy", {"a": [0.5, 0.5, 0.52, 0.49], "b": [0.5], "c": [0.1, 0.12]})], "RR@10")
    assert board.groups == {"a": "a", "b": "a", "c": "b"}
    assert [row[2] for row in board.table().rows] == ["a", "a", "b"]


def test_a_mean_is_taken_only_over_all_datasets() -> None:
    reports = [report("one", {"a": [0.2], "b": [0.9]}), report("two", {"a": [0.4]})]
    table = leaderboard(reports, "RR@10").table()
    assert table.header == ("system", "family", "mean", "one", "two")
    assert [(row[0], row[2], row[4]) for row in table.rows] == [
        ("a", "0.3000", "0.4000 [0.4000, 0.4000]"),
        ("b", "", ""),
    ]


def test_csv_has_a_line_a_system_and_dataset() -> None:
    lines = leaderboard([report("one", {"a,b": [0.25]})], "RR@10").to_csv().splitlines()
    assert lines == ["system,family,dataset,measure,mean,low,high", '"a,b","a,b",one,RR@10,0.25,0.25,0.25']


def test_two_numbers_for_one_system_and_two_sets_of_queries_are_refused() -> None:
    with pytest.raises(DataError, match=r"two reports of 'one' have RR@10 0\.2000 and 0\.4000 for a"):
        leaderboard([report("one", {"a": [0.2]}), report("one", {"a": [0.4]})], "RR@10")
    with pytest.raises(DataError, match="measure other queries"):
        leaderboard([report("one", {"a": [0.2]}), report("one", {"b": [0.4]}, queries=8)], "RR@10")
    assert len(leaderboard([report("one", {"a": [0.2]})] * 2, "RR@10").systems) == 1


def test_a_measure_that_is_not_there_is_told() -> None:
    with pytest.raises(RecipeError, match="no AP; ask for one of RR@10"):
        leaderboard([report("one", {"a": [0.2]})], "AP")
