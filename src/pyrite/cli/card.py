"""`pyrite card`: a folder's card, made again from its files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Quiet, existing, existing_here


@app.command(
    short_help="Write the dataset card from what the files say.",
    epilog="Example: pyrite card demo/en --results results",
)
def card(
    folder: Annotated[Path, typer.Argument(callback=existing_here, help="A built dataset folder.")],
    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            callback=existing,
            help="A folder that evaluate, audit or train wrote; may be given again (default: those taken in before).",
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write README.md from what the files say now. What a person wrote into it stays."""
    from pyrite.pipelines import renew_card

    changed = renew_card(folder, results or [])
    if not quiet:
        typer.echo(f"{folder / 'README.md'} {'was written' if changed else 'says already what the files say'}.")
