"""Systems that a Nano recipe names: by their short form, models and files relative to the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pyrite.core import RecipeError, Retriever
from pyrite.pipelines.searching import retriever_of
from pyrite.retrieval import GivenRun


def system_of(text: str, *, language: str, base: Path, names: Mapping[str, str] | None = None) -> Retriever:
    """The system of a short form; a run file that is not there is a RecipeError.

    Args:
        text: "run:FILE", or any other system.
        language: of the split, where the form does not say it.
        base: what a model's or a file's path is relative to.
        names: filled in for {name} ("{split}").
    """
    for name, value in (names or {}).items():
        text = text.replace("{" + name + "}", value)
    made = retriever_of(text, language, base=base)
    if isinstance(made, GivenRun) and not made.path.is_file():
        raise RecipeError("there is no such run file", where=str(made.path), fix="check the path in the recipe")
    return made
