"""What mining works on: known positives, what was found for each query, and the mined rows; columnar inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core.collection import Corpus, Queries
from pyrite.core.errors import DataError
from pyrite.core.texts import strings, taken


@dataclass(frozen=True)
class Pair:
    """A query and a document that is known to be relevant to it."""

    query_id: str
    doc_id: str


@dataclass(frozen=True, eq=False)
class Pairs:
    """Known positives, one a row, in source order.

    Attributes:
        queries: those that the rows point to.
        query: int32, one a row, into `queries`.
        doc_ids: large_string, one a row.

    >>> from pyrite.core import Query
    >>> queries = Queries.of([Query("q0", "what shines?"), Query("q1", "what is soft?")])
    >>> pairs = Pairs(queries, np.array([0, 0, 1]), pa.array(["d1", "d4", "d2"]))
    >>> len(pairs), pairs[1]
    (3, Pair(query_id='q0', doc_id='d4'))
    """

    queries: Queries
    query: NDArray[np.int32]
    doc_ids: pa.ChunkedArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "query", np.asarray(self.query, dtype=np.int32))
        object.__setattr__(self, "doc_ids", strings(self.doc_ids))
        if len(self.query) != len(self.doc_ids):
            raise DataError(f"{len(self.query)} queries and {len(self.doc_ids)} documents of pairs do not align")

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, row: int) -> Pair:
        return Pair(self.queries.ids[int(self.query[row])].as_py(), self.doc_ids[row].as_py())

    def __iter__(self) -> Iterator[Pair]:
        return (self[row] for row in range(len(self)))

    def take(self, rows: NDArray[np.integer]) -> Pairs:
        """The pairs at these rows, in this order, of the same queries."""
        return Pairs(self.queries, self.query[rows], taken(self.doc_ids, rows))

    def query_ids(self) -> pa.ChunkedArray:
        """The query id of every row."""
        return taken(self.queries.ids, self.query)


@dataclass(frozen=True)
class Found:
    """One document that was found for a query; `rank` is 0 for one that no retriever found, a positive."""

    doc_id: str
    retriever: str
    rank: int
    score: float
    logit: float | None


@dataclass(frozen=True, eq=False)
class Pool:
    """For each query, the documents that were found by which retriever at which rank, with the teacher's logits.

    Rows are by query, then by rank. A document that several retrievers found has one row, with its best rank. Known
    positives that no retriever found are rows too, at the end of their query, so that every scored pair has a place.

    Attributes:
        queries: with distinct texts. corpus: the documents that may be chosen, in pool order.
        retrievers: their names.
        offsets: int64, one more than queries: query i has the rows [offsets[i], offsets[i + 1]).
        documents: int32, one a row, into `corpus`.
        retriever: int16, into `retrievers`; -1 where none found the document.
        rank: int32, from 1, as the retriever had it; 0 where none did. score: float64, NaN where none did.
        logit: float32, NaN for a pair that is not scored.
    """

    queries: Queries
    corpus: Corpus
    retrievers: tuple[str, ...]
    offsets: NDArray[np.int64]
    documents: NDArray[np.int32]
    retriever: NDArray[np.int16]
    rank: NDArray[np.int32]
    score: NDArray[np.float64]
    logit: NDArray[np.float32]

    def __post_init__(self) -> None:
        rows = len(self.documents)
        if any(len(column) != rows for column in (self.retriever, self.rank, self.score, self.logit)):
            raise DataError("the columns of a pool do not align")
        if len(self.offsets) != len(self.queries) + 1 or self.offsets[-1] != rows:
            raise DataError("the offsets of a pool do not fit its queries and rows")

    def __len__(self) -> int:
        """How many (query, document) rows there are."""
        return len(self.documents)

    def __getitem__(self, query_id: str) -> list[Found]:
        """What there is for one query, best rank first, unfound positives last."""
        query = self.queries.position(query_id)
        rows = range(int(self.offsets[query]), int(self.offsets[query + 1]))
        return [self._found(row) for row in rows]

    def _found(self, row: int) -> Found:
        by = self.retrievers[self.retriever[row]] if self.retriever[row] >= 0 else ""
        logit = None if np.isnan(self.logit[row]) else float(self.logit[row])
        doc_id = self.corpus.ids[int(self.documents[row])].as_py()
        return Found(doc_id, by, int(self.rank[row]), float(self.score[row]), logit)

    @cached_property
    def query_of(self) -> NDArray[np.int32]:
        """The query of every row, int32."""
        return np.repeat(np.arange(len(self.queries), dtype=np.int32), np.diff(self.offsets))

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which rows have a logit."""
        return ~np.isnan(self.logit)

    def with_logits(self, rows: NDArray[np.integer], logits: NDArray[np.float32]) -> Pool:
        """The pool with these rows scored, the others as they are."""
        filled = self.logit.copy()
        filled[rows] = logits
        return replace(self, logit=filled)

    def take(self, keep: NDArray[np.bool_]) -> Pool:
        """The pool with only the marked rows; every query stays."""
        ends = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
        return replace(
            self,
            offsets=ends[self.offsets],
            documents=self.documents[keep],
            retriever=self.retriever[keep],
            rank=self.rank[keep],
            score=self.score[keep],
            logit=self.logit[keep],
        )


