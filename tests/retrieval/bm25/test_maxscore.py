import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import rank_order
from pyrite.retrieval.bm25.maxscore import finalists_of, score_finalists
from pyrite.retrieval.bm25.plan import Asked, plan
from pyrite.retrieval.bm25.postings import Postings, find_highest
from pyrite.retrieval.bm25.rows import dense_rows
from pyrite.retrieval.bm25.search import room_for

DOCUMENTS = 5000
NO_LIMIT = 1e18


def postings_of(parts: list[np.ndarray], scores: list[np.ndarray]) -> Postings:
    bounds = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    highest = np.zeros(len(parts), np.float32)
    held = Postings(bounds, np.concatenate(parts).astype(np.int32), np.concatenate(scores).astype(np.float32), highest)
    find_highest(held)
    for column in held:
        column.flags.writeable = False
    return held


def postings() -> Postings:
    """Term 0 in 300 documents with high scores, term 1 in a third with low ones, term 2 in all with lower ones."""
    source = np.random.default_rng(3)
    first = np.sort(source.choice(DOCUMENTS, 300, replace=False))
    parts = [first, np.arange(0, DOCUMENTS, 3), np.arange(DOCUMENTS)]
    scores = [source.random(len(part)) * scale + scale for part, scale in zip(parts, (4.0, 0.1, 0.01), strict=True)]
    return postings_of(parts, scores)


def finalists(
    terms: list[int],
    depth: int,
    budget: float,
    dense: list[int],
    held: Postings | None = None,
    documents: int = DOCUMENTS,
) -> tuple[int, list[int], np.ndarray]:
    held, space = held or postings(), room_for(documents)
    rows = dense_rows(held, np.array(dense, np.int64), documents)
    planned = plan(Asked(np.array(terms, np.int32), np.array([0, len(terms)])), held)
    left = np.append(np.cumsum(planned.most[::-1])[::-1], 0.0)
    met, kept = finalists_of((planned.terms, planned.repeats, left), held, rows, (depth, budget), space)
    exact = np.zeros(max(kept, 0), np.float32)
    if kept >= 0:
        score_finalists(np.array(terms, np.int32), held, rows, space.finalists[:kept], exact)
    return met, space.finalists[:kept].tolist() if kept >= 0 else [-1], exact


@pytest.mark.parametrize("dense", [[], [2], [1, 2]])
def test_frequent_terms_are_not_added_up_when_they_cannot_matter(dense: list[int]) -> None:
    met, kept, exact = finalists([2, 0, 1], 20, NO_LIMIT, dense)
    assert met == 300, "only the rare term's documents were met"
    assert kept == sorted(kept)
    assert 20 <= len(kept) < 40
    totals = np.zeros(DOCUMENTS, np.float32)
    held = postings()
    for term in (2, 0, 1):
        at = slice(held.bounds[term], held.bounds[term + 1])
        totals[held.documents[at]] += held.scores[at]
    assert exact.tolist() == totals[kept].tolist()
    best = np.argsort(-totals, kind="stable")[:20]
    assert set(best.tolist()) <= set(kept)


def test_terms_that_matter_are_added_up() -> None:
    met, kept, _ = finalists([1, 2], 4000, NO_LIMIT, [])
    assert met == DOCUMENTS
    assert len(kept) >= 4000


def test_what_would_cost_more_than_adding_up_is_left_to_that() -> None:
    assert finalists([0, 1, 2], 20, 100.0, [])[1] == [-1]


def test_no_terms_have_no_finalists() -> None:
    assert finalists([], 20, NO_LIMIT, [])[:2] == (0, [])


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from([0.02, 0.2, 0.7]), st.booleans())
def test_the_best_are_among_the_finalists_with_the_bits_of_adding_up(
    seed: int, depth: int, share: float, coarse: bool
) -> None:
    source = np.random.default_rng(seed)
    terms, documents = int(source.integers(1, 12)), int(source.integers(1, 400))
    shares = np.minimum(1.0, share * source.exponential(1.0, (terms, 1)))
    matrix = source.random((terms, documents)) * source.exponential(1.0, (terms, 1))
    if coarse:  # many ties
        matrix = np.ceil(matrix * 3) / 4
    matrix = np.where(source.random((terms, documents)) < shares, matrix, 0).astype(np.float32)
    held = postings_of([np.flatnonzero(row) for row in matrix], [row[row > 0] for row in matrix])
    query = source.integers(0, terms, size=source.integers(0, 15)).tolist()
    totals = np.zeros(documents, np.float32)
    for term in query:
        totals += matrix[term]
    best = [row for row in rank_order(totals, np.arange(documents))[:depth].tolist() if totals[row] > 0]
    for dense in ([], [term for term in range(terms) if (matrix[term] > 0).mean() > 0.3]):
        _, kept, exact = finalists(query, depth, NO_LIMIT, dense, held, documents)
        assert set(best) <= set(kept)
        assert kept == sorted(set(kept))
        assert exact.tolist() == totals[kept].tolist()
