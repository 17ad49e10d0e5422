"""Selected rows as tuples."""

import numpy as np

from pyrite.core import TrainingTuple
from pyrite.mining import Rows, SelectRules, negative_places, select, tuples_of


def test_rows_come_with_their_texts_and_logits_in_the_asked_order(make_pool):
    pool = make_pool(
        {"q0": [("p", 1, 9.0), ("a", 2, 1.0), ("b", 3, 2.0)], "q1": [("b", 1, 8.0), ("a", 2, 0.5), ("p", 3, 0.25)]}
    )
    rows = Rows(np.array([0, 1]), np.array([0, 3]), np.array([True, False, False, True, False, False]))
    selection = select(pool, rows, SelectRules(num_negatives=2, positive_min=0.0))
    tuples = tuples_of(selection, pool, rows, np.array([1, 0]))
    assert list(tuples) == [
        TrainingTuple("q1?", "text of b", ("text of a", "text of p"), (8.0, 0.5, 0.25)),
        TrainingTuple("q0?", "text of p", ("text of b", "text of a"), (9.0, 2.0, 1.0)),
    ]
    assert negative_places(selection, np.array([1])).tolist() == [2, 3]
    assert len(tuples_of(selection, pool, rows, np.empty(0, np.int64))) == 0
