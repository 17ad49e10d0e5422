from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import rank_order
from pyrite.retrieval.bm25.plan import Asked, plan
from pyrite.retrieval.bm25.postings import Postings, find_highest
from pyrite.retrieval.bm25.rows import dense_rows
from pyrite.retrieval.bm25.search import no_hits, room_for, search


def postings_of(matrix: np.ndarray[Any, Any]) -> Postings:
    """The postings of a matrix of scores, terms x documents, in which 0 is no posting."""
    rows, documents = np.nonzero(matrix)
    bounds = np.searchsorted(rows, np.arange(len(matrix) + 1))
    scores = matrix[rows, documents].astype(np.float32)
    postings = Postings(bounds, documents.astype(np.int32), scores, np.zeros(len(matrix), np.float32))
    find_highest(postings)
    for column in postings:
        column.flags.writeable = False
    return postings


def searched(matrix: np.ndarray[Any, Any], queries: list[list[int]], depth: int, dense: list[int]) -> list[Any]:
    postings = postings_of(matrix)
    documents = matrix.shape[1]
    asked = Asked(np.array([term for terms in queries for term in terms], np.int32), np.cumsum([0, *map(len, queries)]))
    hits, room = no_hits(len(queries), depth), room_for(documents)
    rows = dense_rows(postings, np.array(dense, np.int64), documents)
    search(asked, plan(asked, postings), postings, rows, room, hits)
    assert not room.totals.any(), "a search leaves its room as it was"
    return [
        (hits.documents[query, :count].tolist(), hits.scores[query, :count].tolist())
        for query, count in enumerate(hits.counts.tolist())
    ]


def added_up(matrix: np.ndarray[Any, Any], queries: list[list[int]], depth: int) -> list[Any]:
    """What adding up every posting in the order of the query's words gives, in float32."""
    found = []
    for terms in queries:
        totals = np.zeros(matrix.shape[1], np.float32)
        for term in terms:
            totals += matrix[term].astype(np.float32)
        order = [row for row in rank_order(totals, np.arange(len(totals)))[:depth].tolist() if totals[row] > 0]
        found.append((order, totals[order].tolist()))
    return found


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from([0.02, 0.2, 0.7]), st.booleans())
def test_scores_and_order_are_those_of_adding_everything_up(seed: int, depth: int, share: float, coarse: bool) -> None:
    source = np.random.default_rng(seed)
    terms, documents = int(source.integers(1, 12)), int(source.integers(1, 120))
    shares = np.minimum(1.0, share * source.exponential(1.0, (terms, 1)))
    matrix = source.random((terms, documents)) * source.exponential(1.0, (terms, 1))
    if coarse:  # many ties
        matrix = np.ceil(matrix * 3) / 4
    matrix = np.where(source.random((terms, documents)) < shares, matrix, 0).astype(np.float32)
    queries = [source.integers(0, terms, size=source.integers(0, 15)).tolist() for _ in range(8)]
    dense = [term for term in range(terms) if (matrix[term] > 0).mean() > 0.3]
    expected = added_up(matrix, queries, depth)
    assert searched(matrix, queries, depth, dense) == expected
    assert searched(matrix, queries, depth, []) == expected


@pytest.mark.parametrize("dense", [[], [1]], ids=["sparse", "dense"])
def test_frequent_terms_are_only_looked_up_for_what_can_win(dense: list[int]) -> None:
    source = np.random.default_rng(1)
    matrix = np.zeros((3, 20_000), np.float32)
    matrix[0, source.integers(0, 20_000, 300)] = 5 + source.random()
    matrix[1] = source.random(20_000) * 0.01 + 1e-6
    matrix[2, ::3] = source.random(6_667) * 0.01 + 1e-6
    queries = [[0, 1, 2], [1, 0, 2, 1], [2, 1], [1]]
    assert searched(matrix, queries, 10, dense) == added_up(matrix, queries, 10)


def test_rounding_in_another_order_changes_nothing() -> None:
    source = np.random.default_rng(2)
    matrix = (source.random((40, 300)) * 10.0 ** source.integers(-4, 4, (40, 1))).astype(np.float32)
    queries = [source.permutation(40).tolist() * 3 for _ in range(20)]
    assert searched(matrix, queries, 50, []) == added_up(matrix, queries, 50)


def test_a_term_that_gives_nothing_is_no_match() -> None:
    matrix = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]], np.float32)
    assert searched(matrix, [[0], [0, 1], []], 3, []) == [([], []), ([1], [2.0]), ([], [])]
