"""`pyrite search`: a system's run over a collection."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    SYSTEM_HELP,
    Quiet,
    Split,
    here,
)


@app.command(
    short_help="Write what one system returns, as a run.",
    epilog="Example: pyrite search demo/en --system bm25:en --depth 100 --out bm25.parquet",
)
def search(
    collection: Annotated[str, typer.Argument(help="A dataset folder, a BEIR zip, a hub id or ir-datasets:ID.")],
    system: Annotated[str, typer.Option("--system", help=f"{SYSTEM_HELP}.")],
    out: Annotated[
        Path, typer.Option("--out", callback=here, help="The run: .parquet, or .trec for trec_eval's form.")
    ],
    depth: Annotated[int, typer.Option("--depth", min=1, help="How many documents a query.")] = 100,
    split: Split = None,
    quiet: Quiet = False,
) -> None:
    """Search every query of a collection with one system and write the run."""
    from pyrite.pipelines import search as run_search
    from pyrite.pipelines import write_run_file
    from pyrite.sources import load

    run = run_search(system, load(collection, split=split), depth=depth)
    write_run_file(run, out)
    if not quiet:
        typer.echo(f"{out}: {len(run.positions):,} hits for {len(run):,} queries of {run.system}.")
