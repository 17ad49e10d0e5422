"""Which queries a Nano split asks, and which of their positives it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyrite.core import LedgerEntry, Queries
from pyrite.preparation.nano.account import account
from pyrite.preparation.nano.source import NanoSource


@dataclass(frozen=True)
class ChosenQueries:
    """The queries of a split.

    Attributes:
        queries: in source order.
        kept: query id -> rows of its kept positives.
        omitted: positives of these queries that none of them keeps; they stay out of the corpus, because there
            they would be relevant and unmarked.
        entry: the account of the queries.
    """

    queries: Queries
    kept: Mapping[str, tuple[int, ...]]
    omitted: frozenset[int]
    entry: LedgerEntry


def eligible_queries(source: NanoSource) -> list[int]:
    """Rows of the queries with at least one positive in the corpus, in source order."""
    ids = source.queries.ids.to_pylist()
    return [row for row, query_id in enumerate(ids) if source.positives(query_id)]


def choose_queries(source: NanoSource, *, limit: int, positives: Literal[1, "all"] = 1) -> ChosenQueries:
    """The first `limit` eligible queries, each with its kept positives.

    Args:
        source: merged, so that no two queries ask the same.
        limit: counts eligible queries only.
        positives: 1 keeps the positive of the highest grade, the first of them in qrels order; "all" keeps each.
    """
    eligible = eligible_queries(source)
    queries = source.queries.take(np.array(eligible[:limit], dtype=np.int64))
    kept: dict[str, tuple[int, ...]] = {}
    known: set[int] = set()
    for query_id in queries.ids.to_pylist():
        found = source.positives(query_id)
        known.update(found)
        # max() gives the first of equals, which is qrels order.
        kept[query_id] = tuple(found) if positives == "all" else (max(found, key=source.judged[query_id].__getitem__),)
    omitted = known.difference(row for rows in kept.values() for row in rows)
    return ChosenQueries(
        queries,
        kept,
        frozenset(omitted),
        account(
            "queries of the split",
            "queries",
            rows_in=len(source.queries),
            rows_out=len(queries),
            dropped={
                "no positive in the corpus": len(source.queries) - len(eligible),
                "beyond limit_queries": len(eligible) - len(queries),
            },
        ),
    )
