import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import rank_order
from pyrite.retrieval.bm25.ranking import BINS, floor_of, rank, rank_all, reached


def ranked(scores: list[float], depth: int) -> list[tuple[int, float]]:
    scored, which = np.array(scores, np.float32), np.arange(len(scores), dtype=np.int32) * 3
    best, documents = np.zeros(depth, np.float32), np.zeros(depth, np.int32)
    count = rank(scored, which, best, documents)
    return list(zip(documents[:count].tolist(), best[:count].tolist(), strict=True))


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), max_size=40), st.integers(1, 12))
def test_the_order_is_that_of_the_core_and_zero_is_no_hit(scores: list[float], depth: int) -> None:
    order = rank_order(np.array(scores), np.arange(len(scores)))
    expected = [(int(row) * 3, scores[row]) for row in order if scores[row] > 0]
    assert ranked(scores, depth) == expected[:depth]


def test_equal_scores_at_the_cut_go_to_the_first_documents() -> None:
    """O44."""
    assert [document for document, _ in ranked([1.0] * 6, 5)] == [0, 3, 6, 9, 12]


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32), st.integers(0, 900), st.integers(1, 60), st.booleans())
def test_all_documents_are_ranked_as_by_the_core(seed: int, size: int, depth: int, coarse: bool) -> None:
    source = np.random.default_rng(seed)
    totals = np.where(source.random(size) < source.random(), source.exponential(1.0, size), 0).astype(np.float32)
    if coarse:  # many ties
        totals = np.ceil(totals * 2).astype(np.float32)
    scores, documents = np.zeros(depth, np.float32), np.zeros(depth, np.int32)
    count = rank_all(totals, np.zeros(BINS, np.int32), np.zeros(size + 1, np.int32), scores, documents)
    expected = [row for row in rank_order(totals, np.arange(size)).tolist() if totals[row] > 0][:depth]
    assert documents[:count].tolist() == expected
    assert scores[:count].tolist() == totals[expected].tolist()


@settings(deadline=None)
@given(st.lists(st.floats(0, 10, width=32), min_size=1), st.integers(1, 20))
def test_a_floor_is_reached_by_as_many_as_were_asked_for(scores: list[float], depth: int) -> None:
    held = np.array(scores, np.float32)
    floor = floor_of(held, depth, held.max(), np.zeros(BINS, np.int32))
    assert floor == 0 or (held >= floor * (1 - 2.0**-22)).sum() >= depth


def test_the_bin_that_is_reached_is_the_highest_that_holds_enough() -> None:
    bins = np.zeros(BINS, np.int32)
    bins[[0, 5, 9]] = [7, 2, 1]
    assert [reached(bins, depth) for depth in (1, 2, 3, 4)] == [9, 5, 5, 0]
