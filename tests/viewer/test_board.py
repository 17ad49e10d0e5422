"""Systems of several reports side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pyrite.formats import read_report, write_report
from pyrite.pipelines import run_folders
from pyrite.viewer.board import boards_of, open_results, open_run


def test_two_systems_are_sorted_by_difference(results: Path) -> None:
    report, systems = open_results(results)
    (board,) = boards_of([(report, None)])
    duel = board.duel("first", "second", "RR@10")
    assert duel.query_ids == ("q1", "q2", "q3")
    assert duel.differences.tolist() == [0.5, -0.5, -1.0]
    assert (duel.won, duel.lost) == (1, 2)
    assert [duel.places(which) for which in ("won", "lost", "level", "all")] == [[0], [2, 1], [], [0, 1, 2]]
    assert [system.name for system in systems] == ["first", "second"]
    assert systems[1].ranking("q3") == ["d4"]


def test_reports_of_one_dataset_are_one_board_and_others_are_apart(results: Path) -> None:
    report = read_report(results)
    other = replace(report, dataset="other")
    alone = replace(report, query_ids=("x1", "x2", "x3"))
    boards = boards_of([(report, None), (other, None), (report, None)])
    assert [board.systems for board in boards] == [("first", "second", "first (2)", "second (2)"), ("first", "second")]
    assert len(boards_of([(report, None), (alone, None)])) == 2, "they share no query"


def test_the_runs_of_long_and_of_like_names_are_found_where_evaluate_puts_them(results: Path) -> None:
    report = read_report(results)
    long = "fusion:rrf,of=" + "+".join(f"dense:org/model-{number}" for number in range(20))
    names = [long, f"{long},k=9"]
    systems = tuple(replace(system, system=name) for system, name in zip(report.systems, names, strict=True))
    for own, folder in zip(("first", "second"), run_folders(names), strict=True):
        (results / "runs" / own).rename(results / "runs" / folder)
    write_report(results, replace(report, systems=systems))
    assert [(one.name, one.ranking("q3")) for one in open_results(results)[1]] == [
        (long, ["d1", "d2", "d3"]),
        (f"{long},k=9", ["d4"]),
    ]


def test_one_query_has_a_value_a_system(results: Path) -> None:
    (board,) = boards_of([(read_report(results), None)])
    assert board.values("q2", "RR@10") == {"first": 0.5, "second": 1.0}
    assert board.values("q9", "RR@10") == {}


def test_a_run_file_is_a_system(results: Path) -> None:
    system = open_run(results / "runs" / "first" / "run.parquet")
    assert system.ranking("q2") == ["d1", "d3"]
