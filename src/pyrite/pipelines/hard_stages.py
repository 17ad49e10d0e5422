"""What the guard of hard distractors does in a shard: score pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import TextPairs
from pyrite.engine import Stage
from pyrite.formats import read_corpus, read_queries, write_parquet
from pyrite.pipelines.guarding import pair_scores


@dataclass(frozen=True)
class GuardJob:
    """Pairs to score.

    Attributes:
        files: texts of the pool, then of the gold passages. queries: the queries' table.
        system, language: who scores, and what its texts are in where the recipe says it.
        wanted: row of a query -> pool numbers, and -1 - n for gold passage n.
    """

    files: tuple[Path, ...]
    queries: Path
    system: str
    language: str
    wanted: Mapping[int, NDArray[np.int32]]


def score_pairs(job: GuardJob, params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Score the pairs, as a stage: writes query, document (as in `wanted`) and score."""
    corpus, queries = read_corpus(list(job.files)), read_queries([job.queries])
    rows = np.concatenate([np.zeros(0, np.int32), *(np.full(len(own), row) for row, own in job.wanted.items())])
    documents = np.concatenate([np.zeros(0, np.int32), *job.wanted.values()]).astype(np.int32)
    gold = corpus.positions(["p0"])[0]
    positions = np.where(documents < 0, gold - 1 - documents, documents)
    pairs = TextPairs(queries, corpus, rows.astype(np.int32), positions.astype(np.int32))
    texts = [] if job.language else queries.texts.to_pylist()
    scores = pair_scores(job.system, pairs, language=job.language, base=Path(), texts=texts)
    write_parquet(out, pa.table({"query": rows.astype(np.int32), "document": documents, "score": scores}))
    return {"pairs": len(scores)}


GUARD = Stage("guard", 1, score_pairs, model=True)
