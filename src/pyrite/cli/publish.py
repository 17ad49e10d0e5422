"""`pyrite publish`: a checked folder goes to the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, existing, print_json


@app.command(
    short_help="Check a folder and upload it to the hub.",
    epilog="Example: pyrite publish demo/en someone/minerals-en --dry-run",
)
def publish(
    folder: Annotated[Path, typer.Argument(callback=existing, help="A built dataset folder.")],
    repo_id: Annotated[str, typer.Argument(help="The dataset repository, as org/name.")],
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Make the repository private, where it is made (default: as the account has it)."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check, and list what would go; no connection is made.")
    ] = False,
    json: Json = False,
) -> None:
    """Check a folder and upload it as a dataset of the Hugging Face hub; exit 1 where the check says no."""
    from pyrite.publishing import publish_folder

    publication = publish_folder(folder, repo_id, private=private, dry_run=dry_run)
    if json:
        print_json(publication.to_json())
    elif publication.offences:
        for offence in publication.offences:
            typer.echo(str(offence))
    else:
        total = sum(publication.files.values())
        if dry_run:
            for path, size in publication.files.items():
                typer.echo(f"{size:>15,}  {path}")
        told = "would go" if dry_run else "went"
        typer.echo(
            f"{len(publication.files):,} files, {total:,} bytes, {told} to {repo_id}. {publication.url}".rstrip()
        )
    if publication.offences:
        raise typer.Exit(1)
