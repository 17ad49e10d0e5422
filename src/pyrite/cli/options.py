"""Options that several verbs share, said once."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pyrite.core import RecipeError
from pyrite.engine import Progress, RayCluster, Silent, TerminalProgress, is_url, local_path


def existing(given: Any) -> Any:
    """Refuse a path of the command line that is not there, before any work, and give back what was given.

    A folder of an object store ("s3://bucket/gems") is fetched, and its copy on this machine is what is given back.
    """
    return [_there(path) for path in given] if isinstance(given, list) else _there(given)


def existing_here(given: Any) -> Any:
    """As `existing`, for a folder that is written into."""
    return existing(here(given))


def here(given: Any) -> Any:
    """Refuse a URL where a path of this machine is needed: as a path it would make a folder with a strange name."""
    if given is not None and is_url(_as_typed(given)):
        raise RecipeError("is in an object store", where=_as_typed(given), fix="name a path of this machine")
    return given


def _there(path: Path | None) -> Path | None:
    if path is None or path.exists():
        return path
    if str(path).startswith("file:/"):
        return _there(local_path(_as_typed(path)))
    if is_url(_as_typed(path)):
        from pyrite.sources import fetch

        copy = fetch(_as_typed(path))
        _FETCHED[str(copy)] = _as_typed(path)
        return copy
    raise RecipeError("there is no such file or folder", where=str(path), fix="check the path")


_FETCHED: dict[str, str] = {}
"""Copy of a folder of an object store -> the URL that was typed."""


def as_asked(sentence: str) -> str:
    """A sentence with the URLs that were typed in the place of their copies on this machine."""
    for copy, url in _FETCHED.items():
        sentence = sentence.replace(copy, url)
    return sentence


def _as_typed(path: Path) -> str:
    """A URL has two slashes, and that of a disk three; a path keeps one of them."""
    slashes = ":///" if str(path).startswith(("file:/", "local:/")) else "://"
    return re.sub(r"^([A-Za-z][A-Za-z0-9+.-]+):/(?!/)", rf"\1{slashes}", str(path))


Json = Annotated[bool, typer.Option("--json", help="Print the machine-readable result on stdout, and only that.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no summary; errors and warnings only.")]
Out = Annotated[
    str | None,
    typer.Option("--out", help="A folder, or a URL as in s3://bucket/gems (default: ./NAME).", metavar="PATH"),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work", callback=here, help="Where finished shards are kept for a resume (default: the user's cache)."
    ),
]
BuildWork = Annotated[
    str | None,
    typer.Option(
        "--work",
        help="Where finished shards are kept for a resume: a folder, or a URL as in s3://bucket/work (default: the "
        "user's cache).",
        metavar="PATH",
    ),
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes. The result is the same.")]
Hosted = Annotated[
    Literal["local", "ray"],
    typer.Option("--engine", help="Where the workers are: on this machine, or on those of a Ray cluster."),
]
Address = Annotated[
    str, typer.Option("--address", help="Of the Ray cluster (default: RAY_ADDRESS, else a Ray of this machine alone).")
]
Split = Annotated[
    str | None, typer.Option("--split", help="The split (default: the only one, or test where splits share a corpus).")
]
Depth = Annotated[
    int | None,
    typer.Option("--depth", min=1, help="Documents a query (default: 100, or the deepest cutoff where that is more)."),
]
SYSTEM_HELP = (
    "bm25[:ja], dense:MODEL, sparse:MODEL, multi-vector:MODEL, rerank:MODEL, fusion:rrf,of=A+B, run:FILE or use "
    "(extra demo)"
)
Systems = Annotated[
    list[str] | None,
    typer.Option("--system", help=f"{SYSTEM_HELP}; may be given again.", show_default=False),
]
Results = Annotated[list[Path], typer.Argument(help="Folders that evaluate --out wrote, or that hold such folders.")]
Measure = Annotated[
    str | None, typer.Option("--measure", help="As in nDCG@10 (default: the first of the first report).")
]


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


_OTHERWISE = {"teacher.depth": "teacher-depth"}
"""Keys whose option is not called as they are."""


@contextlib.contextmanager
def told_by_options(settings: Mapping[str, Any]) -> Iterator[None]:
    """What is wrong with a recipe's setting is told by the option that gave it: "--num-negatives 500: ...".

    Args:
        settings: key of the recipe -> what the option of its name was given; None where it was left out.
    """
    try:
        yield
    except RecipeError as error:
        known = {key: value for key, value in settings.items() if value not in (None, "")}
        named = [key for key in known if error.names(key)]
        names = {key: key.rpartition(".")[2].replace("_", "-") for key in named} | _OTHERWISE
        # One option may be of two keys, as --positive-min is.
        given = dict.fromkeys(f"--{names[key]} {known[key]}" for key in named)
        raise RecipeError(error.what, where=", ".join(given) or error.where, fix=error.fix) from None


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
