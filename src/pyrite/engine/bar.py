"""The progress bar of a terminal."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column
from rich.text import Text

from pyrite.engine.progress import pace


class Bar:
    """Stage, bar, done of total, rate and time left, redrawn in place; a Progress for one stage."""

    def __init__(self, stream: TextIO) -> None:
        # stdout may be a pipe that another program reads; what is written to stderr meanwhile goes above the bar.
        self._rich = RichProgress(
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
            BarColumn(bar_width=24),
            TextColumn(
                "{task.completed:,.0f}/{task.total:,.0f} {task.fields[unit]}",
                markup=False,
                table_column=Column(no_wrap=True),
            ),
            _Pace(table_column=Column(no_wrap=True)),
            console=Console(file=stream),
            redirect_stdout=False,
        )
        self._task: TaskID | None = None

    def start(self, stage: str, total: int, unit: str) -> None:
        """Draw the bar."""
        self._rich.start()
        self._task = self._rich.add_task(stage, total=total, unit=unit)

    def advance(self, n: int) -> None:
        """Count on."""
        if self._task is not None:
            self._rich.advance(self._task, n)

    def finish(self) -> None:
        """Leave the last state standing."""
        self._rich.stop()


class _Pace(ProgressColumn):
    def render(self, task: Task) -> Text:
        seconds = task.finished_time if task.finished else task.elapsed
        return Text(pace(int(task.completed), int(task.total or 0), seconds or 0.0))
