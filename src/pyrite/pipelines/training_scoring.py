"""The teacher's logits: each distinct pair scored once, in blocks of one length-sorted stream that a resume keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import Pool, Scorer, TextPairs
from pyrite.engine import Engine, Shard, digest_of
from pyrite.formats import read_scores
from pyrite.mining import checked_logits
from pyrite.pipelines.encoding import encoded_for
from pyrite.pipelines.training_encoding import pool_texts
from pyrite.pipelines.training_pool import BuiltPool
from pyrite.pipelines.training_stages import SCORE, Scoring
from pyrite.pipelines.training_systems import settings_of
from pyrite.retrieval import GivenScores, matched_logits

BLOCK = 2048
"""Pairs that are scored between two commits: what a kill costs at most."""

ScoreRows = Callable[[Pool, NDArray[np.int64]], NDArray[np.float32]]
"""Gives the logits of these rows of a pool."""


def teacher_scores(built: BuiltPool, teacher: Scorer, engine: Engine, *, allow_squashed: bool = False) -> ScoreRows:
    """How the rows of a pool get the teacher's logits.

    `allow_squashed`: nothing is said of a first block of many whose logits all lie within [-1, 1].
    """

    def score_rows(pool: Pool, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        if isinstance(teacher, GivenScores):
            return _given(built, teacher, pool, rows)
        return _scored(built, teacher, pool, rows, engine, told=not allow_squashed)

    return score_rows


def _scored(
    built: BuiltPool, teacher: Scorer, pool: Pool, rows: NDArray[np.int64], engine: Engine, *, told: bool
) -> NDArray[np.float32]:
    """The longest pairs first, over all queries: batches waste nothing, and what does not fit fails at once."""
    lengths = _lengths(built, pool, rows)
    order = rows[np.lexsort((rows, -lengths))]
    model = [teacher.name, settings_of(teacher)]
    asked = pool_texts(built, query=pool.query_of[rows], documents=pool.documents[rows])
    teacher, encoded = encoded_for(teacher, asked, engine)
    texts = [built.corpus_file.digest, built.queries_file.digest, *encoded]
    shards = []
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        query, documents = pool.query_of[block], pool.documents[block]
        parts = {"texts": texts, "model": model, "pairs": _digest(query, documents)}
        shards.append(
            Shard(
                f"pairs {start:,} to {start + len(block) - 1:,}",
                digest_of(*texts, *model, parts["pairs"]),
                Scoring(
                    built.corpus_file.path,
                    built.queries_file.path,
                    teacher,
                    query,
                    documents,
                    told=told and not start and len(order) > BLOCK,
                ),
                parts,
            )
        )
    logits = np.empty(len(pool), dtype=np.float32)
    for start, done in zip(range(0, len(order), BLOCK), engine.run(SCORE, shards, {}), strict=True):
        logits[order[start : start + BLOCK]] = pq.read_table(done.path)["logit"].to_numpy()
    return logits[rows]


def _lengths(built: BuiltPool, pool: Pool, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    queries = np.asarray(pc.binary_length(built.queries.texts), dtype=np.int64)
    documents = np.asarray(pc.binary_length(built.corpus.texts), dtype=np.int64)
    return queries[pool.query_of[rows]] + documents[pool.documents[rows]]


def _digest(query: NDArray[np.int32], documents: NDArray[np.int32]) -> str:
    pairs = np.ascontiguousarray(np.stack([query, documents]))
    return hashlib.blake2b(pairs.tobytes(), digest_size=16).hexdigest()


def _given(built: BuiltPool, teacher: GivenScores, pool: Pool, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """A file may name a pair by any id of the query's text, and a positive by any id of its text."""
    held, placed = read_scores(teacher.path), built.placed
    asked = placed.known.queries.positions(held.query_ids)
    query = np.where(asked >= 0, placed.numbers[asked], -1)
    documents = built.corpus.positions(held.doc_ids)
    other = _other_ids(built)
    if len(other):
        ids = placed.known.doc_ids.take(other).combine_chunks()
        named = np.asarray(pc.fill_null(pc.index_in(held.doc_ids, value_set=ids), -1).to_numpy(), dtype=np.int64)
        documents = np.where(named >= 0, placed.positions[other][named], documents)
    wanted = pool.query_of[rows], pool.documents[rows]
    logits = matched_logits((query, documents), held.logits, wanted)
    pairs = TextPairs(pool.queries, pool.corpus, *wanted)
    teacher.must_hold_all(logits, pairs)
    return checked_logits(logits, pairs, teacher=teacher.name)


def _other_ids(built: BuiltPool) -> NDArray[np.int64]:
    """Known positives whose text is in the pool under another id."""
    placed = built.placed
    own = built.corpus.positions(placed.known.doc_ids)
    return np.flatnonzero(own != placed.positions)
