"""`pyrite demo`: the whole road on embedded data, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import progress
from pyrite.cli.tables import print_report

LANGUAGES = ("en", "de")


@app.command(epilog="Example: pyrite demo --out demo")
def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")] = Path("demo"),
    work: Annotated[Path | None, typer.Option("--work", help="Where finished shards are kept.")] = None,
) -> None:
    """Build and measure two small benchmarks about minerals, and say what to try with them."""
    from pyrite.pipelines import build
    from pyrite.publishing import check_folder

    typer.echo("Questions about minerals, and passages that look like the answer and are not.")
    folders = []
    for language in LANGUAGES:
        folder = out / language
        here = None if work is None else work / language
        built = build(f"demo/{language}", out=folder, work=here, progress=progress(False))
        counts = built.manifest.counts
        typer.echo(
            f"{folder}: {counts['queries']} queries, {counts['gold']} gold passages, "
            f"{counts['distractors']} distractors."
        )
        assert built.report is not None
        print_report(built.report)
        offences = check_folder(folder)
        for offence in offences:
            typer.echo(str(offence))
        if offences:
            raise typer.Exit(1)
        folders.append(folder)
    first = folders[0]
    typer.echo(f"Made: {first}/README.md (the card), corpus/, queries/, qrels/, results/, provenance/leaks.parquet.")
    typer.echo("Try next:")
    typer.echo(f"  pyrite inspect {first}")
    typer.echo(f"  pyrite evaluate {first} --system bm25 --system bm25:en,variant=robertson --distractors 0,20,all")
    typer.echo("  pyrite recipes show demo/en > my.toml   # then point its sources at your own files")
