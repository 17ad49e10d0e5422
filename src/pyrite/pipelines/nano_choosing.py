"""Which query split each Nano split is made from: the wished one, else the first usable fallback."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyrite.core import RecipeError
from pyrite.engine import Done, Engine
from pyrite.pipelines.guarding import guard_settings
from pyrite.pipelines.nano_opening import Opened, open_sources
from pyrite.pipelines.nano_stages import CHOOSE, Attempt
from pyrite.pipelines.recipe_nano import NanoRecipe, SplitSource, SplitTable
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


@dataclass
class _Trial:
    """One split while its query splits are tried: why each is refused ("" where it is not), and the file of each."""

    table: SplitTable
    language: str
    source: SplitSource
    opened: Opened
    reasons: dict[str, str] = field(default_factory=dict)
    done: dict[str, Done] = field(default_factory=dict)

    def attempt(self, turn: int) -> Attempt | None:
        """The next query split, if none before it was usable and there is one."""
        order = [self.source.requested, *self.source.fallback]
        if turn >= len(order) or not all(self.reasons.values()):
            return None
        return Attempt(self.table.name, self.language, order[turn], self.table.analyzer)

    def outcome(self) -> Outcome:
        """What came of it."""
        choice = choose_query_split(self.source.requested, self.source.fallback, self.reasons.__getitem__)
        done = None if choice.used is None else self.done[choice.used]
        return Outcome(self.table, self.language, choice, done, self.opened.told(choice.used))


def choose_splits(recipe: NanoRecipe, base: Path, engine: Engine) -> list[Outcome]:
    """Every split of the recipe, in order: all wished query splits are tried together, then the first fallbacks, ..."""
    sources = [recipe.source_of(table) for table in recipe.split]
    trials = [
        _Trial(table, table.language or recipe.language, source, opened)
        for table, source, opened in zip(
            recipe.split, sources, open_sources(recipe, sources, base, engine), strict=True
        )
    ]
    params = _params(recipe, [trial.language for trial in trials], base)
    for turn in range(max(1 + len(source.fallback) for source in sources)):
        tried: list[tuple[_Trial, Attempt]] = []
        for trial in trials:
            attempt = trial.attempt(turn)
            if attempt is not None:
                trial.reasons[attempt.query_split] = trial.opened.missing(attempt.query_split)
                if not trial.reasons[attempt.query_split]:
                    tried.append((trial, attempt))
        shards = [trial.opened.shard(attempt) for trial, attempt in tried]
        for (trial, attempt), done in zip(tried, engine.run(CHOOSE, shards, params), strict=True):
            trial.reasons[attempt.query_split] = str(done.facts["unusable"])
            trial.done[attempt.query_split] = done
    return [trial.outcome() for trial in trials]


def _params(recipe: NanoRecipe, languages: list[str], base: Path) -> dict[str, Any]:
    params: dict[str, Any] = {"nano": recipe.nano.model_dump(mode="json")}
    if recipe.nano.fill == "hard":
        # What ranks the source decides the fill, down to the version of an analyzer.
        params["bm25"] = recipe.bm25.model_dump(mode="json")
        params["base"] = str(base)
        params["scorer"] = guard_settings(recipe.nano.guard.system, language=recipe.language, base=base)
        params["analyzers"] = [_fingerprint(t, code) for t, code in zip(recipe.split, languages, strict=True)]
    return params


def _fingerprint(table: SplitTable, language: str) -> str:
    try:
        return analyzer_for(table.analyzer, language=language).fingerprint
    except RecipeError:
        # "auto" without a language is settled by the queries.
        return ""
