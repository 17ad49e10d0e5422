"""`pyrite refilter`: a mined set by other rules, without a model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.build import built_json, show_built
from pyrite.cli.options import (
    Json,
    Quiet,
    existing,
    here,
    print_json,
    told_by_options,
)


def _number(text: str | None) -> str | None:
    """The number as it was written: the copy of the recipe says it in the same words as the command."""
    try:
        finite = text is None or math.isfinite(float(text))
    except ValueError:
        finite = False
    if not finite:
        raise typer.BadParameter(f"'{text}' is not a number")
    return text


@app.command(
    short_help="Mine again with other thresholds, without a model.",
    epilog="Example: pyrite refilter mined --absolute-margin 3 --out mined-margin-3",
)
def refilter(
    dataset: Annotated[Path, typer.Argument(callback=existing, help="The folder of a mined set.")],
    out: Annotated[Path, typer.Option("--out", callback=here, help="The folder to write.")],
    num_negatives: Annotated[
        int | None,
        typer.Option("--num-negatives", min=1, help="Negatives a row (default: as mined)."),
    ] = None,
    positive_min: Annotated[
        str | None,
        typer.Option(
            "--positive-min",
            help="Least logit of a positive, of selection and filter (default: as mined).",
            callback=_number,
        ),
    ] = None,
    absolute_margin: Annotated[
        str | None,
        typer.Option(
            "--absolute-margin", help="Positive - negative is at least this (default: as mined).", callback=_number
        ),
    ] = None,
    relative_margin: Annotated[
        str | None,
        typer.Option(
            "--relative-margin",
            help="Negative is at most positive - this * |positive| (default: as mined).",
            callback=_number,
        ),
    ] = None,
    margin_min: Annotated[
        str | None,
        typer.Option(
            "--margin-min", help="Least margin of a row of n-tuples-filtered (default: as mined).", callback=_number
        ),
    ] = None,
    margin_penalty: Annotated[
        str | None,
        typer.Option(
            "--margin-penalty",
            help="How far rows with a wide margin are put back in n-tuples-filtered (default: as mined).",
            callback=_number,
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE of [select] or [filter]; may be repeated (default: as mined)."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Select again from the scored pairs of a mined set; the same bytes as a build with these rules."""
    from pyrite.pipelines import refilter as run_refilter

    settings = {
        "select.num_negatives": num_negatives,
        "select.positive_min": positive_min,
        "filter.positive_min": positive_min,
        "select.absolute_margin": absolute_margin,
        "select.relative_margin": relative_margin,
        "filter.margin_min": margin_min,
        "filter.margin_penalty": margin_penalty,
    }
    overrides = [f"{key}={value}" for key, value in settings.items() if value is not None]
    with told_by_options(settings):
        built = run_refilter(dataset, out=out, overrides=[*overrides, *(set_ or [])])
    if json:
        print_json({**built_json(built), "statistics": built.manifest.facts["statistics"]})
    elif not quiet:
        show_built(built)
