"""From queries with their relevant documents to pairs: one row a positive, in source order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError, LedgerEntry, Pairs, Queries

Duplicates = Literal["merge", "keep"]
Missing = Literal["error", "drop"]


@dataclass(frozen=True)
class Expanded:
    """Queries and everything that is known to be relevant to them, before any corpus was looked at.

    Attributes:
        known: every (query, document) once, in source order.
        listed: how many relevant ids the source lists for these queries, repeats among them.
        entry: the account of the source's rows.
    """

    known: Pairs
    listed: int
    entry: LedgerEntry


def expand_pairs(
    ids: pa.ChunkedArray | None,
    texts: pa.ChunkedArray,
    relevant: pa.ChunkedArray,
    *,
    duplicates: Duplicates,
    limit: int | None = None,
) -> Expanded:
    """Every query of a source table with each of its relevant documents.

    Args:
        ids: one a row, or None: row i has the id "q{i}".
        texts: one a row; a missing or blank one is no query.
        relevant: a list of document ids a row; a plain string is a list of one.
        duplicates: "merge" makes rows of equal text one query (the first row's id) with the documents of all;
            under "keep" each row is a query of its own.
        limit: only the first so many distinct questions, with every row that asks one of them; None: all.

    >>> texts = pa.chunked_array([["a?", "b?", "a?"]])
    >>> relevant = pa.chunked_array([[["d1", "d2"], ["d3"], ["d2", "d4"]]])
    >>> expanded = expand_pairs(None, texts, relevant, duplicates="merge")
    >>> [(pair.query_id, pair.doc_id) for pair in expanded.known]
    [('q0', 'd1'), ('q0', 'd2'), ('q1', 'd3'), ('q0', 'd4')]
    """
    rows = len(texts)
    names = pa.chunked_array([[f"q{row}" for row in range(rows)]], pa.large_string()) if ids is None else ids
    lists = _as_lists(relevant)
    blank = _true(pc.equal(pc.fill_null(pc.utf8_trim_whitespace(texts), ""), ""))
    bare = _true(pc.equal(pc.fill_null(pc.list_value_length(lists), 0), 0))
    usable = np.flatnonzero(~blank & ~bare)
    # A row that asks a kept question again stays, whatever its place: its positives must not become negatives.
    beyond = text_numbers(texts.take(pa.array(usable))) >= (len(usable) if limit is None else limit)
    usable = usable[~beyond]
    first, query_of = _numbered(texts.take(pa.array(usable)), duplicates)
    queries = Queries(names.take(pa.array(usable[first])), texts.take(pa.array(usable[first])))
    reasons = {
        "empty query": int(blank.sum()),
        "no relevant document": int((bare & ~blank).sum()),
        "beyond pairs.limit": int(beyond.sum()),
        "query text seen before": len(usable) - len(first),
    }
    entry = LedgerEntry("queries", "queries", rows, len(first), {reason: n for reason, n in reasons.items() if n})
    taken = lists.take(pa.array(usable))
    lengths = np.asarray(pc.list_value_length(taken), dtype=np.int64)
    everything = Pairs(queries, np.repeat(query_of, lengths), taken.flatten())
    once = _first_of_each(everything)
    return Expanded(everything.take(once), len(everything), entry)


def _as_lists(relevant: pa.ChunkedArray) -> pa.Array:
    column = relevant.combine_chunks() if isinstance(relevant, pa.ChunkedArray) else relevant
    if pa.types.is_large_list(column.type) or pa.types.is_list(column.type):
        return column.cast(pa.large_list(pa.large_string()))
    # A plain string would else be taken apart into its characters.
    strings = column.cast(pa.large_string())
    filled = strings.is_valid()
    offsets = np.concatenate([[0], np.cumsum(_true(filled))]).astype(np.int64)
    return pa.LargeListArray.from_arrays(pa.array(offsets), strings.drop_null())


def _numbered(texts: pa.ChunkedArray, duplicates: Duplicates) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The rows that become queries, and the query of each row."""
    if duplicates == "keep":
        every = np.arange(len(texts))
        return every, every.astype(np.int32)
    numbers = text_numbers(texts)
    _, first = np.unique(numbers, return_index=True)
    return first, numbers


def text_numbers(texts: pa.ChunkedArray) -> NDArray[np.int32]:
    """For each text the number of its text: 0 for the first distinct one, 1 for the next, and so on.

    >>> text_numbers(pa.chunked_array([["b", "a", "b"]])).tolist()
    [0, 1, 0]
    """
    if not len(texts):
        return np.empty(0, np.int32)
    encoded = texts.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices, dtype=np.int32)


def _first_of_each(pairs: Pairs) -> NDArray[np.int64]:
    """The rows of the first occurrence of every (query, document), in order."""
    documents = text_numbers(pairs.doc_ids)
    keys = pairs.query.astype(np.int64) * (int(documents.max(initial=0)) + 1) + documents
    _, first = np.unique(keys, return_index=True)
    return np.sort(first)


