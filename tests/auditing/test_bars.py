"""Where the positive stands, and how many documents stand above it, worked out by hand."""

from collections.abc import Callable

import numpy as np

from pyrite.auditing import Sightings, bars_of
from pyrite.auditing.sightings import NOWHERE

Look = Callable[..., Sightings]


def test_the_bar_is_the_best_positive_or_the_lowest(look: Look) -> None:
    logits = {("q2", "p2"): 3.0, ("q2", "d6"): 5.0, ("q2", "d4"): 4.0, ("q2", "d5"): 5.0}
    seen = look({"q2": ["d4", "p2", "d5", "d6"]}, logits=logits)
    best, lowest = bars_of(seen), bars_of(seen, "lowest")
    assert (best.logit[2], lowest.logit[2]) == (5.0, 3.0)
    assert (seen.document[best.row[2]], seen.document[lowest.row[2]]) == (6, 2)
    assert (best.above[2], lowest.above[2]) == (0, 2), "a tie is not above"
    assert (best.rank[0, 2], lowest.rank[0, 2]) == (2, 4)


def test_of_two_positives_with_one_logit_the_earlier_is_the_bar(look: Look) -> None:
    seen = look(logits={("q2", "p2"): 3.0, ("q2", "d6"): 3.0})
    assert seen.document[bars_of(seen).row[2]] == 2
    assert seen.document[bars_of(seen, "lowest").row[2]] == 2


def test_without_logits_the_system_that_ranks_the_positive_best_says_how_many_are_above(look: Look) -> None:
    seen = look({"q0": ["d4", "d6", "p0"], "q1": ["d4"]}, {"q0": ["d5", "p0"], "q1": ["d5", "d6"]})
    bars = bars_of(seen)
    assert np.isnan(bars.logit).all()
    assert bars.rank[:, 0].tolist() == [3, 2]
    assert bars.rank[:, 1].tolist() == [NOWHERE, NOWHERE]
    assert bars.above.tolist() == [1, 1, -1, -1], "q2 is searched by nobody, and q3 has no positive"


def test_a_system_that_has_no_ranking_for_a_query_says_nothing_of_it(look: Look) -> None:
    assert bars_of(look({"q0": ["d4", "d6", "p0"]}, {"q1": ["p1"]})).above.tolist() == [2, 0, -1, -1]
