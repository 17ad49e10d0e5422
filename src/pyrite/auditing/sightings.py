"""Every query with every document that is worth a look: found by a system, judged, or like a positive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Collection, DataError, Run, TextPairs

NOWHERE = np.iinfo(np.int32).max
"""The rank of a document that a system did not find."""


@dataclass(frozen=True, eq=False)
class NearPairs:
    """Documents that are near-duplicates of positives.

    Attributes:
        query, document, positive: int32, one a pair: rows of the queries and of the corpus, twice.
        same: bool, whether the two texts are the same but for case, width and white space.
    """

    query: NDArray[np.int32]
    document: NDArray[np.int32]
    positive: NDArray[np.int32]
    same: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int, bool]]) -> NearPairs:
        """Near-duplicates from plain rows: query, document, positive, same."""
        columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
        query, document, positive = (np.array(column, np.int32) for column in columns[:3])
        return cls(query, document, positive, np.array(columns[3], np.bool_))


@dataclass(frozen=True, eq=False)
class Ranked:
    """What one system found.

    Attributes:
        system: its name.
        query, document: int32, one a hit: rows of the queries and of the corpus.
        rank: int32, one a hit, from 1. score: float64, one a hit.
    """

    system: str
    query: NDArray[np.int32]
    document: NDArray[np.int32]
    rank: NDArray[np.int32]
    score: NDArray[np.float64]

    @classmethod
    def of(cls, run: Run, collection: Collection, *, depth: int) -> Ranked:
        """The first `depth` ranks of a run; hits of queries and documents that the collection lacks are left out."""
        cut = run.cut(depth)
        query = np.repeat(collection.queries.positions(cut.query_ids), np.diff(cut.offsets))
        document = collection.corpus.positions(cut.doc_ids)[cut.positions]
        there = (query >= 0) & (document >= 0)
        return cls(run.system, query[there], document[there], cut.ranks()[there].astype(np.int32), cut.scores[there])


@dataclass(frozen=True, eq=False)
class Sightings:
    """(query, document) pairs, each once, by query, then by document, with all that is known of them.

    Attributes:
        collection: whose rows the numbers are.
        systems: names, in the order in which they were asked for.
        query, document: int32, one a pair.
        judged, positive: bool, one a pair: in the qrels; of relevance 1 or more there.
        rank: int32, shape (systems, pairs): from 1, `NOWHERE` where the system did not find it.
        score: float64, shape (systems, pairs): NaN where it did not.
        logit: float32, one a pair: NaN for one that no teacher scored.
        uses: int32, one a pair: of how many mined rows the document is a negative.
        settled: bool, one a pair: left out by the dataset's own rules, so that nothing is suspected of it.
    """

    collection: Collection
    systems: tuple[str, ...]
    query: NDArray[np.int32]
    document: NDArray[np.int32]
    judged: NDArray[np.bool_]
    positive: NDArray[np.bool_]
    rank: NDArray[np.int32]
    score: NDArray[np.float64]
    logit: NDArray[np.float32]
    uses: NDArray[np.int32]
    settled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """int64, one more than queries: query i has the pairs [offsets[i], offsets[i + 1])."""
        return np.searchsorted(self.query, np.arange(len(self.collection.queries) + 1)).astype(np.int64)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """One number a pair, rising; see `pair_keys`."""
        return pair_keys(self.collection, self.query, self.document)

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which pairs have a logit."""
        return ~np.isnan(self.logit)

    def find(self, query: NDArray[np.integer], document: NDArray[np.integer]) -> NDArray[np.int64]:
        """The place of each pair, -1 for one that is not here."""
        wanted = pair_keys(self.collection, query, document)
        places = np.searchsorted(self.keys, wanted)
        there = np.append(self.keys, -1)[places] == wanted
        return np.where(there, places, -1)

    def text_pairs(self) -> TextPairs:
        """Every pair, for a scorer."""
        return TextPairs(self.collection.queries, self.collection.corpus, self.query, self.document)

    def with_logits(self, logits: NDArray[np.float32]) -> Sightings:
        """The pairs with a teacher's logits, NaN for one that it has not scored."""
        if logits.shape != self.query.shape:
            raise DataError(f"there are {len(self):,} pairs and logits of shape {logits.shape}")
        return replace(self, logit=np.asarray(logits, dtype=np.float32))

    def with_uses(self, uses: NDArray[np.integer], settled: NDArray[np.bool_]) -> Sightings:
        """The pairs with what a mined set does with each."""
        return replace(self, uses=uses.astype(np.int32), settled=settled)


def pair_keys(collection: Collection, query: NDArray[np.integer], document: NDArray[np.integer]) -> NDArray[np.int64]:
    """One number a pair, in the order of queries, then of documents."""
    return query.astype(np.int64) * max(len(collection.corpus), 1) + document


def sight(collection: Collection, ranked: Sequence[Ranked], near: NearPairs) -> Sightings:
    """Gather what every system found, what is judged, and what is like a positive.

    Args:
        collection: judgements of queries or documents that it lacks are left out.
        ranked: of its queries over its corpus.
        near: of its queries and corpus.

    >>> from pyrite.core import Corpus, Document, Qrels, Queries, Query
    >>> corpus = Corpus.of([Document("d1", "Gold."), Document("d2", "Coal."), Document("d3", "Tin.")])
    >>> asked = Queries.of([Query("q1", "what shines?")])
    >>> toy = Collection("toy", "en", corpus, asked, Qrels.of({"q1": {"d1": 1}}))
    >>> found = Ranked.of(Run.of("bm25", {"q1": [("d3", 2.0), ("d1", 1.0)]}), toy, depth=10)
    >>> seen = sight(toy, [found], NearPairs.of([]))
    >>> seen.document.tolist(), seen.positive.tolist(), seen.rank.tolist()
    ([0, 2], [True, False], [[2, 1]])
    """
    size = max(len(collection.corpus), 1)
    qrels = collection.qrels
    asked = collection.queries.positions(qrels.repeated_query_ids())
    judged_docs = collection.corpus.positions(qrels.doc_ids)
    there = (asked >= 0) & (judged_docs >= 0)
    judged_keys = pair_keys(collection, asked[there], judged_docs[there])
    found_keys = [pair_keys(collection, one.query, one.document) for one in ranked]
    near_keys = pair_keys(collection, near.query, near.document)
    keys = np.unique(np.concatenate([near_keys, judged_keys, *found_keys])).astype(np.int64)
    rank = np.full((len(ranked), len(keys)), NOWHERE, dtype=np.int32)
    score = np.full((len(ranked), len(keys)), np.nan)
    for place, (one, own) in enumerate(zip(ranked, found_keys, strict=True)):
        rows = np.searchsorted(keys, own)
        rank[place, rows], score[place, rows] = one.rank, one.score
    judged, positive = np.zeros(len(keys), np.bool_), np.zeros(len(keys), np.bool_)
    rows = np.searchsorted(keys, judged_keys)
    judged[rows], positive[rows] = True, qrels.relevance[there] >= 1
    return Sightings(
        collection=collection,
        systems=tuple(one.system for one in ranked),
        query=(keys // size).astype(np.int32),
        document=(keys % size).astype(np.int32),
        judged=judged,
        positive=positive,
        rank=rank,
        score=score,
        logit=np.full(len(keys), np.nan, dtype=np.float32),
        uses=np.zeros(len(keys), dtype=np.int32),
        settled=np.zeros(len(keys), dtype=np.bool_),
    )
