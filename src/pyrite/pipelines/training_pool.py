"""The pool of a mining build: the corpus is read once, positives and a seeded sample stay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, LedgerEntry, Queries, rows_of
from pyrite.engine import Done, Engine, Shard, digest_of
from pyrite.mining import (
    CorpusRows,
    KnownPositives,
    PoolChoice,
    Sample,
    choose_pool,
    place_pairs,
    text_numbers,
    threshold,
)
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_sources import OpenedSources
from pyrite.pipelines.training_stages import POOL, SCAN, PoolPieces, read_pool_corpus
from pyrite.pipelines.writing import write_tables
from pyrite.preparation import digest_numbers

WAVE = 8
"""Corpus shards scanned between two looks at the threshold: fixed, so that workers change nothing."""


class OnDisk(NamedTuple):
    """A table that a stage wrote, and the digest of its bytes."""

    path: Path
    digest: str


@dataclass(frozen=True, eq=False)
class BuiltPool:
    """The documents that may be chosen, and the known positives among them.

    Attributes:
        corpus: in pool order. queries: with distinct texts.
        placed: the pairs, on positions of the corpus.
        corpus_file, queries_file: the same on disk, for stages.
        corpus_rows: documents of the source. unique_positives: distinct ids among the known positives.
        entries: the account of queries, pairs and documents.
    """

    corpus: Corpus
    queries: Queries
    placed: KnownPositives
    corpus_file: OnDisk
    queries_file: OnDisk
    corpus_rows: int
    unique_positives: int
    entries: tuple[LedgerEntry, ...]


def build_pool(recipe: TrainingRecipe, sources: OpenedSources, engine: Engine) -> BuiltPool:
    """Scan the corpus, choose the pool, and place the pairs in it."""
    known = sources.expanded.known
    first = np.unique(text_numbers(known.doc_ids), return_index=True)[1]
    distinct = known.doc_ids.take(pa.array(np.sort(first)))
    scanned = _Scanned.of(_scan(recipe, sources, distinct, engine))
    if repeated := scanned.repeated():
        where, rows_of = _places(repeated, sources.corpus)
        what = f"document id '{repeated}' occurs more than once ({rows_of})"
        raise DataError(what, where=where, fix="make the ids unique")
    rows = scanned.find(distinct)
    choice = choose_pool(
        scanned.rows, rows[rows >= 0], sample=recipe.pool.sample, corpus_documents=scanned.filled_documents
    )
    at = scanned.find(known.doc_ids)
    positions = np.where(at >= 0, choice.positions[at], -1)
    placed = place_pairs(
        sources.expanded,
        positions,
        absent=at < 0,
        rules=recipe.pairs.rules(),
        one_a_cell=sources.one_a_cell,
    )
    if not len(placed.pairs):
        raise DataError("no relevant document is in the corpus", where="source.corpus", fix="check the ids of both")
    corpus_file = _assemble(scanned, choice, engine)
    asked = placed.known.queries.take(np.unique(placed.numbers, return_index=True)[1])
    table = pa.table({"_id": asked.ids.cast(pa.string()), "text": asked.texts.cast(pa.string())})
    (path,) = write_tables({"queries.parquet": table}, engine).values()
    return BuiltPool(
        corpus=read_pool_corpus(corpus_file.path),
        queries=asked,
        placed=placed,
        corpus_file=corpus_file,
        queries_file=OnDisk(path, digest_of(asked.ids.to_pylist(), asked.texts.to_pylist())),
        corpus_rows=scanned.documents,
        unique_positives=int((rows >= 0).sum()),
        entries=(sources.expanded.entry, placed.entry, _corpus_entry(scanned, choice), choice.entry),
    )


def _scan(
    recipe: TrainingRecipe, sources: OpenedSources, positives: pa.ChunkedArray, engine: Engine
) -> tuple[list[Done], Sample]:
    ids = pa.table({"_id": positives.cast(pa.string())})
    (wanted,) = write_tables({"positives.parquet": ids}, engine).values()
    # The file's name is its content key, so it stands for the ids.
    shards = [
        Shard(one.name, digest_of(one.digest, wanted.name), (one.data, wanted), folders=one.folders)
        for one in sources.corpus
    ]
    sample, seed = recipe.pool.sample, recipe.pool.seed
    done: list[Done] = []
    seen = np.empty(0, np.uint64)
    for start in range(0, len(shards), WAVE):
        params = {"seed": seed, "threshold": threshold(seen, sample)}
        fresh = engine.run(SCAN, shards[start : start + WAVE], params)
        done += fresh
        seen = _smallest(seen, fresh, sample)
    return done, sample


def _smallest(seen: NDArray[np.uint64], done: Sequence[Done], sample: Sample) -> NDArray[np.uint64]:
    """The smallest priorities so far, as many as are sampled."""
    if sample == "all":
        return seen
    fresh = [pq.read_table(one.path, columns=["priority", "digest"]) for one in done]
    priorities = [table.filter(table["digest"].is_valid())["priority"].to_numpy() for table in fresh]
    together = np.concatenate([seen, *priorities]).astype(np.uint64)
    return together if len(together) <= sample else np.partition(together, sample)[:sample]


@dataclass(frozen=True, eq=False)
class _Scanned:
    """What was kept of the corpus, in corpus order; ids and texts stay on disk.

    Attributes:
        done: the scanned shards. starts: int64, the kept row at which each begins, and the total at the end.
        rows: what the choice needs to know of the rows.
    """

    done: tuple[Done, ...]
    starts: NDArray[np.int64]
    rows: CorpusRows

    @classmethod
    def of(cls, scanned: tuple[list[Done], Sample]) -> _Scanned:
        done = tuple(scanned[0])
        starts = np.cumsum([0, *(pq.read_metadata(one.path).num_rows for one in done)])
        rows = CorpusRows(
            texts=np.empty((starts[-1], 2), np.uint64),
            blank=np.empty(starts[-1], np.bool_),
            priority=np.empty(starts[-1], np.uint64),
        )
        for one, start, stop in zip(done, starts[:-1], starts[1:], strict=True):
            table = pq.read_table(one.path, columns=["digest", "priority"])
            digest = table["digest"].combine_chunks()
            rows.texts[start:stop] = digest_numbers(digest)
            rows.blank[start:stop] = digest.is_null().to_numpy(zero_copy_only=False)
            rows.priority[start:stop] = table["priority"].to_numpy()
        return cls(done, starts, rows)

    @property
    def documents(self) -> int:
        """Documents of the source."""
        return sum(int(one.facts["rows"]) for one in self.done)

    @property
    def filled_documents(self) -> int:
        """Those with a text."""
        return sum(int(one.facts["filled"]) for one in self.done)

    def ids(self) -> Iterator[pa.Array]:
        """The ids of the kept rows, a shard at a time."""
        for one in self.done:
            yield pq.read_table(one.path, columns=["id"])["id"].combine_chunks()

    def repeated(self) -> str | None:
        """The first kept id that occurs more than once; None where there is none."""
        # Equal ids have equal priorities, so that nearly all rows are cleared by those.
        ordered = np.sort(self.rows.priority)
        again = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
        if not len(again):
            return None
        alike = np.isin(self.rows.priority, again)
        parts = zip(self.ids(), self.starts[:-1], self.starts[1:], strict=True)
        suspects = [ids.filter(pa.array(alike[start:stop])).cast(pa.large_string()) for ids, start, stop in parts]
        counts = pc.value_counts(pa.chunked_array(suspects))
        repeated = counts.filter(pc.greater(pc.struct_field(counts, "counts"), 1))
        return str(repeated[0].as_py()["values"]) if len(repeated) else None

    def find(self, ids: pa.ChunkedArray) -> NDArray[np.int64]:
        """The kept row of each id, -1 for one that the corpus lacks."""
        return rows_of(ids, self.ids())


def _places(doc_id: str, corpus: Sequence[Shard]) -> tuple[str, str]:
    """Where a repeated id stands the first two times: the part of the corpus, and its rows there, from 0."""
    found: list[tuple[str, int]] = []
    for shard in corpus:
        start = 0
        for batch in shard.data.read():
            at = np.flatnonzero(pc.equal(batch.column("id"), doc_id).to_numpy(zero_copy_only=False))
            found += [(shard.name, start + int(row)) for row in at]
            start += len(batch)
        if len(found) > 1:
            break
    (name, first), (other, second) = found[:2]
    if name == other:
        return name, f"its rows {first} and {second}, from 0"
    return name, f"its row {first}, and row {second} of {other}, from 0"


def _assemble(scanned: _Scanned, choice: PoolChoice, engine: Engine) -> OnDisk:
    file = np.searchsorted(scanned.starts, choice.rows, side="right") - 1
    row = choice.rows - scanned.starts[file]
    pieces = PoolPieces(tuple(one.path for one in scanned.done), file.astype(np.int32), row, choice.positives)
    rows = hashlib.blake2b(choice.rows.data, digest_size=16).hexdigest()
    key = digest_of([one.digest for one in scanned.done], rows, choice.positives)
    (done,) = engine.run(POOL, [Shard("the pool", key, pieces)], {})
    return OnDisk(done.path, done.digest)


def _corpus_entry(scanned: _Scanned, choice: PoolChoice) -> LedgerEntry:
    """Every document of the corpus: drawn or a positive, or why not."""
    joined = np.zeros(len(scanned.rows.blank), dtype=np.bool_)
    joined[choice.positions >= 0] = True
    empty = scanned.documents - scanned.filled_documents
    kept = int(joined.sum())
    reasons = {"empty text": empty, "neither a positive nor in the sample": scanned.filled_documents - kept}
    return LedgerEntry(
        "corpus", "documents", scanned.documents, kept, {reason: count for reason, count in reasons.items() if count}
    )
