"""Which judged documents a run retrieved, and at which rank: all that a measure needs to know of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError, Qrels, Run


class Judgements:
    """The judgements of the measured queries: the selected ones that have at least one positive.

    Args:
        qrels: who judged what.
        query_ids: the selected queries in order, or None for every query that the qrels name.

    A selected query without a positive is left out and counted in `without_positives`; `unjudged` of those are not in
    the qrels at all.

    >>> judged = Judgements(Qrels.of({"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}))
    >>> judged.query_ids.to_pylist(), judged.grades.tolist(), judged.without_positives
    (['q1'], [2, 0], 1)
    """

    def __init__(self, qrels: Qrels, query_ids: Iterable[str] | pa.Array | pa.ChunkedArray | None = None) -> None:
        selected: pa.Array = qrels.query_ids if query_ids is None else _id_column(query_ids)
        if pc.count_distinct(selected).as_py() != len(selected):
            raise DataError("a query is selected more than once", fix="give each query id once")
        self.selected = len(selected)
        rows = rows_in(selected, qrels.query_ids)
        self.unjudged = int((rows < 0).sum())
        owners = np.repeat(np.arange(len(qrels.query_ids)), np.diff(qrels.offsets))
        has_positive = np.zeros(len(qrels.query_ids) + 1, dtype=np.bool_)  # the last answers for row -1: no judgement
        has_positive[owners[qrels.relevance >= 1]] = True
        measured = has_positive[rows]
        if not measured.any():
            raise DataError(
                f"none of the {self.selected:,} selected queries has a relevant document",
                fix="give qrels with a relevance of 1 or more for these queries",
            )
        self.query_ids: pa.Array = selected.filter(pa.array(measured))
        rows = rows[measured]
        lengths = np.diff(qrels.offsets)[rows]
        self.offsets: NDArray[np.int64] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        taken = np.arange(self.offsets[-1]) + np.repeat(qrels.offsets[rows] - self.offsets[:-1], lengths)
        encoded = qrels.doc_ids.take(pa.array(taken)).dictionary_encode()
        self.docs: pa.Array = encoded.dictionary
        self.codes: NDArray[np.int32] = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int32)
        self.grades: NDArray[np.int64] = np.maximum(qrels.relevance[taken], 0).astype(np.int64)

    def __len__(self) -> int:
        """How many queries are measured."""
        return len(self.query_ids)

    @property
    def without_positives(self) -> int:
        """How many selected queries are left out."""
        return self.selected - len(self)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The measured query of every judgement, from 0."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def best_grades(self) -> NDArray[np.int64]:
        """The grades of every query from best to worst, aligned with `owners`: the ideal ranking."""
        return self.grades[np.lexsort((-self.grades, self.owners))]

    @cached_property
    def best_ranks(self) -> NDArray[np.int64]:
        """The rank from 1 of every grade in `best_grades`."""
        return np.arange(len(self.grades)) - self.offsets[self.owners] + 1

    def relevant(self, rel: int) -> NDArray[np.int64]:
        """How many documents of relevance `rel` or more each query has."""
        return np.bincount(self.owners[self.grades >= rel], minlength=len(self))


@dataclass(frozen=True)
class Hits:
    """The judged documents that a run retrieved, by query, then by rank.

    Attributes:
        judged: the judgements they were found by.
        query: int64, the measured query of each, from 0.
        rank: int64, its rank in the run, from 1.
        grade: int64, its relevance, 0 or more.
        retrieved: int64, one a measured query: the length of its ranking, 0 where the run lacks the query.
    """

    judged: Judgements
    query: NDArray[np.int64]
    rank: NDArray[np.int64]
    grade: NDArray[np.int64]
    retrieved: NDArray[np.int64]


def find_hits(judged: Judgements, run: Run) -> Hits:
    """The judged documents that the run retrieved, each with its rank in the run's own order.

    >>> judged = Judgements(Qrels.of({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}))
    >>> hits = find_hits(judged, Run.of("toy", {"q1": [("d9", 3.0), ("d2", 2.0), ("d1", 1.0)]}))
    >>> hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist(), hits.retrieved.tolist()
    ([0, 0], [2, 3], [0, 2], [3, 0])
    """
    # Not at the top of the file: whoever only prints a report should not wait for numba.
    from pyrite.evaluation.kernel import find

    if pc.count_distinct(run.query_ids).as_py() != len(run):
        raise DataError(f"run '{run.system}' ranks a query more than once", fix="keep one ranking of each query")
    rows = rows_in(judged.query_ids, run.query_ids)
    codes = rows_in(run.doc_ids, judged.docs).astype(np.int32)
    judgements, rank = find(rows, run.offsets, codes, run.positions, judged.offsets, judged.codes)
    lengths = np.append(np.diff(run.offsets), 0)  # row -1, a query that the run lacks, has nothing
    return Hits(judged, judged.owners[judgements], rank, judged.grades[judgements], lengths[rows])


def _id_column(query_ids: Iterable[str] | pa.Array | pa.ChunkedArray) -> pa.Array:
    if isinstance(query_ids, pa.ChunkedArray):
        query_ids = query_ids.combine_chunks()
    return (
        query_ids.cast(pa.large_string()) if isinstance(query_ids, pa.Array) else pa.array(query_ids, pa.large_string())
    )


def rows_in(wanted: pa.Array | pa.ChunkedArray, ids: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    """The row of each wanted id, -1 where it is absent."""
    table = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    found = pc.fill_null(pc.index_in(wanted, value_set=table), -1)
    return np.asarray(found.to_numpy() if isinstance(found, pa.ChunkedArray) else found, dtype=np.int64)
