"""What mining will take: how many pairs are to be scored, and how fast this machine scores them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.core import Corpus, Document, Scorer, TextPairs
from pyrite.mining import text_numbers
from pyrite.pipelines.recipe import LoadedRecipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_sources import OpenedSources, open_sources
from pyrite.pipelines.training_systems import systems_of
from pyrite.retrieval import GivenScores

PROBED = 32
"""Pairs that a teacher scores to show how fast it is."""


@dataclass(frozen=True)
class MiningPlan:
    """What a mining build will score.

    Attributes:
        queries: of distinct text. pairs: known positives.
        least, most: pairs to score: without the extension of short rows, and where every query is extended.
        a_second: pairs that the teacher scores here; None where its logits are in a file.
    """

    queries: int
    pairs: int
    least: int
    most: int
    a_second: float | None

    def notes(self) -> tuple[str, ...]:
        """For a terminal."""
        told = (
            f"{self.queries:,} distinct queries with {self.pairs:,} positives: {self.least:,} to {self.most:,} pairs "
            "to score, the more the more rows are short."
        )
        if self.a_second is None:
            return (told, "The logits are read from a file.")
        low, high = self.least / self.a_second, self.most / self.a_second
        return (
            told,
            f"The teacher scores {self.a_second:,.1f} pairs a second here: {low:,.0f} to {high:,.0f} seconds.",
        )


def plan_mining(loaded: LoadedRecipe) -> MiningPlan:
    """Read the queries, and let the teacher score a few pairs of them; the sources have to be on this machine.

    Raises:
        RecipeError: a system or a setting is wrong. DataError: the queries cannot be read.
    """
    recipe = loaded.recipe
    assert isinstance(recipe, TrainingRecipe)
    teacher = systems_of(recipe, loaded.base).teacher
    sources = open_sources(recipe, loaded.base)
    known = sources.expanded.known
    queries = int(text_numbers(known.queries.texts).max(initial=-1)) + 1
    depths = [table.depth for table in recipe.retriever]
    first = sum(min(depth, recipe.depth) for depth in depths)
    return MiningPlan(
        queries=queries,
        pairs=len(known),
        least=queries * first,
        # At most no positive is among the candidates.
        most=queries * sum(depths) + len(known),
        a_second=None if isinstance(teacher, GivenScores) else _speed(teacher, sources),
    )


def _speed(teacher: Scorer, sources: OpenedSources) -> float:
    pairs = _some_pairs(sources)
    with tempfile.TemporaryDirectory(prefix="pyrite-plan-") as folder:
        teacher = _without_memory(teacher, Path(folder))
        one = np.zeros(1, np.int32)
        teacher.score(replace(pairs, query_positions=one, doc_positions=one))
        started = time.perf_counter()
        teacher.score(pairs)
        return len(pairs) / max(time.perf_counter() - started, 1e-9)


def _without_memory(teacher: Any, folder: Path) -> Any:
    """The teacher with an empty cache: what an earlier probe scored would tell nothing of this machine."""
    if is_dataclass(teacher) and "cache" in {field.name for field in fields(teacher)}:
        return replace(teacher, cache=folder)  # type: ignore[type-var]
    return teacher


def _some_pairs(sources: OpenedSources) -> TextPairs:
    """The first queries, each with another of the first documents."""
    queries = sources.expanded.known.queries.first(PROBED)
    corpus = Corpus.of(islice(_documents(sources), PROBED))
    places = np.arange(PROBED, dtype=np.int32)
    return TextPairs(queries, corpus, places % np.int32(len(queries)), places % np.int32(len(corpus)))


def _documents(sources: OpenedSources) -> Iterator[Document]:
    for shard in sources.corpus:
        for batch in shard.data.read():
            texts: pa.Array = batch.column("text")
            for doc_id, text in zip(batch.column("id").to_pylist(), texts.to_pylist(), strict=True):
                yield Document(doc_id, text or "")
