"""`pyrite build`: a recipe becomes a dataset folder."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pyrite.cli.app import app
from pyrite.cli.mined import print_mined
from pyrite.cli.options import Address, BuildWork, Hosted, Json, Out, Quiet, Workers, print_json, progress, workers_of
from pyrite.cli.tables import ledger_table, print_report, print_table


@app.command(
    short_help="Build the dataset of a recipe.",
    epilog="Example: pyrite build benchmark/miriad-200k --set source.eval.path=mirror/eval.parquet",
)
def build(
    recipe: Annotated[str, typer.Argument(help="A shipped recipe's name (see pyrite recipes) or a TOML file.")],
    out: Out = None,
    work: BuildWork = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE: replace one setting of the recipe; may be repeated.")
    ] = None,
    workers: Workers = 1,
    engine: Hosted = "local",
    address: Address = "",
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say rows, bytes, disk and time, from a short probe; build nothing.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build the dataset of a recipe. Run again after a crash, it goes on where it was."""
    hosts = workers_of(workers, engine, address)
    if plan:
        show_plan(recipe, set_ or [], workers, json=json)
        return
    from pyrite.pipelines import build as run_build

    built = run_build(recipe, out=out, work=work, overrides=set_ or [], workers=hosts, progress=progress(quiet or json))
    if json:
        print_json(built_json(built))
    elif not quiet:
        show_built(built)


def show_plan(recipe: str, overrides: list[str], workers: int, *, json: bool) -> None:
    """What a build would read, write and take."""
    from pyrite.pipelines import plan

    planned = plan(recipe, overrides=overrides, workers=workers)
    if json:
        print_json(planned.to_json())
    else:
        for line in planned.lines():
            typer.echo(line)


def built_json(built: Any) -> dict[str, Any]:
    """What a build made, in plain values."""
    return {
        "folder": built.where,
        "counts": dict(built.manifest.counts),
        "ledger": list(built.manifest.ledger),
        "published": list(built.manifest.published),
        "digest": built.manifest.content["digest"],
        "stages": {name: {"before": s.done_before, "now": s.done_now} for name, s in built.stages.items()},
        "report": built.report.to_json() if built.report is not None else None,
    }


def show_built(built: Any) -> None:
    """The ledger, the counts and the measures of a build, and where it is."""
    print_table(ledger_table(built.manifest.ledger))
    if "statistics" in built.manifest.facts:
        print_mined(built.manifest.facts["statistics"])
    if built.report is not None:
        print_report(built.report)
    before = sum(stage.done_before for stage in built.stages.values())
    now = sum(stage.done_now for stage in built.stages.values())
    counts = ", ".join(f"{count:,} {part}" for part, count in built.manifest.counts.items())
    typer.echo(f"{built.where}: {counts}.")
    typer.echo(f"Shards: {now} done now, {before} kept from an earlier run.")
    typer.echo(f"Next: pyrite check {built.where}, or read {built.folder / 'README.md'}")
