"""`pyrite verify`: whether a folder is still what was built."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.offences import tell_offences
from pyrite.cli.options import Json


@app.command(epilog="Example: pyrite verify demo/en")
def verify(folder: Annotated[Path, typer.Argument(help="A built dataset folder.")], json: Json = False) -> None:
    """Compare every file with the digests of the manifest; exit 1 if one differs."""
    from pyrite.publishing import verify_folder

    tell_offences(folder, verify_folder(folder), json=json, fine="is what was built")
