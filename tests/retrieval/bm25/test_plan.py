import numpy as np

from pyrite.retrieval.bm25.plan import Asked, plan
from pyrite.retrieval.bm25.postings import Postings

HIGHEST = np.array([1.0, 3.0, 2.0, 0.0], np.float32)
POSTINGS = Postings(np.arange(5), np.zeros(4, np.int32), HIGHEST, HIGHEST)


def test_a_plan_takes_what_can_give_most_first_and_counts_repeats() -> None:
    planned = plan(Asked(np.array([0, 1, 0, 2, 2, 1], np.int32), np.array([0, 5, 5, 6])), POSTINGS)
    assert planned.terms.tolist() == [2, 1, 0, 1]
    assert planned.repeats.tolist() == [2, 1, 2, 1]
    assert planned.most.tolist() == [4.0, 3.0, 2.0, 3.0]
    assert planned.bounds.tolist() == [0, 3, 3, 4]


def test_a_term_that_gives_nothing_is_not_taken() -> None:
    planned = plan(Asked(np.array([3, 0, 3], np.int32), np.array([0, 2, 3])), POSTINGS)
    assert (planned.terms.tolist(), planned.bounds.tolist()) == ([0], [0, 1, 1])


def test_no_queries_have_no_plan() -> None:
    planned = plan(Asked(np.zeros(0, np.int32), np.zeros(1, np.int64)), POSTINGS)
    assert (len(planned.terms), planned.bounds.tolist()) == (0, [0])
