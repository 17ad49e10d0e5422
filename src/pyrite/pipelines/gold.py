"""The evaluation table after its one reading: queries, gold passages, and what was merged into what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, LedgerEntry
from pyrite.engine import Engine, Shard
from pyrite.formats import MERGED, QUERIES
from pyrite.pipelines.benchmark_stages import SCAN
from pyrite.pipelines.recipe import BenchmarkRecipe
from pyrite.pipelines.scanned import Scanned
from pyrite.preparation import Passages, Questions, choose_questions
from pyrite.sources import Table


@dataclass(frozen=True)
class Gold:
    """What an evaluation table gives.

    Attributes:
        scanned: its shards. questions: the queries and their positives.
        rows: int64, the table row that each gold passage's text is taken from, by gold number.
        numbers: int64, the gold number of every row, -1 for a row without a passage.
        near: bool, whether a row's passage was merged as a near-duplicate.
        entry: the account of the passages.
    """

    scanned: Scanned
    questions: Questions
    rows: NDArray[np.int64]
    numbers: NDArray[np.int64]
    near: NDArray[np.bool_]
    entry: LedgerEntry

    def merged(self) -> pa.Table:
        """Which evaluation rows' passages are another row's in the corpus: removed -> kept."""
        gone = self.numbers >= 0
        gone[self.rows] = False
        rows = np.flatnonzero(gone)
        return pa.table(
            {
                "eval_row": rows,
                "corpus-id": [f"p{number}" for number in self.numbers[rows].tolist()],
                "reason": np.where(self.near[rows], "near", "identical").tolist(),
            },
            schema=MERGED,
        )


def table_shards(table: Table) -> list[Shard]:
    """A raw table as the engine's units of work."""
    return [Shard(shard.name, shard.digest, shard) for shard in table.shards()]


def read_evaluation(recipe: BenchmarkRecipe, table: Table, engine: Engine, passages: Passages) -> Gold:
    """Read the evaluation table; its passages are the first that come into `passages`."""
    params: dict[str, object] = {"identical": recipe.dedup.identical, "threshold": None, "seed": 0}
    scanned = Scanned.of(engine.run(SCAN, table_shards(table), params))
    texts = [text for index in range(len(scanned.done)) for text in scanned.column(index, "query").to_pylist()]
    numbered = scanned.number(passages, engine, recipe.dedup.near)
    numbers = np.concatenate([np.empty(0, np.int64), *(rows.numbers for rows in numbered)])
    near = np.concatenate([np.empty(0, np.bool_), *(rows.near for rows in numbered)])
    first = np.concatenate([np.empty(0, np.bool_), *(rows.first for rows in numbered)])
    questions = choose_questions(texts, numbers, limit=recipe.queries.limit, duplicates=recipe.queries.duplicates)
    if not questions.texts:
        raise DataError("no row has both a question and a passage", where=table.name, fix="check source.eval.columns")
    rows = np.flatnonzero(first)
    return Gold(scanned, questions, rows, numbers, near, _entry(numbers, near, len(rows), passages.notes()))


def _entry(numbers: NDArray[np.int64], near: NDArray[np.bool_], kept: int, notes: tuple[str, ...]) -> LedgerEntry:
    empty, alike = int((numbers < 0).sum()), int(near.sum())
    reasons = {
        "empty passage": empty,
        "identical to an earlier passage": len(numbers) - empty - alike - kept,
        "near-duplicate of an earlier passage": alike,
    }
    return LedgerEntry("gold passages", "rows", len(numbers), kept, {r: n for r, n in reasons.items() if n}, notes)


def queries_table(questions: Questions) -> pa.Table:
    """The queries as they are published."""
    ids = [f"q{number}" for number in range(len(questions.texts))]
    return pa.table({"_id": ids, "text": list(questions.texts)}, schema=QUERIES)
