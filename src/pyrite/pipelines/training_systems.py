"""The retrievers and the teacher of a mining recipe, made before any work, so that a wrong name is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pyrite.core import RecipeError, Retriever, Scorer
from pyrite.engine import digest_file
from pyrite.formats import read_json
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.retrieval import (
    EmbeddingScorer,
    GivenRun,
    GivenScores,
    SystemSpec,
    located_spec,
    make_retriever,
    make_scorer,
)

Given = TypeVar("Given", GivenRun, GivenScores)


@dataclass(frozen=True)
class TrainingSystems:
    """Who finds candidates, and whose logits decide.

    Attributes:
        retrievers: in the recipe's order. teacher: the scorer.
    """

    retrievers: tuple[Retriever, ...]
    teacher: Scorer


def systems_of(recipe: TrainingRecipe, base: Path) -> TrainingSystems:
    """The systems that a recipe names; RecipeError for what is not there, or for a teacher whose logits are cosines.

    Args:
        recipe: the recipe.
        base: what the paths of files are relative to.
    """
    retrievers = []
    for table in recipe.retriever:
        spec = table.spec()
        if spec.family == "run" and spec.settings:
            raise RecipeError(
                f"run: has no setting '{sorted(spec.settings)[0]}'", where=table.system, fix="leave it out"
            )
        if spec.family == "bm25" and not spec.argument and not recipe.language:
            raise RecipeError(
                "names no language, and queries of a mined set are not asked for theirs", where="bm25",
                fix='write bm25:en, or set language = "en" (--language en)',
            )  # fmt: skip
        made = make_retriever(_beside(spec, base), language=recipe.language)
        retrievers.append(_there(made, base) if isinstance(made, GivenRun) else made)
    spec = _beside(recipe.teacher.spec(), base)
    teacher = make_scorer(spec.system, spec.settings)
    if not recipe.select.allow_squashed and _is_cosine(spec, teacher):
        raise RecipeError(
            "gives cosines, and logits that all lie within [-1, 1] are refused once they are scored",
            where=recipe.teacher.system,
            fix=f"write {recipe.teacher.system},scale=20, or set select.allow_squashed = true",
        )
    return TrainingSystems(tuple(retrievers), _there(teacher, base) if isinstance(teacher, GivenScores) else teacher)


def _is_cosine(spec: SystemSpec, teacher: Scorer) -> bool:
    """Whether a scorer is known to stay within [-1, 1] before it is loaded; a hub model's files are fetched."""
    if spec.family == "use":
        return float(spec.settings.get("scale", 1)) <= 1
    if not isinstance(teacher, EmbeddingScorer) or spec.family == "multi-vector":
        return False
    settings = teacher.system.settings
    if (settings.scale or 1) > 1 or settings.normalize is False:
        return False
    if settings.normalize:
        return True
    file = teacher.system.files.folder / "config_sentence_transformers.json"
    said = read_json(file).get("similarity_fn_name") if file.is_file() else None
    # What sentence-transformers takes where a model says nothing: cosine of dense vectors, dot product of sparse ones.
    return said == "cosine" or (said is None and spec.family == "dense")


def _beside(spec: SystemSpec, base: Path) -> SystemSpec:
    """The same system with its models where the recipe's folder has them; a file by itself keeps its short name."""
    return spec if spec.family in ("run", "scores") else located_spec(spec, base)


def _there(given: Given, base: Path) -> Given:
    path = base / given.path.expanduser()
    if not path.is_file():
        raise RecipeError("there is no such file", where=str(path), fix=f"check the path of '{given.name}'")
    return replace(given, path=path)


def settings_of(system: Retriever | Scorer) -> dict[str, Any]:
    """Everything that decides a system's output, for keys and the card."""
    settings = getattr(system, "settings", None)
    return dict(settings()) if callable(settings) else {}


def told_system(system: Retriever | Scorer, **more: Any) -> dict[str, Any]:
    """What a manifest says of a system; of a file, its digest too."""
    told: Mapping[str, Any] = {
        "name": system.name,
        "family": str(getattr(system, "family", "other")),
        "settings": settings_of(system),
        **more,
    }
    if isinstance(system, GivenRun | GivenScores):
        return {**told, "digest": digest_file(system.path)}
    return dict(told)
