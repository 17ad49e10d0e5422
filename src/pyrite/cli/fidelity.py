"""`pyrite fidelity`: whether a subset ranks systems as the full set does."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, Measure, print_json
from pyrite.cli.tables import print_table


@app.command(
    short_help="Say whether a subset ranks systems like the whole.",
    epilog="Example: pyrite fidelity nano-results full-results",
)
def fidelity(
    nano: Annotated[Path, typer.Argument(help="Results on the subset.")],
    full: Annotated[Path, typer.Argument(help="Results of the same systems on the full set.")],
    measure: Measure = None,
    json: Json = False,
) -> None:
    """Rank correlation of systems on a subset and on the full set; at least 5 systems."""
    from pyrite.evaluation import fidelity_table
    from pyrite.pipelines import subset_fidelity

    found = subset_fidelity(nano, full, measure)
    if json:
        print_json(asdict(found))
    else:
        print_table(fidelity_table(found))
