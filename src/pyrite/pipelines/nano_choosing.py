"""Which query split each Nano split is made from: the wished one, else the first usable fallback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.core import RecipeError
from pyrite.engine import Done, Engine
from pyrite.pipelines.nano_opening import open_sources
from pyrite.pipelines.nano_stages import CHOOSE, Attempt
from pyrite.pipelines.nano_systems import settings_of, system_of
from pyrite.pipelines.recipe_nano import NanoRecipe, SplitTable
from pyrite.preparation import QuerySplitChoice, choose_query_split
from pyrite.retrieval import analyzer_for


@dataclass(frozen=True)
class Outcome:
    """What became of one split of the recipe.

    Attributes:
        table, language: of the recipe.
        choice: which query split is used, and why not an earlier one.
        done: the file of the chosen split, or None where it is skipped.
        source: where it comes from, for the manifest.
    """

    table: SplitTable
    language: str
    choice: QuerySplitChoice
    done: Done | None
    source: dict[str, Any]


def choose_splits(recipe: NanoRecipe, base: Path, engine: Engine) -> list[Outcome]:
    """Every split of the recipe, in order: all wished query splits are tried together, then the first fallbacks, ..."""
    sources = [recipe.source_of(table) for table in recipe.split]
    orders = [[source.requested, *source.fallback] for source in sources]
    languages = [table.language or recipe.language for table in recipe.split]
    opened = open_sources(recipe, sources, base, engine)
    reasons: list[dict[str, str]] = [{} for _ in sources]
    done: list[dict[str, Done]] = [{} for _ in sources]
    for turn in range(max(map(len, orders))):
        open_still = [place for place, order in enumerate(orders) if len(order) > turn and all(reasons[place].values())]
        attempts = {
            place: Attempt(
                recipe.split[place].name, languages[place], orders[place][turn], recipe.split[place].analyzer
            )
            for place in open_still
        }
        for place, attempt in attempts.items():
            reasons[place][attempt.query_split] = opened[place].missing(attempt.query_split)
        tried = [place for place in attempts if not reasons[place][attempts[place].query_split]]
        shards = [opened[place].shard(attempts[place]) for place in tried]
        for place, one in zip(tried, engine.run(CHOOSE, shards, _params(recipe, languages, base)), strict=True):
            reasons[place][attempts[place].query_split] = str(one.facts["unusable"])
            done[place][attempts[place].query_split] = one
    outcomes = []
    for place, source in enumerate(sources):
        choice = choose_query_split(source.requested, source.fallback, reasons[place].__getitem__)
        used = None if choice.used is None else done[place][choice.used]
        outcomes.append(Outcome(recipe.split[place], languages[place], choice, used, opened[place].told(choice.used)))
    return outcomes


def _params(recipe: NanoRecipe, languages: list[str], base: Path) -> dict[str, Any]:
    params: dict[str, Any] = {"nano": recipe.nano.model_dump(mode="json")}
    if recipe.nano.fill == "hard":
        # What ranks the source decides the fill, down to the version of an analyzer.
        params["bm25"] = recipe.bm25.model_dump(mode="json")
        params["base"] = str(base)
        scorer = recipe.nano.guard.system
        params["scorer"] = settings_of(system_of(scorer, language=recipe.language, base=base)) if scorer else {}
        params["analyzers"] = [_fingerprint(t, code) for t, code in zip(recipe.split, languages, strict=True)]
    return params


def _fingerprint(table: SplitTable, language: str) -> str:
    try:
        return analyzer_for(table.analyzer, language=language).fingerprint
    except RecipeError:
        # "auto" without a language is settled by the queries.
        return ""
