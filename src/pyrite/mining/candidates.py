"""What several retrievers found becomes one pool: each document once a query, with its best rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, LedgerEntry, Pool, Queries, Run
from pyrite.mining.lookup import find_rows


@dataclass(frozen=True, eq=False)
class Ranked:
    """What one retriever found, on the positions of a pool.

    Attributes:
        retriever: its name.
        query, documents: int32, one a hit, into the queries and the pool's corpus.
        rank: int32, from 1, as the retriever had it. score: float64.
        entry: the account of its hits.
    """

    retriever: str
    query: NDArray[np.int32]
    documents: NDArray[np.int32]
    rank: NDArray[np.int32]
    score: NDArray[np.float64]
    entry: LedgerEntry


def ranked_in_pool(
    run: Run, *, query_rows: NDArray[np.integer], documents: NDArray[np.integer], depth: int, name: str | None = None
) -> Ranked:
    """The first `depth` hits of each query whose document is in the pool; the ranks stay the run's.

    Args:
        run: a retriever's rankings, over the pool or over more than that.
        query_rows: one a query of the run: the query that it is here, -1 for one that is none.
        documents: one a document id of the run: its place in the pool, -1 for one that is not there.
        depth: ranks beyond it are not looked at.
        name: what the retriever is called; default: as the run is.

    >>> run = Run.of("toy", {"q0": [("d9", 3.0), ("d1", 2.0)]})
    >>> ranked = ranked_in_pool(run, query_rows=np.array([0]), documents=np.array([-1, 4]), depth=10)
    >>> ranked.documents.tolist(), ranked.rank.tolist(), ranked.entry.dropped
    ([4], [2], {'not in the pool': 1})
    """
    query = query_rows[np.repeat(np.arange(len(run)), np.diff(run.offsets))]
    rank = run.ranks()
    asked = (query >= 0) & (rank <= depth)
    places = documents[run.positions]
    keep = asked & (places >= 0)
    foreign = int((asked & (places < 0)).sum())
    called = run.system if name is None else name
    return Ranked(
        retriever=called,
        query=query[keep].astype(np.int32),
        documents=places[keep].astype(np.int32),
        rank=rank[keep].astype(np.int32),
        score=run.scores[keep],
        entry=LedgerEntry(
            f"retrieved by {called}",
            "hits",
            int(asked.sum()),
            int(keep.sum()),
            {"not in the pool": foreign} if foreign else {},
        ),
    )


def merged(parts: Iterable[Ranked], depth: int) -> Ranked:
    """What one retriever found in the parts of a pool as what it finds in the whole: by score, then pool order.

    Args:
        parts: one or more; they are taken one after another, and two are in memory at a time.
        depth: hits a query.
    """
    return reduce(lambda held, part: _merged(held, part, depth), parts)


def _merged(held: Ranked, part: Ranked, depth: int) -> Ranked:
    query, documents, score = (
        np.concatenate([getattr(held, name), getattr(part, name)]) for name in ("query", "documents", "score")
    )
    order = np.lexsort((documents, -score, query))
    rank = np.arange(1, len(order) + 1) - np.searchsorted(query[order], query[order])
    kept = order[rank <= depth]
    entry = replace(held.entry, rows_in=len(kept), rows_out=len(kept))
    return Ranked(
        held.retriever, query[kept], documents[kept], rank[rank <= depth].astype(np.int32), score[kept], entry
    )


def unite(queries: Queries, corpus: Corpus, found: Sequence[Ranked], known: NDArray[np.int32]) -> Pool:
    """The pool of each query: what any retriever found, then the known positives that none found.

    A document that several found has its best rank; of equal ranks the retriever that stands first counts. Rows are by
    query, then rank, then retriever, then pool order.

    Args:
        queries: with distinct texts.
        corpus: the documents that may be chosen.
        found: what each retriever found.
        known: int32, shape (2, n): query and position of the positives that have to have a row.
    """
    if len(found) > np.iinfo(np.int16).max:
        raise DataError(f"{len(found)} retrievers are too many")
    rows = _Rows.of(found)
    if len(found) > 1:
        rows = rows.take(_best(rows))
    rows = rows.take(_order(rows))
    offsets = np.searchsorted(rows.query, np.arange(len(queries) + 1)).astype(np.int64)
    rows, offsets = _with_lacking(rows, offsets, known)
    return Pool(
        queries=queries,
        corpus=corpus,
        retrievers=tuple(one.retriever for one in found),
        offsets=offsets,
        documents=rows.documents,
        retriever=rows.retriever,
        rank=rows.rank,
        score=rows.score,
        logit=np.full(len(rows.query), np.nan, np.float32),
    )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Hits of all retrievers; a retriever of -1 and a rank of 0 are a positive that none found."""

    query: NDArray[np.int32]
    documents: NDArray[np.int32]
    rank: NDArray[np.int32]
    retriever: NDArray[np.int16]
    score: NDArray[np.float64]

    @classmethod
    def of(cls, found: Sequence[Ranked]) -> _Rows:
        nothing = np.empty(0, np.int32)
        return cls(
            query=np.concatenate([nothing, *(one.query for one in found)]),
            documents=np.concatenate([nothing, *(one.documents for one in found)]),
            rank=np.concatenate([nothing, *(one.rank for one in found)]),
            retriever=np.repeat(np.arange(len(found), dtype=np.int16), [len(one.query) for one in found]),
            score=np.concatenate([np.empty(0), *(one.score for one in found)]),
        )

    def take(self, rows: NDArray[np.int64] | None) -> _Rows:
        """The rows at these places; None: all, as they are."""
        if rows is None:
            return self
        return _Rows(*(column[rows] for column in vars(self).values()))


def _best(rows: _Rows) -> NDArray[np.int64]:
    """The best hit on each document of a query."""
    keys = (rows.query.astype(np.int64) << 32) | rows.documents
    order = np.lexsort((rows.retriever, rows.rank, keys))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = keys[order][1:] != keys[order][:-1]
    return order[first]


def _order(rows: _Rows) -> NDArray[np.int64] | None:
    """By query, then rank, then retriever, then pool order; None where they stand so."""
    keys = (rows.query.astype(np.int64) << 32) | rows.rank
    if (keys[1:] > keys[:-1]).all():
        return None
    return np.lexsort((rows.documents, rows.retriever, keys))


def _with_lacking(rows: _Rows, offsets: NDArray[np.int64], known: NDArray[np.int32]) -> tuple[_Rows, NDArray[np.int64]]:
    """The rows with the known positives that are none of them, each at the end of its query, in pool order."""
    lacking = known[:, find_rows(offsets, rows.documents, query=known[0], wanted=known[1]) < 0]
    keys = np.unique((lacking[0].astype(np.int64) << 32) | lacking[1])
    query, documents = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
    places = offsets[query + 1]
    put = _Rows(
        query=np.insert(rows.query, places, query),
        documents=np.insert(rows.documents, places, documents),
        rank=np.insert(rows.rank, places, 0),
        retriever=np.insert(rows.retriever, places, -1),
        score=np.insert(rows.score, places, np.nan),
    )
    added = np.bincount(query, minlength=len(offsets) - 1)
    return put, offsets + np.concatenate([[0], np.cumsum(added)])
