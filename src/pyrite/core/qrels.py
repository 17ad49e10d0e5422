"""Qrels: who judged what relevant, with grades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core.errors import DataError
from pyrite.core.texts import strings


class Qrels:
    """Judgements: query -> document -> relevance (an int grade; 0 = judged non-relevant, absent = unjudged).

    Rows are held by query, in the order in which each query first occurs; within one query in row order.

    Args:
        query_ids: one a judgement.
        doc_ids: one a judgement, aligned with query_ids.
        relevance: one grade a judgement; negative grades (TREC's) are kept and count as 0 in measures.

    >>> qrels = Qrels.of({"q1": {"d1": 2, "d7": 0}, "q2": {"d3": 1}})
    >>> qrels["q1"], qrels.positives("q1"), len(qrels)
    ({'d1': 2, 'd7': 0}, ['d1'], 3)
    """

    def __init__(
        self,
        query_ids: pa.ChunkedArray | pa.Array,
        doc_ids: pa.ChunkedArray | pa.Array,
        relevance: NDArray[np.integer],
    ) -> None:
        queries, docs = strings(query_ids).combine_chunks(), strings(doc_ids).combine_chunks()
        grades = np.asarray(relevance, dtype=np.int32)
        if not len(queries) == len(docs) == len(grades):
            raise DataError(f"{len(queries)} query ids, {len(docs)} document ids and {len(grades)} grades do not align")
        encoded = queries.dictionary_encode()
        codes = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        self.query_ids: pa.Array = encoded.dictionary.cast(pa.large_string())
        self.offsets: NDArray[np.int64] = np.searchsorted(codes[order], np.arange(len(self.query_ids) + 1))
        self.doc_ids: pa.Array = docs.take(pa.array(order))
        self.relevance: NDArray[np.int32] = grades[order]
        self.relevance.flags.writeable = False
        pairs = pa.table({"q": codes[order], "d": self.doc_ids.dictionary_encode().indices})
        if pairs.group_by(["q", "d"]).aggregate([]).num_rows != len(pairs):
            query, doc = self._first_repeat()
            raise DataError(
                f"query '{query}' and document '{doc}' are judged more than once",
                fix="keep one judgement of each pair",
            )

    def _first_repeat(self) -> tuple[str, str]:
        seen: set[tuple[str, str]] = set()
        for query, doc, _ in self.rows():
            if (query, doc) in seen:
                return query, doc
            seen.add((query, doc))
        raise AssertionError("no repeated pair")

    @classmethod
    def of(cls, judgements: Mapping[str, Mapping[str, int]]) -> Qrels:
        """Qrels of plain dictionaries; a query without judgements leaves no trace."""
        rows = [(q, d, grade) for q, docs in judgements.items() for d, grade in docs.items()]
        return cls(
            pa.array([row[0] for row in rows], pa.large_string()),
            pa.array([row[1] for row in rows], pa.large_string()),
            np.array([row[2] for row in rows], dtype=np.int32),
        )

    def __len__(self) -> int:
        return len(self.relevance)

    @cached_property
    def _rows_of(self) -> dict[str, int]:
        return {query_id: row for row, query_id in enumerate(self.query_ids.to_pylist())}

    def __contains__(self, query_id: object) -> bool:
        return query_id in self._rows_of

    def __getitem__(self, query_id: str) -> dict[str, int]:
        """Document -> relevance of one query; empty where it has no judgement."""
        row = self._rows_of.get(query_id)
        if row is None:
            return {}
        start, stop = int(self.offsets[row]), int(self.offsets[row + 1])
        docs = self.doc_ids.slice(start, stop - start).to_pylist()
        return dict(zip(docs, self.relevance[start:stop].tolist(), strict=True))

    def positives(self, query_id: str) -> list[str]:
        """Documents of relevance 1 or more, in qrels order."""
        return [doc for doc, grade in self[query_id].items() if grade >= 1]

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """(query_id, doc_id, relevance), by query, then in row order."""
        for row, query in enumerate(self.query_ids.to_pylist()):
            start, stop = int(self.offsets[row]), int(self.offsets[row + 1])
            docs = self.doc_ids.slice(start, stop - start).to_pylist()
            for doc, grade in zip(docs, self.relevance[start:stop].tolist(), strict=True):
                yield query, doc, grade

    def repeated_query_ids(self) -> pa.Array:
        """The query id of every judgement, aligned with doc_ids and relevance."""
        codes = np.repeat(np.arange(len(self.query_ids)), np.diff(self.offsets))
        return self.query_ids.take(pa.array(codes))

    def restrict(self, query_ids: Iterable[str]) -> Qrels:
        """The judgements of these queries, in this order of queries."""
        wanted = [self._rows_of[q] for q in query_ids if q in self._rows_of]
        ranges = [np.arange(self.offsets[row], self.offsets[row + 1]) for row in wanted]
        rows = np.concatenate(ranges) if ranges else np.empty(0, np.int64)
        taken = pa.array(rows)
        return Qrels(self.repeated_query_ids().take(taken), self.doc_ids.take(taken), self.relevance[rows])
