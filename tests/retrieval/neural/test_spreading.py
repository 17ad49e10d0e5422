"""Documents of one text share its score and are ranked by position."""

import numpy as np

from pyrite.retrieval.neural.spreading import spread
from pyrite.retrieval.search import Hits


def hits(*rows: list[tuple[int, float]]) -> Hits:
    width = max(len(row) for row in rows)
    scores, positions = np.zeros((len(rows), width), np.float32), np.zeros((len(rows), width), np.int32)
    for query, row in enumerate(rows):
        for place, (text, score) in enumerate(row):
            positions[query, place], scores[query, place] = text, score
    return Hits(scores, positions, np.array([len(row) for row in rows]))


def test_each_hit_stands_for_all_documents_with_its_text() -> None:
    # Texts: 0 at 0 and 3; 1 at 1; 2 at 2, 4 and 5.
    spread_out = spread(hits([(2, 9.0), (0, 1.0)], [(1, 5.0)]), np.array([0, 1, 2, 0, 2, 2]), 4)
    assert spread_out.positions[0].tolist() == [2, 4, 5, 0]
    assert spread_out.scores[0].tolist() == [9, 9, 9, 1]
    assert spread_out.counts.tolist() == [4, 1]


def test_two_texts_of_one_score_are_ordered_by_the_documents_positions() -> None:
    # Text 0 is at 0 and 3, text 1 at 1 and 2.
    spread_out = spread(hits([(0, 1.0), (1, 1.0)]), np.array([0, 1, 1, 0]), 4)
    assert spread_out.positions.tolist() == [[0, 1, 2, 3]]
