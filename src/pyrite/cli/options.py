"""Options that several verbs share, said once."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pyrite.core import RecipeError
from pyrite.engine import Progress, RayCluster, Silent, TerminalProgress


def existing(given: Any) -> Any:
    """Refuse a path of the command line that is not there, before any work, and give back what was given."""
    for path in given if isinstance(given, list) else [given]:
        if path is not None and not path.exists():
            raise RecipeError("there is no such file or folder", where=str(path), fix="check the path")
    return given


Json = Annotated[bool, typer.Option("--json", help="Print the machine-readable result on stdout, and only that.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no summary; errors and warnings only.")]
Out = Annotated[Path | None, typer.Option("--out", help="The folder to write.")]
Work = Annotated[
    Path | None, typer.Option("--work", help="Where finished shards are kept for a resume (default: the user's cache).")
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes. The result is the same.")]
Hosted = Annotated[
    Literal["local", "ray"],
    typer.Option("--engine", help="Where the workers are: on this machine, or on those of a Ray cluster."),
]
Address = Annotated[
    str, typer.Option("--address", help="Of the Ray cluster (default: RAY_ADDRESS, else a Ray of this machine alone).")
]
Split = Annotated[str | None, typer.Option("--split", help="The split, where the dataset has several.")]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="How many documents a query.")]
SYSTEM_HELP = "bm25[:ja], dense:MODEL, sparse:MODEL, multi-vector:MODEL, rerank:MODEL, fusion:rrf,of=A+B or run:FILE"
Systems = Annotated[
    list[str] | None,
    typer.Option("--system", help=f"{SYSTEM_HELP}; may be given again.", show_default=False),
]
Results = Annotated[list[Path], typer.Argument(help="Folders that evaluate --out wrote, or that hold such folders.")]
Measure = Annotated[str | None, typer.Option("--measure", help="As in nDCG@10 (default: the first of the report).")]


def progress(quiet: bool) -> Progress:
    """Who is told how far the work is."""
    return Silent() if quiet else TerminalProgress(sys.stderr)


def workers_of(workers: int, engine: Literal["local", "ray"], address: str) -> int | RayCluster:
    """Who does the shards: so many processes, or so many workers of a cluster."""
    if engine == "ray":
        return RayCluster(workers, address)
    if address:
        raise typer.BadParameter("is for --engine ray", param_hint="--address")
    return workers


def print_json(value: Any) -> None:
    """The result, and nothing else, on stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True))


def parse_count(text: str, *, option: str) -> int | Literal["all"]:
    """A whole number or "all"."""
    if text == "all":
        return "all"
    if not text.isdigit():
        raise typer.BadParameter(f"'{text}' is neither a whole number nor 'all'", param_hint=option)
    return int(text)


def parse_whole(text: str, *, option: str) -> int:
    """A whole number of 1 or more."""
    number = parse_count(text.strip(), option=option)
    if not isinstance(number, int) or number < 1:
        raise typer.BadParameter(f"'{text}' is not a whole number of 1 or more", param_hint=option)
    return number