@dataclass(frozen=True)
class TrainingTuple:
    """One mined row; `logits` are aligned with the positive and then the negatives."""

    query: str
    positive: str
    negatives: tuple[str, ...]
    logits: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class TrainingTuples:
    """Mined rows: a query, its positive, its hard negatives in column order, and the teacher's logits.

    Attributes:
        queries, corpus: where the texts are.
        query, positive: int32, one a row, into `queries` and `corpus`.
        offsets: int64, one more than rows: row i has the negatives [offsets[i], offsets[i + 1]).
        negatives: int32, into `corpus`.
        positive_logits, negative_logits: float32, aligned with `positive` and `negatives`.

    >>> from pyrite.core import Document, Query
    >>> queries = Queries.of([Query("q0", "what shines?")])
    >>> corpus = Corpus.of([Document("d0", "Pyrite."), Document("d1", "Coal.")])
    >>> one, other = np.array([0]), np.array([1])
    >>> logits = np.array([4.5], np.float32), np.array([-1.0], np.float32)
    >>> TrainingTuples(queries, corpus, one, one, np.array([0, 1]), other, *logits)[0]
    TrainingTuple(query='what shines?', positive='Pyrite.', negatives=('Coal.',), logits=(4.5, -1.0))
    """

    queries: Queries
    corpus: Corpus
    query: NDArray[np.int32]
    positive: NDArray[np.int32]
    offsets: NDArray[np.int64]
    negatives: NDArray[np.int32]
    positive_logits: NDArray[np.float32]
    negative_logits: NDArray[np.float32]

    def __post_init__(self) -> None:
        rows = len(self.query)
        if not rows == len(self.positive) == len(self.positive_logits) == len(self.offsets) - 1:
            raise DataError("the columns of mined rows do not align")
        if not len(self.negatives) == len(self.negative_logits) == self.offsets[-1]:
            raise DataError("the negatives of mined rows do not fit their offsets")

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, row: int) -> TrainingTuple:
        span = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        texts = taken(self.corpus.texts, self.negatives[span]).to_pylist()
        return TrainingTuple(
            self.queries.texts[int(self.query[row])].as_py(),
            self.corpus.texts[int(self.positive[row])].as_py(),
            tuple(texts),
            (float(self.positive_logits[row]), *self.negative_logits[span].tolist()),
        )

    def __iter__(self) -> Iterator[TrainingTuple]:
        return (self[row] for row in range(len(self)))

    def take(self, rows: NDArray[np.integer]) -> TrainingTuples:
        """The rows at these places, in this order."""
        lengths = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
        flat = np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return replace(
            self,
            query=self.query[rows],
            positive=self.positive[rows],
            offsets=offsets,
            negatives=self.negatives[flat],
            positive_logits=self.positive_logits[rows],
            negative_logits=self.negative_logits[flat],
        )

    def labels(self) -> NDArray[np.float32]:
        """The logits as a matrix, shape (rows, 1 + negatives), positive first.

        Raises:
            DataError: the rows have different numbers of negatives; nothing is ever padded.
        """
        lengths = np.diff(self.offsets)
        if len(lengths) and (lengths != lengths[0]).any():
            raise DataError("the rows have different numbers of negatives, so that their labels are no matrix")
        width = int(lengths[0]) if len(lengths) else 0
        return np.column_stack([self.positive_logits, self.negative_logits.reshape(len(self), width)])
