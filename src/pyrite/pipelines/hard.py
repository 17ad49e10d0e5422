"""Hard distractors: what a system ranks highest for the queries, under a guard against unmarked positives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Retriever, Run
from pyrite.engine import Engine, Shard, Stage, digest_of
from pyrite.formats import read_corpus, read_queries, read_run, write_run
from pyrite.pipelines.encoding import TextFile, encoded_for
from pyrite.pipelines.gold import Gold, queries_table
from pyrite.pipelines.guarding import HITS
from pyrite.pipelines.hard_guard import Rankings, ScoreGuard
from pyrite.pipelines.recipe import BenchmarkRecipe
from pyrite.pipelines.scanned import Scanned
from pyrite.pipelines.searching import retriever_of, settings_of
from pyrite.pipelines.writing import write_corpus, write_tables
from pyrite.preparation import DistractorChoice, NearIndex, hard_rows, too_few
from pyrite.retrieval import located


@dataclass(frozen=True)
class Pool:
    """The training passages that may become distractors, as a system sees them.

    Attributes:
        files: the texts, in pool order; ids are "t" + the training row that the text is taken from.
        ids: the same ids, by pool number. queries: the queries' table.
    """

    files: tuple[Path, ...]
    ids: pa.Array
    queries: Path

    def by_query(self, run: Run) -> dict[str, NDArray[np.int32]]:
        """Query id -> pool numbers, best first."""
        found = pc.index_in(run.hit_ids(), value_set=self.ids).to_numpy(zero_copy_only=False)
        ends = run.offsets.tolist()
        return {
            query_id: found[ends[place] : ends[place + 1]].astype(np.int32)
            for place, query_id in enumerate(run.query_ids.to_pylist())
        }


def take_hardest(
    recipe: BenchmarkRecipe,
    base: Path,
    *,
    gold: Gold,
    training: Scanned,
    choice: DistractorChoice,
    engine: Engine,
) -> None:
    """Decide a choice: round i takes each query's next ranked passage that is not taken yet, until there are enough."""
    wanted, pool = recipe.distractors.count, _pool(recipe, gold, training, choice, engine)
    assert isinstance(wanted, int)
    if wanted > len(pool.ids):
        raise too_few(wanted, len(pool.ids), "distinct passages that are not gold")
    guard = recipe.distractors.guard
    near = _near_gold(guard.near, gold, training, choice, engine)
    by_score = ScoreGuard(guard, base, recipe.language, gold, pool.files, pool.ids, pool.queries)
    queries = len(gold.questions.texts)
    most = min(len(pool.ids), max(HITS // queries, 1))
    depth = min(most, max(100, 4 * -(-wanted // queries)))
    while True:
        ranked: Rankings = pool.by_query(_ranked(recipe, base, pool, depth, engine))
        close: frozenset[int] = frozenset()
        if guard.system:
            guarded = by_score.applied(ranked, engine, shard_bytes=recipe.shard_bytes)
            ranked, close = guarded.rankings, guarded.close - near
        rankings = {query: found.tolist() for query, found in ranked.items()}
        taken = list(islice(hard_rows(rankings, near | close), wanted))
        if len(taken) == wanted:
            break
        if depth == most:
            raise too_few(
                wanted, len(taken), f"passages that {recipe.distractors.system} ranks and the guard lets pass"
            )
        depth = min(most, depth * 4)
    choice.take(
        np.array(taken, np.int64),
        {"guarded: near-duplicate of a gold passage": len(near), "guarded: scored like a positive": len(close)},
    )


def _pool(recipe: BenchmarkRecipe, gold: Gold, training: Scanned, choice: DistractorChoice, engine: Engine) -> Pool:
    rows = choice.pool_rows()
    pieces = training.pieces(rows, prefix="t", by_row=True)
    files = write_corpus(pieces, training.sizes(rows), engine, shard_bytes=recipe.shard_bytes)
    queries = write_tables({"hard queries": queries_table(gold.questions)}, engine)
    ids = pa.array([f"t{row}" for row in rows.tolist()], pa.large_string())
    return Pool(tuple(files.values()), ids, queries["hard queries"])


def _near_gold(
    near: float | None, gold: Gold, training: Scanned, choice: DistractorChoice, engine: Engine
) -> frozenset[int]:
    """Pool numbers of the near-duplicates of a gold passage."""
    if near is None:
        return frozenset()
    index = NearIndex(near)
    for signed in gold.scanned.signed(gold.rows, near, engine):
        index.keep(signed)
    found = [np.empty(0, np.int64)]
    found += [index.find(signed) for signed in training.signed(choice.pool_rows(), near, engine)]
    return frozenset(np.flatnonzero(np.concatenate(found) >= 0).tolist())


def _ranked(recipe: BenchmarkRecipe, base: Path, pool: Pool, depth: int, engine: Engine) -> Run:
    texts = [] if recipe.language else read_queries([pool.queries]).texts.to_pylist()
    system = located(recipe.distractors.system, base)
    retriever = retriever_of(system, recipe.language, texts=texts)
    asked = {
        "document": [TextFile(path, passages) for path in pool.files],
        "query": [TextFile(pool.queries, questions)],
    }
    made, encoded = encoded_for(retriever, asked, engine)
    known = [[path.name for path in pool.files], pool.queries.name, retriever.name, dict(settings_of(retriever)), depth]
    shard = Shard(f"{retriever.name} over the training pool", digest_of([*known, *encoded]), (pool, made, depth))
    (done,) = engine.run(RANK, [shard], {})
    return read_run(done.path)


@lru_cache(maxsize=1)
def passages(path: Path) -> pa.ChunkedArray:
    """The texts of one file of the pool; kept in memory for the next block."""
    return read_corpus([path]).contents()


@lru_cache(maxsize=1)
def questions(path: Path) -> pa.ChunkedArray:
    """The texts of the queries; kept in memory for the next block."""
    return read_queries([path]).texts


def rank_pool(job: tuple[Pool, Retriever, int], params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Search the pool with the system, as a stage: writes the run."""
    pool, retriever, depth = job
    run = retriever.index(read_corpus(list(pool.files))).search(read_queries([pool.queries]), depth)
    write_run(out, run)
    return {"hits": len(run.positions)}


RANK = Stage("rank", 1, rank_pool, model=True)
