"""`pyrite evaluate`: systems measured on a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    Depth,
    Json,
    Quiet,
    Split,
    Systems,
    Work,
    here,
    parse_count,
    parse_whole,
    print_json,
    progress,
)
from pyrite.cli.tables import print_report


@app.command(
    short_help="Measure systems on a dataset.",
    epilog="Example: pyrite evaluate demo/en --system bm25 --distractors 0,20,all --out results",
)
def evaluate(
    dataset: Annotated[str, typer.Argument(help="A dataset folder, a BEIR zip, a hub id or ir-datasets:ID.")],
    system: Systems = None,
    systems: Annotated[
        Path | None,
        typer.Option("--systems", help="A TOML file of [[system]] tables (default: those of --system alone)."),
    ] = None,
    split: Split = None,
    measures: Annotated[
        str, typer.Option("--measures", help="nDCG@k RR@k AP@k R@k P@k Success@k Judged@k, any k.")
    ] = "nDCG@10 RR@10 R@100",
    queries: Annotated[
        str | None,
        typer.Option("--queries", help="The first N, or all (default: the dataset's headline protocol, else all)."),
    ] = None,
    distractors: Annotated[
        str | None,
        typer.Option(
            "--distractors", help="Corpus sizes of the saturation curve, as in 0,1000,all (default: no curve)."
        ),
    ] = None,
    max_length: Annotated[
        str | None,
        typer.Option(
            "--max-length", help="Tokens to cut texts at, for a truncation curve, as in 64,128,256 (default: no curve)."
        ),
    ] = None,
    depth: Depth = None,
    out: Annotated[
        Path | None, typer.Option("--out", callback=here, help="The folder to write (default: nothing is kept).")
    ] = None,
    work: Work = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the rules of the numbers too; report.json has them anyway.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure systems on a dataset, with 95% intervals; --out keeps the report, per-query values and runs."""
    from pyrite.pipelines import Protocol, evaluate_dataset, refuse_other_files, write_results
    from pyrite.retrieval import read_systems

    protocol = Protocol(
        measures=tuple(measures.split()),
        queries=None if queries is None else parse_count(queries, option="--queries"),
        depth=depth,
        distractors=tuple(
            parse_count(part.strip(), option="--distractors") for part in (distractors or "").split(",") if part.strip()
        ),
        max_lengths=tuple(parse_whole(part, option="--max-length") for part in (max_length or "").split(",") if part),
    )
    if out is not None:
        refuse_other_files(out)
    asked = [*(system or []), *(read_systems(systems) if systems is not None else [])]
    evaluated = evaluate_dataset(
        dataset, asked, split=split, protocol=protocol, work=work, progress=progress(quiet or json)
    )
    if out is not None:
        write_results(evaluated, out)
    if json:
        print_json(evaluated.report.to_json())
    elif not quiet:
        print_report(evaluated.report)
        if rules:
            for rule in evaluated.report.rules:
                typer.echo(f"- {rule}")
        if out is not None:
            typer.echo(f"{out}: report.html, report.json (with the rules), per_query.parquet and the runs.")
        elif not rules:
            typer.echo("By which rules: --rules prints them, and --out keeps them beside the numbers.")
