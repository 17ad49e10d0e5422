"""`pyrite diff`: what came, went or changed between two versions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, existing, print_json


@app.command(short_help="Say what changed between two versions.", epilog="Example: pyrite diff minerals-v1 minerals-v2")
def diff(
    before: Annotated[Path, typer.Argument(callback=existing, help="The folder of a benchmark or of a mined set.")],
    after: Annotated[Path, typer.Argument(callback=existing, help="Another version of it.")],
    json: Json = False,
) -> None:
    """Say which documents, queries, judgements and negatives differ between two folders; exit 1 if any does."""
    from pyrite.publishing import diff_folders

    found = diff_folders(before, after)
    if json:
        print_json(found.to_json())
    else:
        for line in found.lines():
            typer.echo(line)
    if found:
        raise typer.Exit(1)
