"""Scorers by name: "rerank:org/model", "scores:results/teacher.parquet"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pyrite.core import RecipeError, Scorer
from pyrite.retrieval.families import USAGE, neural_scorer
from pyrite.retrieval.given_scores import GivenScores
from pyrite.retrieval.own_systems import own_families, own_scorer
from pyrite.retrieval.system_spec import SystemSpec


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
        own = own_families()
        if family in own:
            return own_scorer(family, argument, dict(settings or {}))
        accepted = [*_FAMILIES.values(), *(f"{name}[:...]" for name in own)]
        raise RecipeError(f"unknown scorer '{system}'", fix=f"accepted: {', '.join(accepted)}")
    return _MAKERS[family](argument, dict(settings or {}))


def _scores(argument: str, settings: Mapping[str, str]) -> Scorer:
    if not argument:
        raise RecipeError("scores: names no file", fix=f"write {_FAMILIES['scores']}")
    if settings:
        raise RecipeError(f"scores: has no setting '{sorted(settings)[0]}'", fix=f"write {_FAMILIES['scores']}")
    return GivenScores(Path(argument))


def _neural(family: str) -> Callable[[str, Mapping[str, str]], Scorer]:
    return lambda argument, settings: neural_scorer(SystemSpec(f"{family}:{argument}", settings))


_NEURAL = ("rerank", "dense", "sparse", "multi-vector")
_FAMILIES = {**{family: USAGE[family] for family in _NEURAL}, "scores": "scores:FILE"}
_MAKERS: dict[str, Callable[[str, Mapping[str, str]], Scorer]] = {
    **{family: _neural(family) for family in _NEURAL},
    "scores": _scores,
}
