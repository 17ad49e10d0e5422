import numpy as np

from pyrite.retrieval.bm25.postings import Postings
from pyrite.retrieval.bm25.rows import dense_rows, frequent_rows


def postings_of(frequencies: list[int]) -> Postings:
    """Terms that so many of the first documents have; term t's score is t + 1."""
    bounds = np.concatenate([[0], np.cumsum(frequencies)])
    documents = np.concatenate([np.zeros(0), *map(np.arange, frequencies)]).astype(np.int32)
    scores = np.repeat(np.arange(1, len(frequencies) + 1), frequencies).astype(np.float32)
    return Postings(bounds, documents, scores, np.ones(len(frequencies), np.float32))


def test_a_row_holds_a_terms_scores_by_document() -> None:
    rows = dense_rows(postings_of([1, 3]), np.array([1]), 4)
    assert rows.row_of.tolist() == [-1, 0]
    assert rows.values.tolist() == [[2.0, 2.0, 2.0, 0.0]]


def test_rows_take_an_eighth_of_the_postings_memory_and_the_most_frequent_terms() -> None:
    frequencies = [100, 90, 10, *[80] * 20]
    rows = frequent_rows(postings_of(frequencies), 100)
    assert rows.values.nbytes <= sum(frequencies) * 8 // 8
    assert [row >= 0 for row in rows.row_of[:3]] == [True, True, False]
    assert len(rows.values) == sum(frequencies) // 400


def test_a_rare_term_has_no_row() -> None:
    assert len(frequent_rows(postings_of([10] * 1000), 100).values) == 0
    assert frequent_rows(postings_of([]), 0).values.shape == (0, 0)
