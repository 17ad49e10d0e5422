"""Terminal tables: plain columns that survive a pipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rich.table
import typer
from rich.console import Console
from rich.text import Text

from pyrite.core import Report
from pyrite.evaluation import Table, difficulty, report_table, sweep_table


def print_table(table: Table) -> None:
    """Write a table to stdout; where stdout is no terminal, as wide as its text."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=240)
    shown = rich.table.Table(title=Text(table.title, style="bold"), title_justify="left", box=None, pad_edge=False)
    for place, column in enumerate(table.header):
        shown.add_column(column, justify="left" if place < table.named_by else "right", overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    console.print(shown)
    for note in table.notes:
        console.print(Text(note, style="dim"))
    console.print()


def ledger_table(ledger: Sequence[Mapping[str, Any]]) -> Table:
    """Rows in, kept and dropped by reason, a line a stage."""
    rows = []
    for entry in ledger:
        reasons = [f"{count:,} {reason}" for reason, count in entry["dropped"].items()]
        rows.append((entry["stage"], "; ".join([*reasons, *entry["notes"]]), f"{entry['in']:,}", f"{entry['kept']:,}"))
    return Table("Where the rows went", ("stage", "dropped, and why", "rows in", "kept"), tuple(rows), named_by=2)


def print_report(report: Report) -> None:
    """The measures of every system with their intervals, what they say of the dataset, then each sweep."""
    print_table(report_table(report))
    retrieved = report.as_retrieved()
    if len(retrieved.systems) > 1:
        measure = next(iter(retrieved.systems[0].measures))
        for sentence in difficulty(retrieved, measure).sentences:
            typer.echo(sentence)
        typer.echo()
    for sweep, points in report.sweeps.items():
        if points:
            print_table(sweep_table(report, sweep, points[0].measure))
