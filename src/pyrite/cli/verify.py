"""`pyrite verify`: whether a folder is still what was built, and whether it would be built so again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.offences import tell_offences
from pyrite.cli.options import (
    Json,
    Quiet,
    as_asked,
    existing,
    here,
    print_json,
    progress,
)


@app.command(
    short_help="Compare every file with the manifest, or rebuild.", epilog="Example: pyrite verify demo/en --rebuild"
)
def verify(
    folder: Annotated[Path, typer.Argument(callback=existing, help="A built dataset folder.")],
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Build its recipe again, from nothing, and compare file by file.")
    ] = False,
    base: Annotated[
        Path | None,
        typer.Option("--base", help="Where the recipe's relative paths start (default: the folder that holds FOLDER)."),
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option("--work", callback=here, help="Where a rebuild is made (default: the system's temporary folder)."),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes of a rebuild.")] = 1,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare every file with the digests of the manifest, or with a second build; exit 1 if one differs."""
    if not rebuild:
        from pyrite.publishing import verify_folder

        tell_offences(folder, verify_folder(folder), json=json, fine="is what was built")
        return
    from pyrite.pipelines import rebuild as build_again

    made = build_again(folder, base=base, work=work, workers=workers, progress=progress(quiet or json))
    if json:
        print_json(made.to_json())
    else:
        for path, outcome in made.files.items():
            typer.echo(f"{outcome:10} {path}")
        for package, (then, now) in made.versions.items():
            typer.echo(f"built with {package} {then}, now {now}")
        if "not compared" in made.files.values():
            typer.echo("Other versions draw a page otherwise: its numbers and tables were compared, and not the page.")
        typer.echo(as_asked(f"{folder} {'is' if made.same else 'is not'} what its recipe makes."))
    if not made.same:
        raise typer.Exit(1)
