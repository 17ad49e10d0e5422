"""What paths hold, what belongs together, and what is refused."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.core import DataError, RecipeError
from pyrite.formats import write_run, write_trec_run
from pyrite.viewer import Shelf, open_paths


def names(shelf: Shelf) -> dict[str, list[str]]:
    return {one.title: [system.name for system in one.systems] for one in shelf.datasets}


def test_everything_is_told_apart_and_joined(
    dataset: Path, results: Path, mined: Path, audit: Path, tmp_path: Path, make_run: Callable
) -> None:
    write_trec_run(tmp_path / "loose.trec", make_run("first"))
    shelf = open_paths([dataset, results, mined, audit, tmp_path / "loose.trec"])
    assert names(shelf) == {"minerals, test": ["first", "second", "first"]}
    assert [one.title for one in shelf.mined] == ["minerals-mined, n-tuples"]
    assert [board.dataset for board in shelf.boards] == [shelf.datasets[0]]
    assert shelf.board_of(shelf.datasets[0]) is shelf.boards[0]
    assert shelf.queues[0].dataset is shelf.datasets[0]
    shelf.read_ahead()


def test_a_run_that_no_report_has_is_told_with_the_command_that_would_measure_it(
    dataset: Path, results: Path, tmp_path: Path, make_run: Callable
) -> None:
    for name, of in (("my run.trec", "first"), ("second.trec", "second")):
        write_trec_run(tmp_path / name, make_run(of))
    runs = [tmp_path / "my run.trec", tmp_path / "second.trec"]
    shelf = open_paths([dataset, *runs])
    command = shlex.split(shelf.measuring(shelf.datasets[0]))
    assert command[:5] == ["pyrite", "evaluate", str(dataset), "--split", "test"]
    assert command[5:] == ["--system", f"run:{runs[0]}", "--system", f"run:{runs[1]}", "--out", "results"]
    measured = open_paths([dataset, results, *runs])
    assert measured.measuring(measured.datasets[0]) == ""
    assert open_paths([dataset]).measuring(open_paths([dataset]).datasets[0]) == ""
    # The command does what the page says of it.
    folder = tmp_path / "measured"
    with pytest.raises(SystemExit) as ended:
        main([*command[1:-1], str(folder), "--work", str(tmp_path / "work"), "--quiet"])
    assert ended.value.code == 0
    again = open_paths([dataset, folder, *runs])
    assert (again.measuring(again.datasets[0]), again.boards[0].systems) == ("", ("run:my run", "run:second"))


def test_a_folder_of_folders_is_as_good_as_each_of_them(dataset: Path, results: Path, tmp_path: Path) -> None:
    shelf = open_paths([tmp_path])
    assert names(shelf) == {"minerals, test": ["first", "second"]}


def test_the_results_of_a_built_dataset_are_its_own(dataset: Path, results: Path) -> None:
    (dataset / "results").mkdir()
    results.rename(dataset / "results" / "bm25")
    shelf = open_paths([dataset])
    assert [board.dataset for board in shelf.boards] == list(shelf.datasets)


def test_results_that_lie_in_the_dataset_without_a_folder_of_their_own_are_found(dataset: Path, results: Path) -> None:
    results.rename(dataset / "results")
    assert [board.dataset.name for board in open_paths([dataset]).boards] == ["minerals"]


def test_a_run_of_other_queries_or_documents_has_no_dataset(
    dataset: Path, tmp_path: Path, make_run: Callable, make_dataset: Callable
) -> None:
    write_run(tmp_path / "other.parquet", make_run("first"))
    other = make_dataset(tmp_path / "other", {"x1": "x"}, {"q1": "x?", "q2": "y?", "q3": "z?"}, [("q1", "x1", 1)])
    assert [run.name for run in open_paths([other, tmp_path / "other.parquet"]).loose] == ["other"]
    assert open_paths([dataset, tmp_path / "other.parquet"]).loose == ()


def test_a_dataset_that_is_not_given_is_not_read(dataset: Path, audit: Path, results: Path) -> None:
    told = {"schema": 1, "dataset": str(dataset), "split": "test"}
    (audit / "audit.json").write_text(json.dumps(told), encoding="utf-8")
    shelf = open_paths([audit, results])
    assert shelf.queues[0].dataset is None
    assert shelf.boards[0].dataset is None
    assert shelf.datasets == ()


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda path: None, "there is no such file or folder"),
        (lambda path: path.mkdir(), "holds nothing that can be shown"),
    ],
)
def test_what_is_no_such_thing_is_one_sentence(tmp_path: Path, made, told: str) -> None:
    made(tmp_path / "x")
    with pytest.raises(RecipeError, match=told):
        open_paths([tmp_path / "x"])
    with pytest.raises(RecipeError, match="no path is given"):
        open_paths([])


def test_a_file_that_is_no_run_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a line\n", encoding="utf-8")
    with pytest.raises(DataError, match="columns"):
        open_paths([tmp_path / "notes.txt"])


@pytest.mark.parametrize("place", ["qrels/test.parquet", "corpus", "provenance"])
def test_a_link_that_leads_out_is_refused(dataset: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    there = dataset / place
    if there.exists():
        there.rename(outside)
    else:
        outside.mkdir()
    there.symlink_to(outside)
    with pytest.raises(DataError, match="is a link that leads out"):
        open_paths([dataset])
    # What the person gave themselves may be reached through it.
    outside_given = [dataset, tmp_path]
    assert names(open_paths(outside_given))["minerals, test"] == []


def test_a_snapshot_of_the_hubs_cache_may_link_to_its_blobs(dataset: Path, tmp_path: Path) -> None:
    repository = tmp_path / "datasets--me--minerals"
    (repository / "blobs").mkdir(parents=True)
    (repository / "snapshots").mkdir()
    (dataset / "qrels/test.parquet").rename(repository / "blobs" / "1234")
    dataset.rename(repository / "snapshots" / "abcd")
    (repository / "snapshots/abcd/qrels/test.parquet").symlink_to("../../../blobs/1234")
    assert len(open_paths([repository / "snapshots" / "abcd"]).datasets) == 1
