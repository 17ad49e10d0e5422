"""Where the models and files of a system lie that a recipe or a file of systems names by a path of its own."""

from __future__ import annotations

from pathlib import Path

from pyrite.retrieval.registry import parse_system
from pyrite.retrieval.short_forms import split, unwrapped
from pyrite.retrieval.system_spec import SystemSpec

FILES = ("run", "scores")
"""Families whose argument is always a file."""


def located(text: str, base: Path) -> str:
    """The short form of a system with its paths made those of a folder, in what it is made of too.

    Args:
        text: a short form.
        base: the folder that relative paths start from.

    What is no path from there (a hub id, an analyzer) stays as it is.

    >>> located("fusion:rrf,of=bm25+run:a.trec", Path("/recipes"))
    'fusion:rrf,of=bm25+(run:/recipes/a.trec)'
    """
    return located_spec(parse_system(text), base).text


def located_spec(spec: SystemSpec, base: Path) -> SystemSpec:
    """The same, for a system that was read before.

    >>> located_spec(SystemSpec("scores:teacher.parquet"), Path("/recipes")).system
    'scores:/recipes/teacher.parquet'
    """
    family, colon, argument = spec.system.partition(":")
    path = Path(argument).expanduser()
    if argument and (family in FILES or (base / path).exists()):
        argument = str(base / path)
    settings = dict(spec.settings)
    if family == "rerank" and "over" in settings:
        settings["over"] = f"({located(unwrapped(settings['over']), base)})"
    if family == "fusion" and "of" in settings:
        settings["of"] = "+".join(_member(part, base) for part in split(settings["of"], "+"))
    return SystemSpec(f"{family}{colon}{argument}", settings)


def _member(text: str, base: Path) -> str:
    bare = unwrapped(text)
    found = located(bare, base)
    return text if found == bare else f"({found})"
