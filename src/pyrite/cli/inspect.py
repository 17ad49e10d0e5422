"""`pyrite inspect`: what is in a folder or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, existing, print_json


@app.command(short_help="Say what a path holds.", epilog="Example: pyrite inspect demo/en")
def inspect(
    path: Annotated[Path, typer.Argument(callback=existing, help="A dataset folder, a table, a run or a report.")],
    json: Json = False,
) -> None:
    """Say what a path holds: kind, counts, columns, lengths and a few rows."""
    from pyrite.publishing import inspect_path

    inspection = inspect_path(path)
    if json:
        print_json(inspection.to_json())
    else:
        for line in inspection.lines():
            typer.echo(line)
