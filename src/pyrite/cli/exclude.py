"""`pyrite exclude`: a training table without the rows that leak a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    Json,
    Quiet,
    Work,
    here,
    print_json,
    progress,
)


@app.command(
    short_help="Leave a dataset's texts out of a training table.",
    epilog="Example: pyrite exclude train.parquet --against demo/en --column passage=text --out clean.parquet",
)
def exclude(
    train: Annotated[str, typer.Argument(help="A training table: a file, folder, pattern or hub id.")],
    against: Annotated[str, typer.Option("--against", help="The protected dataset: folder, zip, hub id.")],
    out: Annotated[Path, typer.Option("--out", callback=here, help="The file to write, of the table's own format.")],
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="NAME=THEIRS: a column whose texts are compared (default: passage=passage)."),
    ] = None,
    identical: Annotated[
        Literal["exact", "normalised"], typer.Option("--identical", help="When two texts are the same.")
    ] = "normalised",
    near: Annotated[
        float | None,
        typer.Option("--near", help="Near-duplicates too: Jaccard of 5-word shingles, as in 0.8 (default: not)."),
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="The table's config (default: the only one).")] = None,
    split: Annotated[str | None, typer.Option("--split", help="The table's split (default: the only one).")] = None,
    work: Work = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a training table without the rows that have a text of a dataset; the dataset is only read."""
    from pyrite.pipelines import Exclusion
    from pyrite.pipelines import exclude as run_exclude
    from pyrite.sources import SourceSpec

    columns = _columns(column or ["passage"])
    excluded = run_exclude(
        SourceSpec(train, config=config, split=split),
        against,
        out=out,
        rules=Exclusion(identical=identical, near=near, columns=columns),
        work=work,
        progress=progress(quiet or json),
    )
    entry = excluded.entry
    if json:
        dropped = dict(entry.dropped)
        print_json({"out": str(out), "in": entry.rows_in, "kept": entry.rows_out, "dropped": dropped})
    elif not quiet:
        typer.echo(f"{entry.rows_in:>12,}  rows of {train}")
        for reason, count in entry.dropped.items():
            typer.echo(f"{count:>12,}  left out: {reason}")
        typer.echo(f"{entry.rows_out:>12,}  kept in {out}")
        for note in entry.notes:
            typer.echo(note)


def _columns(given: list[str]) -> dict[str, str]:
    columns = {}
    for text in given:
        name, _, theirs = text.partition("=")
        if not name or text.endswith("="):
            raise typer.BadParameter(f"'{text}' is not NAME=THEIRS", param_hint="--column")
        columns[name] = theirs or name
    return columns
