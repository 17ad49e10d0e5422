"""What a check found, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from pyrite.cli.options import as_asked, print_json
from pyrite.publishing import Offence


def tell_offences(folder: Path, offences: Sequence[Offence], *, json: bool, fine: str) -> None:
    """Print the offences, or that there is none; exit 1 where there is one."""
    if json:
        print_json([vars(offence) for offence in offences])
    else:
        for offence in offences:
            typer.echo(as_asked(str(offence)))
        if not offences:
            typer.echo(as_asked(f"{folder} {fine}."))
    if offences:
        raise typer.Exit(1)
