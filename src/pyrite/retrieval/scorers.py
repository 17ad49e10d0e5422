"""Scorers by name: "scores:results/teacher.parquet"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pyrite.core import RecipeError, Scorer
from pyrite.retrieval.given_scores import GivenScores


def make_scorer(system: str, settings: Mapping[str, str] | None = None) -> Scorer:
    """The scorer that a system's name and further settings ask for; RecipeError that names the accepted families.

    Args:
        system: its family and what follows the colon.
        settings: its further settings, as text.

    >>> make_scorer("scores:teacher.parquet").name
    'scores:teacher'
    """
    family, _, argument = system.strip().partition(":")
    if family not in _MAKERS:
        raise RecipeError(
            f"unknown scorer '{system}'", fix=f"accepted: {', '.join(_FAMILIES[name] for name in _MAKERS)}"
        )
    return _MAKERS[family](argument, dict(settings or {}))


def _scores(argument: str, settings: Mapping[str, str]) -> Scorer:
    if not argument:
        raise RecipeError("scores: names no file", fix=f"write {_FAMILIES['scores']}")
    if settings:
        raise RecipeError(f"scores: has no setting '{sorted(settings)[0]}'", fix=f"write {_FAMILIES['scores']}")
    return GivenScores(Path(argument))


_FAMILIES = {"scores": "scores:FILE"}
_MAKERS: dict[str, Callable[[str, Mapping[str, str]], Scorer]] = {"scores": _scores}
