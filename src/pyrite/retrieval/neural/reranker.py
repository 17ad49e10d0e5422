"""A cross-encoder over another system's candidates.

Candidates of one score are ordered by the digest of their id: an order that has nothing to do with how they were found,
so that a scorer that always says the same is not paid for the work of the first stage, or of whoever listed positives
first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Index, Queries, Retriever, Run, TextPairs, rank_order
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.pair_scores import CrossEncoderScorer
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.neural.told import TellingIndex, Told

DEPTH = 100


@dataclass(frozen=True)
class Reranker:
    """A retriever that scores again what another one found.

    Attributes:
        system: family "rerank", model and settings.
        over: the first stage.
        depth: how many of its documents are scored, a query.
        cache: where logits are kept; None: in the user's cache folder.
    """

    system: NeuralSystem
    over: Retriever
    depth: int = DEPTH
    cache: Path | None = None

    @property
    def name(self) -> str:
        """What reports call it ("rerank:org/model,over=bm25:en")."""
        first = f"({self.over.name})" if "," in self.over.name else self.over.name
        depth = f",depth={self.depth}" if self.depth != DEPTH else ""
        return f"{self.system.name},over={first}{depth}"

    @property
    def family(self) -> str:
        """Always "reranker"."""
        return "reranker"

    def settings(self) -> dict[str, Any]:
        """Everything that decides its rankings, the first stage's included."""
        own = getattr(self.over, "settings", None)
        first = dict(own()) if callable(own) else {}
        return {**self.system.told(), "depth": self.depth, "over": {"system": self.over.name, **first}}

    def longest(self) -> int | None:
        """The most tokens that it can read of a pair; None: there is no bound."""
        return load_model(self.system).positions

    def reads(self, max_length: int) -> bool:
        """Whether `max_length` is what it reads of pairs as it is set, so that setting it would change nothing."""
        return load_model(self.system).limit("pair") == max_length

    def index(self, corpus: Corpus) -> RerankingIndex:
        """The first stage's index of the corpus, with the texts to score."""
        return RerankingIndex(self, self.over.index(corpus), corpus)


class RerankingIndex:
    """A corpus that is searched by a first stage and ranked by a cross-encoder; see `Reranker.index`."""

    def __init__(self, reranker: Reranker, first: Index, corpus: Corpus) -> None:
        self.depth = reranker.depth
        self._reranker, self._first, self._corpus = reranker, first, corpus

    def candidates(self, queries: Queries) -> tuple[Run, Told]:
        """What the first stage finds for each query, `depth` documents at most."""
        if isinstance(self._first, TellingIndex):
            return self._first.search_and_tell(queries, self.depth)
        return self._first.search(queries, self.depth), Told()

    def rerank(self, candidates: Run, queries: Queries) -> tuple[Run, Told]:
        """Candidates in the order of their logits, then of the digest of their ids; none is lost, none is added.

        DataError for a candidate that the corpus lacks.
        """
        pairs = self._pairs(candidates, queries)
        scored = CrossEncoderScorer(self._reranker.system, self._reranker.cache).score_and_tell(pairs)
        ties = _ties(candidates.doc_ids)[candidates.positions]
        order = np.concatenate(
            [
                np.zeros(0, np.int64),
                *(
                    start + rank_order(scored.logits[start:stop], ties[start:stop])
                    for start, stop in zip(candidates.offsets[:-1], candidates.offsets[1:], strict=True)
                ),
            ]
        )
        run = Run(
            self._reranker.name,
            query_ids=candidates.query_ids,
            offsets=candidates.offsets,
            positions=candidates.positions[order],
            doc_ids=candidates.doc_ids,
            scores=scored.logits[order],
        )
        model = load_model(self._reranker.system)
        limit = model.limit("pair")
        used = {"max_length": limit} if limit is not None else {}
        settings = {**used, "dtype": self._reranker.system.settings.dtype or "float32", "scored": len(pairs)}
        return run, Told(settings, {"pairs": scored.cut} if scored.cut is not None else {}, scored.now)

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` of the candidates of each query."""
        return self.search_and_tell(queries, depth)[0]

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        """The run, with the shares of texts that either stage cut."""
        if depth < 1:
            raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
        found, first = self.candidates(queries)
        run, told = self.rerank(found, queries)
        truncated = {**told.truncated, **{f"{what} (first stage)": cut for what, cut in first.truncated.items()}}
        return run.cut(depth), Told(told.settings, truncated, told.encoded + first.encoded)

    def _pairs(self, candidates: Run, queries: Queries) -> TextPairs:
        positions = self._corpus.positions(candidates.doc_ids)[candidates.positions]
        if (positions < 0).any():
            lost = candidates.doc_ids[int(candidates.positions[int(np.argmin(positions))])].as_py()
            raise DataError(f"candidate '{lost}' is not in the corpus", where=self._reranker.name)
        rows = np.repeat(queries.positions(candidates.query_ids), np.diff(candidates.offsets))
        if (rows < 0).any():
            raise DataError("the candidates have a query that is not asked", where=self._reranker.name)
        return TextPairs(queries, self._corpus, rows.astype(np.int32), positions)


def _ties(doc_ids: pa.ChunkedArray | pa.Array) -> NDArray[np.int64]:
    """The place of each id in the order of their digests."""
    digests = np.array([xxhash.xxh3_64_intdigest(doc_id.encode()) for doc_id in doc_ids.to_pylist()], np.uint64)
    ranks = np.empty(len(digests), np.int64)
    ranks[np.argsort(digests, kind="stable")] = np.arange(len(digests))
    return ranks
