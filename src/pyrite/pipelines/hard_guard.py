"""The guard of hard distractors: what a system scores like a positive may answer the question, and stays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.engine import Engine, Shard, digest_of
from pyrite.pipelines.gold import Gold
from pyrite.pipelines.guarding import guard_settings, held_scores, is_file
from pyrite.pipelines.hard_stages import GUARD, GuardJob
from pyrite.pipelines.recipe_nano import GuardTable
from pyrite.pipelines.writing import write_corpus
from pyrite.preparation import close_in_score
from pyrite.retrieval import located

Rankings = Mapping[str, NDArray[np.int32]]
"""Query id -> pool numbers, best first."""


@dataclass(frozen=True)
class Guarded:
    """The candidates, and what a guard says of them.

    Attributes:
        rankings: without the candidates that a file has not scored, which cannot pass.
        close: pool numbers that score like a positive, for whatever query.
    """

    rankings: Rankings
    close: frozenset[int]


@dataclass(frozen=True)
class ScoreGuard:
    """A guard by a system's scores.

    Attributes:
        table: system and margin. base: what its paths start from. language: of the recipe.
        gold: the positives.
        files, ids, queries: the pool's texts, its ids by pool number, and the queries' table.
    """

    table: GuardTable
    base: Path
    language: str
    gold: Gold
    files: tuple[Path, ...]
    ids: pa.Array
    queries: Path

    def applied(self, rankings: Rankings, engine: Engine, *, shard_bytes: int) -> Guarded:
        """What of the rankings may pass; DataError for a query of which a file has scored no positive."""
        positives = self._positives()
        if is_file(self.table.system):
            numbers = {doc_id: number for number, doc_id in enumerate(self.ids.to_pylist())}
            numbers |= {f"p{number}": -1 - number for number in range(len(self.gold.rows))}
            scores = held_scores(self.table.system, self.base, numbers)
            self._must_have_scored(positives, scores)
            rankings = {query: _only(found, scores.get(query, {})) for query, found in rankings.items()}
        else:
            scores = self._scored(rankings, positives, engine, shard_bytes)
        return Guarded(rankings, close_in_score(scores, positives, self.table.margin))

    def _positives(self) -> dict[str, Sequence[int]]:
        """Query id -> its gold passages: -1 for p0, -2 for p1, ..."""
        known: dict[str, list[int]] = {}
        questions = self.gold.questions
        for row, number in zip(questions.query_rows.tolist(), questions.gold_numbers.tolist(), strict=True):
            known.setdefault(f"q{row}", []).append(-1 - number)
        return dict(known)

    def _must_have_scored(
        self, positives: Mapping[str, Sequence[int]], scores: Mapping[str, Mapping[int, float]]
    ) -> None:
        for query_id, known in positives.items():
            if not any(positive in scores.get(query_id, {}) for positive in known):
                raise DataError(
                    f"no positive of query '{query_id}' is scored",
                    where=self.table.system.partition(":")[2],
                    fix="score it, or leave the guard's system out",
                )

    def _scored(
        self, rankings: Rankings, positives: Mapping[str, Sequence[int]], engine: Engine, shard_bytes: int
    ) -> dict[str, dict[int, float]]:
        gold_rows = self.gold.rows
        pieces = self.gold.scanned.pieces(gold_rows, prefix="p")
        texts = write_corpus(pieces, self.gold.scanned.sizes(gold_rows), engine, shard_bytes=shard_bytes)
        wanted = {
            int(query_id[1:]): np.concatenate([found, np.array(positives.get(query_id, ()), np.int32)])
            for query_id, found in rankings.items()
        }
        job = GuardJob(
            (*self.files, *texts.values()), self.queries, located(self.table.system, self.base), self.language, wanted
        )
        settings = guard_settings(self.table.system, language=self.language, base=self.base)
        key = digest_of(
            [[path.name for path in (*job.files, self.queries)], settings],
            [[query, found.tolist()] for query, found in sorted(wanted.items())],
        )
        (done,) = engine.run(GUARD, [Shard(f"guard by {settings['system']}", key, job)], {})
        table = pq.read_table(done.path)
        scores: dict[str, dict[int, float]] = {}
        rows = zip(*(table.column(name).to_pylist() for name in ("query", "document", "score")), strict=True)
        for query, document, score in rows:
            scores.setdefault(f"q{query}", {})[document] = score
        return scores


def _only(found: NDArray[np.int32], scored: Mapping[int, float]) -> NDArray[np.int32]:
    """A candidate that a file has not scored cannot pass it."""
    return found[np.isin(found, np.fromiter(scored, np.int64, len(scored)))]
