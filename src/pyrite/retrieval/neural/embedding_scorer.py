"""Models that encode the two sides apart, as scorers of pairs: each distinct text is encoded once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import TextPairs, taken
from pyrite.retrieval.neural.encoder import Encoder, Encoding
from pyrite.retrieval.neural.stored import StoredVectors, stored_sparse, stored_tokens
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.search import TokenVectors, inner_products, maxsim_scores

Compare = Callable[[int, NDArray[np.int64]], NDArray[np.float32]]
"""(query, documents) -> their scores."""
_TOGETHER = 2048
"""Documents of one query whose vectors are held at once."""


@dataclass(frozen=True)
class EmbeddingScorer:
    """A dense, sparse or multi-vector model as a scorer of pairs.

    Attributes:
        system: its family, model and settings; `settings.scale` multiplies the scores (20 for a cosine, say).
        cache: where embeddings are kept; None: in the user's cache folder.
        finished: files of encoded texts, see `Encoder`; no part of its name or its settings.
    """

    system: NeuralSystem
    cache: Path | None = None
    finished: Mapping[str, tuple[Path, ...]] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.system.name

    @property
    def family(self) -> str:
        """The system's family."""
        return self.system.family

    def settings(self) -> dict[str, Any]:
        """Everything that decides its scores and is known before the model is loaded."""
        return self.system.told()

    def score(self, pairs: TextPairs) -> NDArray[np.float32]:
        """Scores as a search has them, times the scale; float32, one a pair, in the pairs' order."""
        encoder = Encoder(self.system, self.cache, self.finished)
        query_rows, asked = np.unique(pairs.query_positions, return_inverse=True)
        doc_rows, given = np.unique(pairs.doc_positions, return_inverse=True)
        queries = encoder.encode(taken(pairs.queries.texts, query_rows), "query")
        documents = encoder.encode(taken(pairs.corpus.contents(), doc_rows), "document")
        scores = np.empty(len(pairs), np.float32)
        compare = {"dense": _dense, "sparse": _sparse, "multi-vector": _tokens}[self.system.family](queries, documents)
        for query, rows in _by_query(asked):
            scores[rows] = compare(query, given[rows])
        if self.system.family == "multi-vector" and len(pairs) and encoder.used()["similarity"] == "meanmaxsim":
            held = [len(part.tokens) for part in stored_tokens(queries.store, queries.rows, texts=1)]
            scores /= np.maximum(np.array(held), 1).astype(np.float32)[asked]
        return (scores * np.float32(self.system.settings.scale or 1.0)).astype(np.float32)


def _by_query(asked: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    order = np.argsort(asked, kind="stable")
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(asked))])
    for query in range(len(bounds) - 1):
        for start in range(int(bounds[query]), int(bounds[query + 1]), _TOGETHER):
            yield query, order[start : min(start + _TOGETHER, int(bounds[query + 1]))]


def _dense(queries: Encoding, documents: Encoding) -> Compare:
    asked, given = (StoredVectors(side.store, side.rows) for side in (queries, documents))

    def compare(query: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        return inner_products(asked.rows(query, query + 1)[0].astype(np.float32), given.take(rows.astype(np.int32)))

    return compare


def _sparse(queries: Encoding, documents: Encoding) -> Compare:
    asked, given = (stored_sparse(side.store, side.rows) for side in (queries, documents))
    weights = np.zeros(int(max(side.terms.max(initial=0) for side in (asked, given))) + 1, np.float64)

    def compare(query: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        own, held = asked.take(np.array([query])), given.take(rows)
        weights[own.terms] = own.weights
        sums = np.concatenate([np.zeros(1), np.cumsum(weights[held.terms] * held.weights.astype(np.float64))])
        weights[own.terms] = 0
        scores: NDArray[np.float32] = (sums[held.bounds[1:]] - sums[held.bounds[:-1]]).astype(np.float32)
        return scores

    return compare


def _tokens(queries: Encoding, documents: Encoding) -> Compare:
    def compare(query: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        own = next(stored_tokens(queries.store, queries.rows[query : query + 1]))
        asked = TokenVectors(own.tokens.astype(np.float32), own.bounds)
        parts = stored_tokens(documents.store, documents.rows[rows])
        return np.concatenate([maxsim_scores(asked, part)[0] for part in parts])

    return compare
