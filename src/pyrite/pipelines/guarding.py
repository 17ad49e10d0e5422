"""What a guard says of documents that may be relevant: files of scores, models, other retrievers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import RecipeError, Retriever, TextPairs
from pyrite.formats import read_run
from pyrite.pipelines.searching import settings_of
from pyrite.retrieval import located_spec, make_retriever, make_scorer, matched_logits, parse_system, told_file
from pyrite.sources import SourceSpec, open_table

FILES = ("run", "scores")
MODELS = ("rerank", "dense", "sparse", "multi-vector")
HITS = 50_000_000
"""How many ranked documents are looked at, over all queries: 600 MB of memory."""


def is_file(system: str) -> bool:
    """Whether a guard's scores are in a file, so that a pair may be without one."""
    return system.partition(":")[0].strip() in FILES


def guard_settings(system: str, *, language: str, base: Path) -> dict[str, Any]:
    """Everything that decides a guard's scores, of a file the digest; empty for no system. RecipeError for no file."""
    if not system:
        return {}
    if not is_file(system):
        made = make_retriever(located_spec(parse_system(system), base), language=language or "en")
        return {"system": made.name, **settings_of(made)}
    path = base / Path(system.strip().partition(":")[2]).expanduser()
    if not path.is_file():
        raise RecipeError("there is no such file", where=str(path), fix=f"check the path of '{system}'")
    return {"system": system, **told_file(path)}


def held_scores(system: str, base: Path, numbers: Mapping[str, int]) -> dict[str, dict[int, float]]:
    """Query id -> number of a document -> its score, as a file has it ("run:FILE", "scores:FILE").

    Args:
        system: the file; a relative path starts from `base`.
        numbers: document id -> its number; documents without one are of no interest.
    """
    family, _, path = system.strip().partition(":")
    scores: dict[str, dict[int, float]] = {}
    if family == "run":
        run = read_run(base / path)
        queries = np.repeat(run.query_ids.to_pylist(), np.diff(run.offsets)).tolist()
        rows = zip(queries, run.hit_ids().to_pylist(), run.scores.tolist(), strict=True)
        _take(scores, rows, numbers)
        return scores
    spec = SourceSpec(path, columns={"query_id": "query-id", "doc_id": "corpus-id"})
    for batch in open_table(spec, needs=["query_id", "doc_id", "logit"], base=base).read():
        _take(scores, zip(*(batch.column(place).to_pylist() for place in range(3)), strict=True), numbers)
    return scores


def _take(scores: dict[str, dict[int, float]], rows: zip[tuple[str, str, float]], numbers: Mapping[str, int]) -> None:
    for query_id, doc_id, score in rows:
        if doc_id in numbers:
            scores.setdefault(query_id, {})[numbers[doc_id]] = float(score)


def pair_scores(
    system: str, pairs: TextPairs, *, language: str, base: Path, texts: Sequence[str] = ()
) -> NDArray[np.float32]:
    """The score of every pair by any system that is no file; float32, in the pairs' order.

    A model scores the pairs. Another retriever (bm25, a fusion, one of somebody's own) ranks the whole corpus for the
    pairs' queries; a document that its ranking lacks has the lowest score that it can have.

    >>> from pyrite.core import Corpus, Document, Queries, Query
    >>> corpus = Corpus.of([Document("d1", "fool's gold"), Document("d2", "quartz"), Document("d3", "gold, gold")])
    >>> asked = Queries.of([Query("q1", "gold")])
    >>> pairs = TextPairs(asked, corpus, np.zeros(3, np.int32), np.arange(3, dtype=np.int32))
    >>> (pair_scores("bm25", pairs, language="en", base=Path()) > 0).tolist()
    [True, False, True]
    """
    spec = located_spec(parse_system(system), base)
    if spec.family in MODELS:
        settings = {key: value for key, value in spec.settings.items() if key not in ("over", "depth")}
        return make_scorer(spec.system, settings).score(pairs)
    return ranked_scores(make_retriever(spec, language=language, texts=texts), pairs)


def ranked_scores(retriever: Retriever, pairs: TextPairs, *, hits: int = HITS) -> NDArray[np.float32]:
    """The scores that a retriever gives the documents of pairs when it ranks the corpus.

    A complete ranking lacks what has nothing of the query: 0, or the lowest score where that is lower. One that is cut
    (`hits` over all queries are looked at) may lack what scores as high as its last document.
    """
    used = np.unique(pairs.query_positions)
    queries = pairs.queries.take(used)
    depth = min(len(pairs.corpus), max(hits // max(len(queries), 1), 1))
    run = retriever.index(pairs.corpus).search(queries, depth)
    lengths = np.diff(run.offsets)
    rows = used[queries.positions(run.query_ids)]
    lowest = np.zeros(len(pairs.queries), np.float32)
    for row, stop, length in zip(rows.tolist(), run.offsets[1:].tolist(), lengths.tolist(), strict=True):
        if length:
            last = np.float32(run.scores[stop - 1])
            lowest[row] = last if length == depth else min(last, np.float32(0))
    held = np.repeat(rows, lengths), pairs.corpus.positions(run.doc_ids)[run.positions]
    scores = matched_logits(held, run.scores.astype(np.float32), (pairs.query_positions, pairs.doc_positions))
    filled: NDArray[np.float32] = np.where(np.isnan(scores), lowest[pairs.query_positions], scores)
    return filled
