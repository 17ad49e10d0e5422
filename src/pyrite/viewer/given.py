"""What the viewer was given: each path told apart, and what belongs together joined."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pyrite.core import DataError, PyriteError, RecipeError, Report
from pyrite.formats import format_of, layout, names_in
from pyrite.viewer.board import Board, boards_of, open_results, open_run
from pyrite.viewer.dataset import Dataset, System, open_splits
from pyrite.viewer.mined import MinedSet, open_mined
from pyrite.viewer.queue import ReviewQueue

_SHOWN = "a dataset folder, a mined set, a folder that evaluate --out or audit wrote, or a run"


@dataclass(frozen=True)
class Shelf:
    """Everything that the pages are about.

    Attributes:
        datasets: one a split. mined: one a config. boards: one a dataset that was measured. queues: of audits.
        loose: runs that rank no query of a given dataset.
    """

    datasets: tuple[Dataset, ...] = ()
    mined: tuple[MinedSet, ...] = ()
    boards: tuple[Board, ...] = ()
    queues: tuple[ReviewQueue, ...] = ()
    loose: tuple[System, ...] = ()

    def read_ahead(self) -> None:
        """Read what pages will ask for, so that the first of them need not wait; what is broken is told by its page."""
        for dataset in self.datasets:
            with suppress(PyriteError):
                _ = dataset.terms("")
                dataset.texts.find([dataset.qrels.doc_ids[0].as_py()] if len(dataset.qrels) else [])
            for system in dataset.systems:
                with suppress(PyriteError):
                    system.ranking("")
        for mined in self.mined:
            with suppress(PyriteError):
                mined.order("near")

    def board_of(self, dataset: Dataset) -> Board | None:
        """What was measured on a dataset, if anything."""
        return next((board for board in self.boards if board.dataset is dataset), None)

    def measuring(self, dataset: Dataset) -> str:
        """The command that would measure the runs of a dataset that no report has; "" where there is none.

        Nothing is computed here, so that without it they cannot be compared by a measure.
        """
        board = self.board_of(dataset)
        known = set(board.systems) if board is not None else set()
        # A report calls a run by its system, or where it measured the file by the file's name.
        loose = [one for one in dataset.systems if one.file and not known & {one.name, f"run:{one.file.stem}"}]
        runs = [f"run:{one.file}" for one in loose]
        split = ["--split", dataset.split] if dataset.split else []
        words = ["pyrite", "evaluate", str(dataset.folder), *split]
        words += [word for run in runs for word in ("--system", run)]
        return shlex.join([*words, "--out", "results"]) if runs else ""


def open_paths(paths: Sequence[Path]) -> Shelf:
    """What is at these paths, ready to be shown; the large tables are read when a page asks for them.

    Args:
        paths: dataset folders of any layout, mined sets, results folders, audits, runs; or folders that hold such.

    Raises:
        RecipeError: no path, or one that is not there or holds nothing that can be shown.
        DataError: a file of it is broken, or a link leads out of what was given.
    """
    if not paths:
        raise RecipeError("no path is given", fix=f"name {_SHOWN}")
    opened = _Opened([path.resolve() for path in paths])
    for path in paths:
        if not path.exists():
            raise RecipeError("there is no such file or folder", where=str(path), fix="check the path")
        whole = path.resolve()
        inside = sorted(one for one in whole.iterdir() if one.is_dir()) if whole.is_dir() else []
        # A folder of datasets, or of results, is as good as each of them.
        if not opened.take(whole) and not [one for one in inside if opened.take(one)]:
            raise RecipeError("holds nothing that can be shown", where=str(path), fix=f"name {_SHOWN}")
    return opened.shelf()


class _Opened:
    """What has been opened so far."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._datasets: list[Dataset] = []
        self._mined: list[MinedSet] = []
        self._reports: list[tuple[Report, list[System]]] = []
        self._queues: list[ReviewQueue] = []
        self._runs: list[System] = []

    def take(self, path: Path) -> bool:
        """Open what is at a path; False where it is nothing that is known."""
        kinds: list[tuple[Callable[[Path], bool], Callable[[Path], None]]] = [
            (Path.is_file, lambda path: self._runs.append(open_run(path))),
            (lambda path: (path / "audit.json").is_file(), lambda path: self._queues.append(ReviewQueue(path))),
            (lambda path: (path / "report.json").is_file(), lambda path: self._reports.append(open_results(path))),
            (lambda path: bool(_mined_configs(path)), lambda path: self._mined.extend(open_mined(path))),
            (_is_dataset, self._take_dataset),
        ]
        for known, open_it in kinds:
            if known(path):
                _refuse_links_out(path, self._roots)
                open_it(path)
                return True
        return False

    def _take_dataset(self, path: Path) -> None:
        self._datasets += open_splits(path)
        found = [*path.glob("results/report.json"), *sorted(path.glob("results/*/report.json"))]
        self._reports += [open_results(file.parent) for file in found]

    def shelf(self) -> Shelf:
        """Everything, with each run and report at the dataset that it is about."""
        placed: list[tuple[Report, Dataset | None]] = []
        for report, systems in self._reports:
            dataset = self._measured(report)
            placed.append((report, dataset))
            if dataset is not None:
                dataset.systems += systems
        loose = []
        for run in self._runs:
            homes = [dataset for dataset in self._datasets if _ranks(run, dataset)]
            for dataset in homes:
                dataset.systems.append(run)
            loose += [] if homes else [run]
        for queue in self._queues:
            queue.dataset = self._audited(queue)
        return Shelf(
            tuple(self._datasets), tuple(self._mined), tuple(boards_of(placed)), tuple(self._queues), tuple(loose)
        )

    def _measured(self, report: Report) -> Dataset | None:
        named = [one for one in self._datasets if report.dataset in (one.name, one.folder.name)]
        # A folder may have another name since, and query ids alone are often "q0", "q1" everywhere.
        counted = named or [one for one in self._datasets if len(one.queries) == report.queries.total]
        exact = [one for one in counted if report.split in ("", one.split)]
        return next((one for one in exact if one.asks(report.query_ids[:20])), None)

    def _audited(self, queue: ReviewQueue) -> Dataset | None:
        # By name as well as by place: a dataset may have been moved since, and nothing that was not given is read.
        same = [one for one in self._datasets if queue.split in ("", one.split)]
        named = [one for one in same if Path(queue.of).name in (one.folder.name, one.name)]
        asked = [item["query-id"] for item in queue.items if item["query-id"] is not None][:20]
        return next((one for one in named or same if not asked or one.asks(asked)), None)


def _ranks(run: System, dataset: Dataset) -> bool:
    """Whether a run is of a dataset, by the first queries and their first documents."""
    asked = run.run.query_ids.slice(0, 20).to_pylist()
    first = list({doc for query_id in asked for doc in run.ranking(query_id, 1)})
    return dataset.asks(asked) and len(dataset.texts.find(first)) == len(first)


def _is_dataset(path: Path) -> bool:
    try:
        return bool(layout(path))
    except DataError:
        return False


def _mined_configs(path: Path) -> list[str]:
    names = names_in(path)
    return [name for name in names if name.startswith("n-tuples") and format_of(name) == "parquet"]


def _refuse_links_out(path: Path, roots: Sequence[Path]) -> None:
    """DataError for a link that leads out of all that was given: nothing else is read."""
    # In the hub's cache the files of a snapshot are links into the same repository's blobs.
    allowed = [root.parents[1] if root.parent.name == "snapshots" else root for root in roots]
    for entry in (path, *_links(path)):
        target = entry.resolve()
        if not any(target.is_relative_to(one) for one in allowed):
            raise DataError("is a link that leads out of what was given", where=str(entry), fix="put a copy there")


def _links(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            entry = Path(folder, name)
            if entry.is_symlink():
                yield entry