@dataclass(frozen=True, eq=False)
class KnownPositives:
    """The known positives of a pool, and which of them are rows.

    Attributes:
        known: each with its own id, of the queries that have one. positions: int32, aligned: places in the pool.
        rows: int64, aligned: the row of each, -1 for one that is none and still is no negative.
        input_rows: rows before any was dropped.
        entry: the account of the rows.
    """

    known: Pairs
    positions: NDArray[np.int32]
    rows: NDArray[np.int64]
    input_rows: int
    entry: LedgerEntry

    @cached_property
    def pairs(self) -> Pairs:
        """The rows, in order."""
        return self.known.take(self._order)

    @cached_property
    def pair_positions(self) -> NDArray[np.int32]:
        """The place in the pool of every row's document."""
        return self.positions[self._order]

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        rows = np.flatnonzero(self.rows >= 0)
        return rows[np.argsort(self.rows[rows], kind="stable")]

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """For each query the number of its text: the query of a pool whose queries have distinct texts."""
        return text_numbers(self.known.queries.texts)


@dataclass(frozen=True)
class PairRules:
    """How known positives become rows.

    Attributes:
        duplicates: under "merge" two documents of one text are one row of a query.
        missing: what a relevant id that the corpus lacks is.
        per_query: rows a query at most, the first in source order; None: all. The others still are no negatives.
    """

    duplicates: Duplicates = "merge"
    missing: Missing = "error"
    per_query: int | None = None


def place_pairs(
    expanded: Expanded,
    positions: NDArray[np.int64],
    *,
    absent: NDArray[np.bool_],
    rules: PairRules,
    one_a_cell: bool = False,
) -> KnownPositives:
    """The pairs whose document is in the pool, as rows.

    Args:
        expanded: what is known.
        positions: int64, one a known pair: its document's position in the pool, -1 for one that is not there.
        absent: True for a document that the corpus lacks; one that it has and that is not in the pool has no text.
        rules: what becomes of repeats and of missing documents.
        one_a_cell: the ids stood in cells of a table (CSV, TSV) that can hold no list; an error says so.

    Raises:
        DataError: a relevant id is not in the corpus, and `rules.missing` is "error".
    """
    known = expanded.known
    if rules.missing == "error" and absent.any():
        pair = known[int(np.flatnonzero(absent)[0])]
        more = f"; {int(absent.sum()) - 1:,} more are not there" if absent.sum() > 1 else ""
        fix = 'check the corpus, or set pairs.missing = "drop"'
        if one_a_cell and re.search(r"[,;|\s]", pair.doc_id):
            fix = "a cell of CSV or TSV is one id: write one id a row, or a list of them in JSONL or Parquet"
        raise DataError(
            f"the relevant document '{pair.doc_id}' of query '{pair.query_id}' is not in the corpus{more}", fix=fix
        )
    there = np.flatnonzero(positions >= 0)
    repeated = np.zeros(len(there), dtype=np.bool_)
    if rules.duplicates == "merge":
        repeated = _repeats(known.query[there], positions[there])
    rows = there[~repeated]
    beyond = np.zeros(len(rows), dtype=np.bool_)
    if rules.per_query is not None:
        beyond = _rank_in_group(known.query[rows]) >= rules.per_query
    reasons = {
        "relevant id repeated": expanded.listed - len(known),
        "not in the corpus": int(absent.sum()),
        "document without text": int((positions < 0).sum() - absent.sum()),
        "same text as an earlier positive": int(repeated.sum()),
        "beyond pairs.per_query": int(beyond.sum()),
    }
    rows = rows[~beyond]
    row_of = np.full(len(known), -1, dtype=np.int64)
    row_of[rows] = np.arange(len(rows))
    dropped = {reason: count for reason, count in reasons.items() if count}
    return KnownPositives(
        known=_of_asked_queries(known.take(there)),
        positions=positions[there].astype(np.int32),
        rows=row_of[there],
        input_rows=expanded.listed,
        entry=LedgerEntry("pairs", "rows", expanded.listed, len(rows), dropped),
    )


def _of_asked_queries(pairs: Pairs) -> Pairs:
    """The same pairs, without the queries that none of them is of."""
    asked = np.unique(pairs.query)
    return Pairs(pairs.queries.take(asked), np.searchsorted(asked, pairs.query).astype(np.int32), pairs.doc_ids)


def _repeats(query: NDArray[np.int32], positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    keys = query.astype(np.int64) * (int(positions.max(initial=0)) + 1) + positions
    _, first = np.unique(keys, return_index=True)
    repeated = np.ones(len(keys), dtype=np.bool_)
    repeated[first] = False
    return repeated


def _rank_in_group(groups: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many earlier rows have the same group."""
    order = np.argsort(groups, kind="stable")
    grouped = groups[order]
    starts = np.flatnonzero(np.concatenate([[True], grouped[1:] != grouped[:-1]])) if len(groups) else np.empty(0, int)
    sizes = np.diff(np.append(starts, len(groups)))
    ranks = np.empty(len(groups), dtype=np.int64)
    ranks[order] = np.arange(len(groups)) - np.repeat(starts, sizes)
    return ranks


def _true(column: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
    return np.asarray(
        column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy(), bool
    )
