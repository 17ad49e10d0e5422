"""From queries with relevant documents to a mined training set: pool, candidates, teacher, selection, folder."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyrite.core import TEMPLATE, Ledger
from pyrite.engine import Engine
from pyrite.formats import DataWarning, Manifest, write_manifest
from pyrite.pipelines.evaluating import Evaluated
from pyrite.pipelines.expecting import beside, must_be_as_expected, versions
from pyrite.pipelines.recipe import LoadedRecipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_pool import BuiltPool, build_pool
from pyrite.pipelines.training_scoring import teacher_scores
from pyrite.pipelines.training_searching import retrieve_pool
from pyrite.pipelines.training_selecting import Mined, mine_pool
from pyrite.pipelines.training_sources import open_sources, told_sources
from pyrite.pipelines.training_systems import TrainingSystems, systems_of, told_system
from pyrite.pipelines.training_writing import write_mined


def training_folder(loaded: LoadedRecipe, folder: Path, engine: Engine) -> tuple[Manifest, Evaluated | None]:
    """Fill a folder with the mined training set of a recipe."""
    recipe = loaded.recipe
    assert isinstance(recipe, TrainingRecipe)
    # Systems and sources are opened before anything is read: what is wrong is told in the first second.
    systems = systems_of(recipe, loaded.base)
    sources = open_sources(recipe, loaded.base)
    built = build_pool(recipe, sources, engine)
    early = _early_counts(built, len(sources.expanded.known.queries))
    must_be_as_expected(recipe.expect, early, recipe.name)
    pool, hits = retrieve_pool(built, systems.retrievers, [table.depth for table in recipe.retriever], engine)
    mined = mine_pool(
        recipe,
        pool,
        built.placed,
        teacher_scores(built, systems.teacher, engine, allow_squashed=recipe.select.allow_squashed),
        found=np.bincount(pool.query_of[pool.rank > 0], minlength=len(pool.queries)).astype(np.int64),
    )
    manifest = Manifest(
        kind=recipe.kind,
        name=recipe.name,
        language=recipe.language,
        versions=versions(),
        protocol={"headline_queries": None, "remove_self": False, "template": TEMPLATE},
        counts=early,
        ledger=Ledger((*built.entries, *hits)).to_json(),
        sources=told_sources(sources.told, built.corpus_rows),
        facts=_facts(recipe, systems),
    )
    return finish_folder(folder, recipe, manifest, mined), None


def _early_counts(built: BuiltPool, queries: int) -> dict[str, int]:
    """What is known before anything is scored; a wrong corpus is told before hours of work."""
    return {
        "queries": queries,
        "pairs": len(built.placed.pairs),
        "unique_positives": built.unique_positives,
        "corpus": built.corpus_rows,
        "pool": len(built.corpus),
    }


def _facts(recipe: TrainingRecipe, systems: TrainingSystems) -> dict[str, Any]:
    return {
        "retrievers": [
            told_system(retriever, depth=table.depth)
            for retriever, table in zip(systems.retrievers, recipe.retriever, strict=True)
        ],
        "teacher": told_system(systems.teacher, depth=recipe.depth),
    }


UPSTREAM = ("retrievers", "teacher", "audit")
"""Facts that a selection does not change."""

EARLY = ("queries", "pairs", "unique_positives", "corpus", "pool")
"""Counts that a selection does not change."""

DECIDED = ("scored candidates", "select negatives", "filter n-tuples")
"""Stages of the ledger that a selection makes anew."""


def finish_folder(folder: Path, recipe: TrainingRecipe, upstream: Manifest, mined: Mined) -> Manifest:
    """Check the counts of a selection, write its tables, and complete the manifest of what came before it.

    Args:
        folder: empty, or with no table of a mined set in it.
        recipe: what the selection was made by.
        upstream: what is said of pairs, pool and systems.
        mined: the selection.
    """
    # In the order of the work, also where the manifest of what came before was read from a file.
    early = {name: upstream.counts[name] for name in EARLY if name in upstream.counts}
    counts = {**early, **upstream.counts, **_late_counts(mined)}
    must_be_as_expected(recipe.expect, counts, recipe.name)
    for sentence in mined.warnings:
        warnings.warn(f"{recipe.teacher.system}: {sentence}", DataWarning, stacklevel=2)
    write_mined(folder, recipe, mined)
    told = mined.statistics.to_json()
    manifest = Manifest(
        kind=recipe.kind,
        name=recipe.name,
        language=recipe.language,
        recipe=recipe.model_dump(mode="json"),
        versions=versions(),
        protocol=upstream.protocol,
        counts=counts,
        ledger=[*upstream.ledger, *mined.ledger.to_json()],
        sources=upstream.sources,
        published=beside(recipe.published, {**told, **counts}, {}),
        facts={**upstream.facts, "statistics": told, "warnings": list(mined.warnings)},
    )
    write_manifest(folder / "manifest.json", manifest)
    return manifest


def _late_counts(mined: Mined) -> Mapping[str, int]:
    told = mined.statistics
    counts = {
        "scored": told.scored,
        "weak_positive": told.weak_positive,
        "too_few_candidates": told.too_few_candidates,
        "margin_only": told.margin_only,
        "top_up": told.top_up,
        "negatives": sum(told.origins.values()),
        "triplets": len(mined.tuples),
        "n-tuples": len(mined.tuples),
        "n-tuples-filtered": len(mined.filtered.kept),
    }
    return {**counts, "n-tuples-short": len(mined.short)} if len(mined.short) else counts
