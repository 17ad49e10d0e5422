"""`pyrite check`: whether a folder can be published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.offences import tell_offences
from pyrite.cli.options import Json, existing


@app.command(short_help="Look for what would mislead the dataset's users.", epilog="Example: pyrite check demo/en")
def check(
    folder: Annotated[Path, typer.Argument(callback=existing, help="A dataset folder.")], json: Json = False
) -> None:
    """Reload every table as its users will, and look for what would mislead them; exit 1 if anything does."""
    from pyrite.pipelines import warn_of_language
    from pyrite.publishing import check_folder

    offences = check_folder(folder)
    if not offences:
        warn_of_language(folder)
    tell_offences(folder, offences, json=json, fine="can be published")
