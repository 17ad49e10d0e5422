"""Systems that a Nano recipe names: by their short form, files relative to the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyrite.core import RecipeError, Retriever
from pyrite.engine import digest_file
from pyrite.retrieval import GivenRun, make_retriever, parse_system


def system_of(text: str, *, language: str, base: Path, names: Mapping[str, str] | None = None) -> Retriever:
    """The system of a short form; a run file that is not there is a RecipeError.

    Args:
        text: "run:FILE", or any other system.
        language: of the split, where the form does not say it.
        base: what a file's path is relative to.
        names: filled in for {name} ("{split}").
    """
    for name, value in (names or {}).items():
        text = text.replace("{" + name + "}", value)
    made = make_retriever(parse_system(text), language=language)
    if not isinstance(made, GivenRun):
        return made
    path = base / made.path
    if not path.is_file():
        raise RecipeError("there is no such run file", where=str(path), fix="check the path in the recipe")
    return replace(made, path=path)


def settings_of(system: Retriever) -> dict[str, Any]:
    """Everything that decides a system's rankings; of a run file, its digest too."""
    settings = getattr(system, "settings", None)
    told = dict(settings()) if callable(settings) else {}
    return {**told, "digest": digest_file(system.path)} if isinstance(system, GivenRun) else told
