"""Small pools made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from pyrite.core import Corpus, Document, Pool, Queries, Query

Hits = Sequence[tuple[str, int, float]]


@pytest.fixture
def make_pool() -> Callable[..., Pool]:
    """A pool of query -> (document, rank, logit) in order; the documents stand in the order of `documents`."""

    def made(found: Mapping[str, Hits], documents: Sequence[str] = ()) -> Pool:
        ids = list(dict.fromkeys([*documents, *(doc for hits in found.values() for doc, _, _ in hits)]))
        place = {doc: row for row, doc in enumerate(ids)}
        hits = [hit for own in found.values() for hit in own]
        rank = np.array([rank for _, rank, _ in hits], np.int32)
        return Pool(
            queries=Queries.of([Query(query, f"{query}?") for query in found]),
            corpus=Corpus.of([Document(doc, f"text of {doc}") for doc in ids]),
            retrievers=("toy",),
            offsets=np.concatenate([[0], np.cumsum([len(own) for own in found.values()])]).astype(np.int64),
            documents=np.array([place[doc] for doc, _, _ in hits], np.int32),
            retriever=np.where(rank > 0, 0, -1).astype(np.int16),
            rank=rank,
            score=np.where(rank > 0, -rank.astype(np.float64), np.nan),
            logit=np.array([logit for _, _, logit in hits], np.float32),
        )

    return made
