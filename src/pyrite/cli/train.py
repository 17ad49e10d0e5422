"""`pyrite train`: what a mined set is worth to a student."""

from __future__ import annotations

import json as json_module
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
    progress,
)
from pyrite.cli.tables import print_table

_OBJECTIVES = ["pairs", "n-tuples", "n-tuples-filtered"]


@app.command(
    short_help="Fit a student to a mined set, and measure the gain.",
    epilog="Example: pyrite train mined --student dense:my-model --eval my-benchmark --epochs 1 --out trained",
)
def train(
    dataset: Annotated[Path, typer.Argument(callback=existing, help="The folder of a mined set.")],
    student: Annotated[str, typer.Option("--student", help="dense:MODEL or sparse:MODEL, a folder or a hub id.")],
    held_out: Annotated[str, typer.Option("--eval", help="What it is measured on: a folder, a zip or a hub id.")],
    out: Annotated[
        Path, typer.Option("--out", callback=here, help="The folder for the trained students and what they reach.")
    ],
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            help="pairs (in-batch negatives), n-tuples or n-tuples-filtered (with the teacher's logits); may be given "
            "again (default: pairs and n-tuples).",
            show_default=False,
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split", help="Of what it is measured on (default: the only one, or test where splits share a corpus)."
        ),
    ] = None,
    measures: Annotated[str, typer.Option("--measures", help="As in evaluate; the first one is compared.")] = "nDCG@10",
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each row is seen.")] = 3,
    batch_size: Annotated[int, typer.Option("--batch-size", min=2, help="Rows a step.")] = 32,
    lr: Annotated[
        float | None, typer.Option("--lr", help="Learning rate (default: 0.02 for word vectors, else 0.00002).")
    ] = None,
    temperature: Annotated[float, typer.Option("--temperature", help="Of the distillation.")] = 2.0,
    scale: Annotated[
        float | None, typer.Option("--scale", help="Of the student's scores (default: 20 for cosines, else 1).")
    ] = None,
    contrast: Annotated[
        float, typer.Option("--contrast", help="Weight of the contrastive loss beside the distillation; 0: none.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the order of the rows.")] = 0,
    overlap: Annotated[
        Literal["refuse", "drop"], typer.Option("--overlap", help="What training rows with a measured query are.")
    ] = "refuse",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a student on a mined set and measure it before and after, on a collection that was held out."""
    from pyrite.evaluation import comparison_tables, report_table
    from pyrite.pipelines import Protocol, TrainingRequest
    from pyrite.pipelines import train as run_train
    from pyrite.training import TrainingSettings

    objectives = tuple(objective) if objective else ("pairs", "n-tuples")
    for name in objectives:
        if name not in _OBJECTIVES:
            raise typer.BadParameter(f"'{name}' is none of {', '.join(_OBJECTIVES)}", param_hint="--objective")
    asked = TrainingRequest(
        dataset=dataset,
        student=student,
        held_out=held_out,
        split=split,
        objectives=objectives,  # type: ignore[arg-type]
        settings=TrainingSettings(
            epochs=epochs,
            batch_size=batch_size,
            learning_rate=lr,
            temperature=temperature,
            scale=scale,
            contrast=contrast,
            seed=seed,
        ),
        protocol=Protocol(tuple(measures.split())),
        overlap=overlap,
    )
    result = run_train(asked, out=out, progress=progress(quiet or json))
    if json:
        print_json(json_module.loads((out / "results" / "train.json").read_text(encoding="utf-8")))
    elif not quiet:
        print_table(report_table(result.report))
        print_table(comparison_tables(result.compared)[1])
        for line in result.lines:
            left = f", {line.dropped:,} left out: their query is measured" if line.dropped else ""
            typer.echo(f"{line.objective}: {line.rows:,} rows{left}, {line.steps:,} steps, loss {line.loss:.4f}.")
        typer.echo(f"Next: pyrite card {dataset} --results {out} puts this on the card of the set.")
