"""Which documents of a collection are near-duplicates of its positives."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.auditing import NearPairs
from pyrite.core import Collection, taken
from pyrite.preparation import NearIndex, digests, signed_parts

LAYERS = 16
"""How many positives that are like each other are told apart, each with the documents that are like it."""


def near_pairs(collection: Collection, threshold: float) -> tuple[NearPairs, tuple[str, ...]]:
    """Each query with each document that is a near-duplicate of one of its positives, and notes for the account.

    Every document of the corpus is compared. Positives that are like each other are in indexes of their own, so that a
    document is found by way of each; of those in one index it counts for the earliest.
    """
    query, positive = _positives(collection)
    if not threshold or not len(positive):
        return NearPairs.of([]), ()
    contents = collection.corpus.contents()
    indexes, notes = _indexes(contents, np.unique(positive), threshold)
    documents, found = _found(contents, indexes, threshold)
    keys = _texts(contents, np.concatenate([documents, positive]))
    own, theirs = keys[: len(documents)], keys[len(documents) :]
    rows: list[tuple[int, int, int, bool]] = []
    of_positive: dict[int, list[int]] = {}
    for place, document in enumerate(positive.tolist()):
        of_positive.setdefault(document, []).append(place)
    known = set(zip(query.tolist(), positive.tolist(), strict=True))
    for place, (document, target) in enumerate(zip(documents.tolist(), found.tolist(), strict=True)):
        for at in of_positive[target]:
            if (int(query[at]), document) not in known:
                rows.append((int(query[at]), document, target, bool(own[place] == theirs[at])))
    return NearPairs.of(sorted(rows)), notes


def _positives(collection: Collection) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Query and document of every judgement of relevance 1 or more."""
    qrels = collection.qrels
    query = collection.queries.positions(qrels.repeated_query_ids())
    document = collection.corpus.positions(qrels.doc_ids)
    there = (query >= 0) & (document >= 0) & (qrels.relevance >= 1)
    return query[there], document[there]


def _indexes(
    contents: pa.ChunkedArray, positives: NDArray[np.int32], threshold: float
) -> tuple[list[tuple[NearIndex, NDArray[np.int32]]], tuple[str, ...]]:
    """Indexes in each of which no positive is like another, with the documents that they hold."""
    indexes: list[tuple[NearIndex, NDArray[np.int32]]] = []
    rest = positives
    while len(rest) and len(indexes) < LAYERS:
        index = NearIndex(threshold)
        parts = signed_parts(taken(contents, rest), threshold=threshold)
        targets = np.concatenate([np.empty(0, np.int64), *(index.add(part) for part in parts)])
        indexes.append((index, rest[targets < 0]))
        rest = rest[targets >= 0]
    if not len(rest):
        return indexes, ()
    return indexes, (
        f"{len(rest):,} positives are like {LAYERS} others or more (a template?); their near-duplicates were not "
        "looked for.",
    )


def _found(
    contents: pa.ChunkedArray, indexes: list[tuple[NearIndex, NDArray[np.int32]]], threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each document with each positive that it is like, itself left out."""
    documents, positives = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    start = 0
    for part in signed_parts(contents, threshold=threshold):
        for index, held in indexes:
            targets = index.find(part)
            near = np.flatnonzero(targets >= 0)
            target = held[targets[near]].astype(np.int64)
            other = target != start + near
            documents.append(start + near[other])
            positives.append(target[other])
        start += len(part)
    return np.concatenate(documents), np.concatenate(positives)


def _texts(contents: pa.ChunkedArray, rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Equal numbers for documents whose normalised texts are equal."""
    distinct, inverse = np.unique(rows, return_inverse=True)
    keys = digests(taken(contents, distinct).combine_chunks(), "normalised")
    numbers = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    return np.asarray(numbers[inverse], dtype=np.int64)
