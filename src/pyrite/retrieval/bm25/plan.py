"""Queries as terms, and the order in which their terms are taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.postings import Postings


class Asked(NamedTuple):
    """Some queries as terms: query i has terms[bounds[i]:bounds[i + 1]], int32; a repeat counts again."""

    terms: NDArray[np.int32]
    bounds: NDArray[np.int64]


class Plan(NamedTuple):
    """Each query's distinct terms, in the order in which they are taken; query i has [bounds[i], bounds[i + 1]).

    Attributes:
        terms: int32. repeats: int64, how often the query has it. most: float64, the most that it can give a document.
        bounds: int64.
    """

    terms: NDArray[np.int32]
    repeats: NDArray[np.int64]
    most: NDArray[np.float64]
    bounds: NDArray[np.int64]


def plan(asked: Asked, postings: Postings) -> Plan:
    """The order in which each query's terms are taken: by the most that they can give."""
    queries = np.repeat(np.arange(len(asked.bounds) - 1, dtype=np.int64), np.diff(asked.bounds))
    # A term whose idf is 0 gives nothing and is not a match.
    scoring = postings.highest[asked.terms] > 0
    pairs, repeats = np.unique((queries[scoring] << 32) | asked.terms[scoring], return_counts=True)
    queries, terms = pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)
    most = repeats * postings.highest[terms].astype(np.float64)
    order = np.lexsort((terms, -most, queries))
    bounds = np.searchsorted(queries, np.arange(len(asked.bounds)))
    return Plan(terms[order], repeats[order].astype(np.int64), most[order], bounds.astype(np.int64))
