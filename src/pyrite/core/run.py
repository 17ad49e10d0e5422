"""Runs: exactly what a system returned, in its order; and the one place where ties are broken and rankings cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core.errors import DataError


def rank_order(scores: NDArray[np.floating], ties: NDArray[np.integer]) -> NDArray[np.int64]:
    """The total order of every ranking: score descending, then `ties` ascending.

    `ties` is what makes two documents of one score comparable: the corpus position inside Pyrite, or
    `-descending id rank` for a file of scores, see `trec_ties`.

    >>> rank_order(np.array([1.0, 2.0, 2.0]), np.array([0, 9, 4])).tolist()
    [2, 1, 0]
    """
    return np.lexsort((ties, -np.asarray(scores, dtype=np.float64)))


def trec_ties(doc_ids: Sequence[str]) -> NDArray[np.int64]:
    """Tie keys by which the greater document id comes first, as trec_eval compares them (bytes of UTF-8).

    >>> rank_order(np.zeros(3), trec_ties(["9", "10", "a"])).tolist()
    [2, 0, 1]
    """
    encoded = [doc_id.encode() for doc_id in doc_ids]
    ranks = np.empty(len(encoded), dtype=np.int64)
    ranks[sorted(range(len(encoded)), key=encoded.__getitem__, reverse=True)] = np.arange(len(encoded))
    return ranks


@dataclass(frozen=True)
class Hit:
    """One document of a ranking; rank from 1."""

    doc_id: str
    rank: int
    score: float


class Run:
    """The rankings of one system, in its own order; the only thing that is measured.

    Args:
        system: the system's name, as in a report ("bm25:en").
        query_ids: the queries that were searched, in order; one with no hits has an empty ranking.
        offsets: int64, one more than queries: ranking i is rows [offsets[i], offsets[i + 1]).
        positions: int32, one a row, into `doc_ids`.
        doc_ids: the ids that positions point to: a corpus's ids, or those that a file names.
        scores: float64, one a row; comparable within one ranking only.

    A document twice in one ranking is an error: it would count twice.

    >>> run = Run.of("toy", {"q1": [("d2", 3.5), ("d1", 1.0)], "q2": []})
    >>> run["q1"][0], len(run), run.depth
    (Hit(doc_id='d2', rank=1, score=3.5), 2, 2)
    """

    def __init__(
        self,
        system: str,
        *,
        query_ids: pa.ChunkedArray | pa.Array,
        offsets: NDArray[np.int64],
        positions: NDArray[np.int32],
        doc_ids: pa.ChunkedArray | pa.Array,
        scores: NDArray[np.floating],
    ) -> None:
        self.system = system
        self.query_ids: pa.ChunkedArray | pa.Array = query_ids.cast(pa.large_string())
        self.offsets = np.asarray(offsets, dtype=np.int64)
        self.positions = np.asarray(positions, dtype=np.int32)
        self.doc_ids: pa.ChunkedArray | pa.Array = doc_ids.cast(pa.large_string())
        self.scores = np.asarray(scores, dtype=np.float64)
        if len(self.offsets) != len(self.query_ids) + 1 or self.offsets[-1] != len(self.positions):
            raise DataError(f"the offsets of run '{system}' do not fit its queries and rows")
        if len(self.positions) != len(self.scores):
            raise DataError(f"run '{system}' has {len(self.positions)} documents and {len(self.scores)} scores")
        if np.isnan(self.scores).any():
            row = int(np.flatnonzero(np.isnan(self.scores))[0])
            raise DataError(
                "a score is not a number", where=f"run '{system}', query '{self._query_of(row)}'", fix="score it again"
            )
        self._refuse_repeats()

    def _query_of(self, row: int) -> str:
        return str(self.query_ids[int(np.searchsorted(self.offsets, row, side="right")) - 1].as_py())

    def _refuse_repeats(self) -> None:
        queries = np.repeat(np.arange(len(self.query_ids), dtype=np.int64), np.diff(self.offsets))
        keys = np.sort(queries * max(len(self.doc_ids), 1) + self.positions)
        repeated = np.flatnonzero(keys[1:] == keys[:-1])
        if len(repeated):
            query, position = divmod(int(keys[repeated[0]]), len(self.doc_ids))
            raise DataError(
                f"document '{self.doc_ids[position].as_py()}' is retrieved twice",
                where=f"run '{self.system}', query '{self.query_ids[query].as_py()}'",
                fix="keep one of them",
            )

    @classmethod
    def of(cls, system: str, rankings: Mapping[str, Sequence[tuple[str, float]]]) -> Run:
        """A run of plain (doc_id, score) lists, in their order."""
        doc_ids = list(dict.fromkeys(doc for ranking in rankings.values() for doc, _ in ranking))
        position = {doc: row for row, doc in enumerate(doc_ids)}
        lengths = [len(ranking) for ranking in rankings.values()]
        return cls(
            system,
            query_ids=pa.array(list(rankings), pa.large_string()),
            offsets=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
            positions=np.array([position[d] for ranking in rankings.values() for d, _ in ranking], dtype=np.int32),
            doc_ids=pa.array(doc_ids, pa.large_string()),
            scores=np.array([s for ranking in rankings.values() for _, s in ranking], dtype=np.float64),
        )

    def __len__(self) -> int:
        """How many queries were searched."""
        return len(self.query_ids)

    @property
    def depth(self) -> int:
        """The length of the longest ranking."""
        return int(np.diff(self.offsets).max(initial=0))

    @cached_property
    def _rows_of(self) -> dict[str, int]:
        return {query_id: row for row, query_id in enumerate(self.query_ids.to_pylist())}

    def __contains__(self, query_id: object) -> bool:
        return query_id in self._rows_of

    def __getitem__(self, query_id: str) -> list[Hit]:
        """One query's ranking, best first; empty where the run lacks the query."""
        row = self._rows_of.get(query_id)
        if row is None:
            return []
        start, stop = int(self.offsets[row]), int(self.offsets[row + 1])
        ids = self.doc_ids.take(pa.array(self.positions[start:stop])).to_pylist()
        return [
            Hit(doc_id, rank, score)
            for rank, (doc_id, score) in enumerate(zip(ids, self.scores[start:stop].tolist(), strict=True), start=1)
        ]

    def __iter__(self) -> Iterator[tuple[str, list[Hit]]]:
        return ((query_id, self[query_id]) for query_id in self.query_ids.to_pylist())

    def hit_ids(self) -> pa.Array | pa.ChunkedArray:
        """The document id of every row."""
        return self.doc_ids.take(pa.array(self.positions))

    def ranks(self) -> NDArray[np.int64]:
        """The rank of every row, from 1."""
        return np.arange(len(self.positions)) - np.repeat(self.offsets[:-1], np.diff(self.offsets)) + 1

    def keep(self, rows: NDArray[np.bool_]) -> Run:
        """The run with only the marked rows, order unchanged; every query stays, even if its ranking empties."""
        kept = np.concatenate([[0], np.cumsum(rows, dtype=np.int64)])
        return Run(
            self.system,
            query_ids=self.query_ids,
            offsets=kept[self.offsets],
            positions=self.positions[rows],
            doc_ids=self.doc_ids,
            scores=self.scores[rows],
        )

    def named(self, system: str) -> Run:
        """The same rankings under another system's name."""
        return Run(
            system,
            query_ids=self.query_ids,
            offsets=self.offsets,
            positions=self.positions,
            doc_ids=self.doc_ids,
            scores=self.scores,
        )

    def cut(self, depth: int) -> Run:
        """The first `depth` hits of each query."""
        return self.keep(self.ranks() <= depth)

    def without_self(self) -> Run:
        """The run without hits whose document id is the query's id."""
        queries = np.repeat(np.arange(len(self.query_ids)), np.diff(self.offsets))
        position = {doc: row for row, doc in enumerate(self.doc_ids.to_pylist())}
        own = np.array([position.get(query, -1) for query in self.query_ids.to_pylist()], dtype=np.int64)
        return self.keep(self.positions != own[queries])


@dataclass(frozen=True)
class Candidates:
    """A run made fit for a reranker: cut, with missing positives forced in; never measured as a first stage.

    Attributes:
        run: the rankings with the forced documents in place.
        forced: query_id -> the documents that were put in, in the order of their places.
    """

    run: Run
    forced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def forced_count(self) -> int:
        """How many documents were forced in, over all queries."""
        return sum(len(docs) for docs in self.forced.values())
