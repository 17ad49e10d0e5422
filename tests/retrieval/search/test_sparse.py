"""Search over sparse vectors against a dense product."""

import numpy as np
import pytest

from pyrite.core import DataError, rank_order
from pyrite.retrieval.search import SparseRows, SparseVectors


def rows_of(dense: np.ndarray) -> SparseRows:
    row, term = np.nonzero(dense)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(dense)))])
    return SparseRows(bounds, term.astype(np.int32), dense[row, term].astype(np.float32))


def test_the_hits_are_those_of_the_whole_product_without_zeros() -> None:
    chance = np.random.default_rng(0)
    documents = chance.integers(0, 4, (700, 60)) * (chance.random((700, 60)) < 0.1)
    queries = chance.integers(0, 3, (40, 60)) * (chance.random((40, 60)) < 0.1)
    hits = SparseVectors(rows_of(documents), threads=2).search(rows_of(queries), 25)
    for query, product in enumerate(queries @ documents.T):
        order = [place for place in rank_order(product.astype(float), np.arange(700)).tolist() if product[place] > 0]
        count = int(hits.counts[query])
        assert hits.positions[query, :count].tolist() == order[:25]
        assert hits.scores[query, :count].tolist() == product[order[:25]].tolist()


def test_a_document_that_shares_no_term_is_no_hit() -> None:
    """O43."""
    index = SparseVectors(rows_of(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]])))
    hits = index.search(rows_of(np.array([[0, 2, 0], [0, 0, 0], [0, 0, 5]])), 3)
    assert hits.counts.tolist() == [1, 0, 0]
    assert hits.positions[0, 0] == 1


def test_a_term_that_no_document_has_is_passed_over() -> None:
    asked = SparseRows(np.array([0, 2]), np.array([1, 900], np.int32), np.array([1, 9], np.float32))
    assert SparseVectors(rows_of(np.array([[0, 1]]))).search(asked, 5).counts.tolist() == [1]


def test_rows_can_be_taken_and_joined() -> None:
    rows = rows_of(np.array([[1, 0], [0, 0], [2, 3]]))
    taken = rows.take(np.array([2, 1, 2]))
    assert taken.bounds.tolist() == [0, 2, 2, 4]
    assert taken.weights.tolist() == [2, 3, 2, 3]
    joined = SparseRows.joined([rows, taken])
    assert len(joined) == 6
    assert joined.take(np.array([3])).weights.tolist() == [2, 3]


def test_an_empty_corpus_has_no_hits_and_a_depth_of_nothing_is_refused() -> None:
    empty = SparseVectors(SparseRows.joined([]))
    asked = rows_of(np.array([[1]]))
    assert empty.search(asked, 3).counts.tolist() == [0]
    with pytest.raises(DataError, match="depth of a search is 0"):
        empty.search(asked, 0)
