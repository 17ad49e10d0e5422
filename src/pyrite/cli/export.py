"""`pyrite export`: a dataset in the form that another tool reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    Json,
    Quiet,
    existing,
    here,
    print_json,
)


@app.command(
    short_help="Write a dataset as other tools read it.", epilog="Example: pyrite export demo/en trec --out demo-trec"
)
def export(
    dataset: Annotated[str, typer.Argument(help="A dataset folder, a BEIR zip, a hub id or ir-datasets:ID.")],
    form: Annotated[
        Literal["mteb", "hakari", "beir", "trec", "flagembedding", "labeled-pair", "labeled-list"],
        typer.Argument(help="Which tools are to read it; the last three are for mined training sets."),
    ],
    out: Annotated[
        Path, typer.Option("--out", callback=here, help="The folder to write; an earlier export there is replaced.")
    ],
    dataset_id: Annotated[
        str, typer.Option("--id", help="What task files call it on the hub (default: the folder they lie in).")
    ] = "",
    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            callback=existing,
            help="A folder that evaluate --out wrote: its runs go with TREC (default: none).",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a dataset as MTEB, HAKARI-Bench, BEIR or TREC tools read it, or a mined set as trainers do."""
    from pyrite.pipelines import export as run_export

    exported = run_export(dataset, form, out=out, dataset_id=dataset_id, results=results or [])
    if json:
        print_json(exported.to_json())
    elif not quiet:
        counts = ", ".join(f"{count:,} {part}" for part, count in exported.counts.items())
        typer.echo(f"{out}: {counts}, in {len(exported.files):,} files, {sum(exported.files.values()):,} bytes.")
        for sentence in exported.lost:
            typer.echo(f"- {sentence}")
