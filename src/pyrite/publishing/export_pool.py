"""The scored part of a mined set's pool, as a collection with the runs of its retrievers and of the teacher."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Collection, Pool, Qrels, Run
from pyrite.formats import (
    StoredPool,
    read_manifest,
    read_pool,
    write_beir,
    write_run,
    write_trec_collection,
    write_trec_run,
)


def write_beir_pool(folder: Path, out: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """corpus.jsonl, queries.jsonl, qrels/train.tsv, and a run of every retriever and of the teacher as Parquet."""
    stored, collection = _collection(folder)
    write_beir(out, collection, split="train")
    (out / "runs").mkdir()
    for name, run in _runs(stored.pool).items():
        write_run(out / "runs" / f"{name}.parquet", run)
    return _counts(collection), _LOST


def write_trec_pool(folder: Path, out: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """docs.trec, topics.train.trec, qrels.train.txt, and a run of every retriever and of the teacher."""
    stored, collection = _collection(folder)
    write_trec_collection(out, collection, split="train")
    (out / "runs").mkdir()
    for name, run in _runs(stored.pool).items():
        write_trec_run(out / "runs" / f"{name}.trec", run)
    return _counts(collection), _LOST


_LOST = (
    "The documents are those that were scored, not the whole pool.",
    "A document that several retrievers found is in the run of the one that ranked it best.",
    "Queries of equal text are one query.",
)


def _counts(collection: Collection) -> dict[str, int]:
    return {"queries": len(collection.queries), "corpus": len(collection.corpus), "qrels": len(collection.qrels)}


def _collection(folder: Path) -> tuple[StoredPool, Collection]:
    """The distinct queries, the scored documents, and the known positives as judgements."""
    manifest, stored = read_manifest(folder), read_pool(folder / "provenance")
    pool, known = stored.pool, stored.known
    # Equal texts are one query, under the id of the first.
    texts = known.pairs.queries.texts.take(pa.array(known.pairs.query))
    asked = pc.index_in(texts, value_set=pool.queries.texts.combine_chunks()).to_numpy()
    pairs = np.unique(np.stack([asked, known.positions]).astype(np.int64), axis=1)
    qrels = Qrels(
        pool.queries.ids.take(pa.array(pairs[0])),
        pool.corpus.ids.take(pa.array(pairs[1])),
        np.ones(pairs.shape[1], np.int32),
    )
    return stored, Collection(manifest.name, manifest.language, pool.corpus, pool.queries, qrels)


def _runs(pool: Pool) -> dict[str, Run]:
    """The run of each retriever, as far as it was scored, and the teacher's over every scored pair."""
    runs = {}
    for code, retriever in enumerate(pool.retrievers):
        part = pool.take(pool.retriever == code)
        runs[_file_name(retriever)] = _run(retriever, part, part.score)
    order = np.lexsort((pool.documents, -pool.logit.astype(np.float64), pool.query_of))
    teacher = Run(
        "teacher",
        query_ids=pool.queries.ids,
        offsets=pool.offsets,
        positions=pool.documents[order],
        doc_ids=pool.corpus.ids,
        scores=pool.logit[order].astype(np.float64),
    )
    return {**runs, "teacher": teacher}


def _run(name: str, pool: Pool, scores: NDArray[np.float64]) -> Run:
    return Run(
        name,
        query_ids=pool.queries.ids,
        offsets=pool.offsets,
        positions=pool.documents,
        doc_ids=pool.corpus.ids,
        scores=scores,
    )


def _file_name(system: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "._=,-" else "-" for sign in system)
