"""Options that several verbs share, said once."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pyrite.engine import Progress, Silent, TerminalProgress

Json = Annotated[bool, typer.Option("--json", help="Print the machine-readable result on stdout, and only that.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no summary; errors and warnings only.")]
Out = Annotated[Path | None, typer.Option("--out", help="The folder to write.")]
Work = Annotated[
    Path | None, typer.Option("--work", help="Where finished shards are kept for a resume (default: the user's cache).")
]
Split = Annotated[str | None, typer.Option("--split", help="The split, where the dataset has several.")]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="How many documents a query.")]
Systems = Annotated[
    list[str],
    typer.Option("--system", help="bm25, bm25:de,k1=0.9 or run:FILE; may be given again.", show_default=False),
]


def progress(quiet: bool) -> Progress:
    """Who is told how far the work is."""
    return Silent() if quiet else TerminalProgress(sys.stderr)


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
