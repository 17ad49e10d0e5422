"""`pyrite compare`: which systems differ beyond chance."""

from __future__ import annotations

from dataclasses import asdict

from pyrite.cli.app import app
from pyrite.cli.options import Json, Measure, Results, print_json
from pyrite.cli.tables import print_table


@app.command(
    short_help="Tell systems apart: paired tests and groups.",
    epilog="Example: pyrite compare results --measure nDCG@10",
)
def compare(results: Results, measure: Measure = None, json: Json = False) -> None:
    """Compare all systems of reports on one dataset: paired tests, wins, losses, ties, and groups."""
    from pyrite.evaluation import comparison_tables
    from pyrite.pipelines import compare_results

    compared = compare_results(results, measure)
    if json:
        print_json(asdict(compared))
        return
    for table in comparison_tables(compared):
        print_table(table)
