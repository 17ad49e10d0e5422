"""What a system must be able to do to be measured, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pyrite.core.collection import Corpus, Queries
from pyrite.core.run import Run


@dataclass(frozen=True)
class TextPairs:
    """(query, document) pairs to score, each text held once.

    Attributes:
        queries, corpus: where the texts are.
        query_positions, doc_positions: int32, aligned, one a pair: rows of the two.
    """

    queries: Queries
    corpus: Corpus
    query_positions: NDArray[np.int32]
    doc_positions: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.query_positions)


@runtime_checkable
class Index(Protocol):
    """A searchable corpus; a value, not a state of its retriever."""

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query, ordered; fewer where fewer match."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """A system that can index a corpus."""

    @property
    def name(self) -> str:
        """What reports call it ("bm25:en")."""
        ...

    def index(self, corpus: Corpus) -> Index:
        """An index of this corpus; the retriever itself does not change."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """A system that scores given pairs: a reranker, a teacher."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def score(self, pairs: TextPairs) -> NDArray[np.float32]:
        """Raw float32 logits, one a pair, in the pairs' order."""
        ...
