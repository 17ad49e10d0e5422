"""`pyrite leaderboard`: one table of many results."""

from __future__ import annotations

from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Measure, Results
from pyrite.cli.tables import print_table


@app.command(epilog="Example: pyrite leaderboard results --markdown")
def leaderboard(
    results: Results,
    measure: Measure = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line a system and dataset.")] = False,
) -> None:
    """Show the systems of all results in one table, best first."""
    from pyrite.pipelines import rank_results

    if markdown and csv:
        raise typer.BadParameter("takes one form: --markdown or --csv")
    ranked = rank_results(results, measure)
    if csv:
        typer.echo(ranked.to_csv(), nl=False)
    elif markdown:
        typer.echo(ranked.table().to_markdown(), nl=False)
    else:
        print_table(ranked.table())
