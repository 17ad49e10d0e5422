import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import rank_order
from pyrite.retrieval.bm25.ranking import rank


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
