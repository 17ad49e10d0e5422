"""Every pair once, with what each system, the qrels and the teacher say of it."""

from collections.abc import Callable

import numpy as np
import pytest

from pyrite.auditing import NearPairs, Ranked, Sightings, sight
from pyrite.auditing.sightings import NOWHERE
from pyrite.core import Collection, DataError, Run

Look = Callable[..., Sightings]


def pairs(seen: Sightings) -> list[tuple[str, str]]:
    ids = seen.collection.queries.ids.to_pylist(), seen.collection.corpus.ids.to_pylist()
    return [(ids[0][q], ids[1][d]) for q, d in zip(seen.query.tolist(), seen.document.tolist(), strict=True)]


def test_pairs_are_those_found_judged_or_near_by_query_then_document(look: Look) -> None:
    seen = look({"q0": ["d4", "p0"]}, {"q0": ["d4"], "q3": ["d5"]}, near=NearPairs.of([(0, 3, 0, True)]))
    assert pairs(seen) == [
        *(("q0", doc) for doc in ("p0", "d3", "d4", "d5")),
        *(("q1", "p1"), ("q2", "p2"), ("q2", "d6"), ("q3", "d5")),
    ]
    assert seen.offsets.tolist() == [0, 4, 5, 7, 8]
    assert seen.rank.tolist() == [
        [2, NOWHERE, 1, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE],
        [NOWHERE, NOWHERE, 1, NOWHERE, NOWHERE, NOWHERE, NOWHERE, 1],
    ]
    assert seen.score[0, 2] == 9.0
    assert np.isnan(seen.score[1, 0])


def test_judged_zero_is_judged_and_no_positive(look: Look) -> None:
    seen = look()
    told = dict(zip(pairs(seen), zip(seen.judged.tolist(), seen.positive.tolist(), strict=True), strict=True))
    assert told[("q0", "d5")] == (True, False)
    assert told[("q2", "d6")] == (True, True)


def test_only_the_first_ranks_are_looked_at(look: Look) -> None:
    assert ("q3", "d5") in pairs(look({"q3": ["d4", "d5"]}, depth=2))
    assert ("q3", "d5") not in pairs(look({"q3": ["d4", "d5"]}, depth=1))


def test_hits_that_the_collection_lacks_are_left_out(minerals: Collection) -> None:
    run = Run.of("other", {"q0": [("elsewhere", 3.0), ("d4", 2.0)], "q9": [("d4", 1.0)]})
    ranked = Ranked.of(run, minerals, depth=10)
    assert (ranked.query.tolist(), ranked.document.tolist(), ranked.rank.tolist()) == ([0], [4], [2])


def test_a_pair_that_is_not_there_is_found_nowhere(look: Look) -> None:
    seen = look({"q0": ["d4"]})
    assert seen.find(np.array([0, 3]), np.array([4, 4])).tolist()[1] == -1
    assert seen.document[seen.find(np.array([0]), np.array([4]))].tolist() == [4]


def test_logits_are_one_a_pair(look: Look, minerals: Collection) -> None:
    with pytest.raises(DataError, match=r"logits of shape \(2,\)"):
        sight(minerals, [], NearPairs.of([])).with_logits(np.zeros(2, np.float32))
