"""`pyrite runs`: the work that is kept for a resume, why a stage ran again, and how to be rid of it."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, here, print_json
from pyrite.cli.tables import print_table
from pyrite.evaluation import Table

runs = typer.Typer(
    help="List the work that builds have kept, say why a stage ran again, or remove it.",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="Example: pyrite runs explain benchmark/miriad-200k",
)
app.add_typer(runs, name="runs", short_help="List, explain or remove the work that builds kept.")

Where = Annotated[
    Path | None,
    typer.Option("--in", callback=here, help="A folder of work folders, or one of them (default: the user's cache)."),
]
_UNITS = {"h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


@runs.callback()
def list_runs(context: typer.Context, within: Where = None, json: Json = False) -> None:
    """List the work folders: what was built in each, finished shards, size, last use."""
    if context.invoked_subcommand is not None:
        return
    folders = _folders(within)
    if json:
        print_json([_told(folder) for folder in folders])
    elif folders:
        print_table(_table(folders))
    else:
        typer.echo("No work is kept.")


@runs.command(epilog="Example: pyrite runs explain work/nano")
def explain(
    run: Annotated[
        str, typer.Argument(help="A recipe, its dataset's name, or a work folder; also one in an object store.")
    ],
    json: Json = False,
) -> None:
    """Say what the last run that did something did, and which part of the input had changed."""
    from pyrite.engine import explain as explain_work
    from pyrite.engine import is_url

    folder = _folder_of(run)
    reruns = explain_work(folder)
    if json:
        print_json({"folder": str(folder), "stages": [vars(rerun) for rerun in reruns]})
        return
    typer.echo(f"{run if is_url(run) else folder}: the last run that did something did")
    for rerun in reruns:
        for why, shards in rerun.reasons.items():
            typer.echo(f"  {rerun.stage}: {shards} shard{'s' if shards > 1 else ''}, {why}")
    if not reruns:
        typer.echo("  nothing: no shard was ever finished there")


@runs.command(epilog="Example: pyrite runs prune --older-than 30d --yes")
def prune(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Recipes, datasets' names, work folders, or URLs of work in object stores, which is removed there "
            "(default: all folders of this machine; of a store the copy alone)."
        ),
    ] = None,
    within: Where = None,
    older_than: Annotated[
        str,
        typer.Option("--older-than", help="Only what was last used so long ago: 12h, 30d, 2w (default: of any age)."),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Remove it, and don't ask.")] = False,
    json: Json = False,
) -> None:
    """Remove kept work. Without --yes it asks at a terminal, and elsewhere only says what it would remove."""
    from pyrite.core import DataError
    from pyrite.engine import WorkFolder, is_url, remove_stored_work, remove_work

    if older_than and any(map(is_url, names or [])):
        raise typer.BadParameter("is for folders of this machine: a store does not say", param_hint="--older-than")
    # A clock that was set back makes work younger than nothing: it is kept where an age is asked for.
    age = _seconds(older_than)
    chosen = [WorkFolder.read(_folder_of(name)) for name in names] if names else _folders(within)
    stored = {folder.path: name for folder, name in zip(chosen, names or [], strict=False) if is_url(name)}
    chosen = [folder for folder in chosen if not older_than or time.time() - folder.used >= age]
    if not json:
        _say(chosen)
    asked = yes or (bool(chosen) and not json and sys.stdin.isatty() and typer.confirm("Remove them?"))
    removed = []
    for folder in chosen if asked else []:
        try:
            if folder.path in stored:
                remove_stored_work(stored[folder.path])
            else:
                remove_work(folder.path)
        except DataError as error:
            typer.echo(f"pyrite: warning: {error}", err=True)
        else:
            removed.append(folder)
    if json:
        print_json({"found": [_told(one) for one in chosen], "removed": [str(one.path) for one in removed]})
    elif asked:
        typer.echo(f"Removed {len(removed)}.")
    elif chosen:
        typer.echo("Nothing is removed without --yes.")


def _say(chosen: list[Any]) -> None:
    if not chosen:
        typer.echo("There is no such work.")
        return
    print_table(_table(chosen))
    typer.echo(f"Their removal gives back {_size(sum(folder.freed for folder in chosen))}.")


def _folders(within: Path | None) -> list[Any]:
    from pyrite.engine import cache_folder, work_folders

    parents = [within] if within is not None else [cache_folder("work"), cache_folder("stores")]
    return [folder for parent in parents for folder in work_folders(parent)]


def _folder_of(run: str) -> Path:
    """A work folder by its path or URL, by the name of what is built there, or by the recipe."""
    from pyrite.engine import copy_of_store, is_url, work_folders
    from pyrite.pipelines import default_work, load_recipe

    if is_url(run):
        return copy_of_store(run)
    if work_folders(Path(run)) and (Path(run) / "manifest.jsonl").is_file():
        return Path(run)
    if default_work(run).is_dir():
        return default_work(run)
    return default_work(str(load_recipe(run).recipe.model_dump()["name"]))


def _told(folder: Any) -> dict[str, Any]:
    about, stages = dict(folder.about), dict(folder.stages)
    return {**vars(folder), "path": str(folder.path), "about": about, "stages": stages}


def _table(folders: list[Any]) -> Table:
    rows = []
    for folder in folders:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(folder.used))
        name = folder.about.get("name") or folder.path.name
        shards = f"{sum(folder.stages.values()):,} in {len(folder.stages)} stages"
        where = folder.about.get("store", str(folder.path))
        rows.append((name, folder.about.get("recipe", ""), where, shards, _size(folder.size), used))
    header = ("name", "recipe", "folder", "finished shards", "size", "last use")
    return Table("Kept work", header, tuple(rows), named_by=3)


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1_000:
            return f"{count:,.0f} {unit}"
        count /= 1_000
    return f"{count:,.1f} GB"


def _seconds(text: str) -> float:
    if not text:
        return 0.0
    found = re.fullmatch(r"(\d+)([hdw])", text.strip())
    if not found:
        raise typer.BadParameter(f"'{text}' is not a number of hours, days or weeks (30d)", param_hint="--older-than")
    return int(found[1]) * _UNITS[found[2]]
