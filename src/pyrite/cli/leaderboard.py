"""`pyrite leaderboard`: one table of many results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    Measure,
    Results,
    here,
)
from pyrite.cli.tables import print_table


@app.command(
    short_help="Show the systems of all results in one table.", epilog="Example: pyrite leaderboard results --markdown"
)
def leaderboard(
    results: Results,
    measure: Measure = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a Markdown table, not one for a terminal.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line a system and dataset.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", callback=here, help="Write a page with charts to this file (default: a table is printed)."
        ),
    ] = None,
) -> None:
    """Show the systems of all results in one table, best first."""
    from pyrite.pipelines import rank_results, write_leaderboard_page

    if markdown + csv + (html is not None) > 1:
        raise typer.BadParameter("takes one form: --markdown, --csv or --html")
    if html is not None:
        write_leaderboard_page(results, html, measure=measure)
        typer.echo(f"{html}: the leaderboard, with charts.")
        return
    ranked = rank_results(results, measure)
    if csv:
        typer.echo(ranked.to_csv(), nl=False)
    elif markdown:
        typer.echo(ranked.table().to_markdown(), nl=False)
    else:
        print_table(ranked.table())
