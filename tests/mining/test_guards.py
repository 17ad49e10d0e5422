"""What a miner must not pass over."""

import numpy as np
import pytest

from pyrite.core import Corpus, DataError, Document, Queries, Query, RecipeError, TextPairs
from pyrite.mining import SelectRules, check_rules, checked_logits, coarse_labels, refuse_squashed


def rules(**changes):
    return SelectRules(**{"num_negatives": 5, "positive_min": 2.0, "depth": 50, **changes})


@pytest.mark.parametrize(
    ("changes", "depths", "told"),
    [
        ({"num_negatives": 11, "depth": 10}, (10,), "num_negatives is 11 and the retrievers find 10"),
        ({"depth": 80}, (50, 60), "teacher.depth is 80 and no retriever searches deeper than 60"),
        ({"range_min": 10, "range_max": 12}, (100,), "ranks 11 to 12 hold 2 documents"),
        ({"range_min": 97}, (100,), "range_min is 97, the retrievers search to rank 100"),
        ({"range_min": 20, "range_max": 10}, (100,), "hold 0 documents"),
        ({"min_score": 2.0, "max_score": 1.0}, (100,), "min_score is 2.0, above"),
    ],
)
def test_a_setting_that_cannot_be_met_is_refused_with_its_numbers(changes, depths, told):
    """O04."""
    with pytest.raises(RecipeError, match=told):
        check_rules(rules(**changes), depths=depths)


def test_settings_that_can_be_met_pass():
    check_rules(rules(range_min=1, range_max=6, depth=6), depths=(6,))
    check_rules(rules(num_negatives=8, depth=5), depths=(5, 5))


def pairs(count):
    places = np.arange(count, dtype=np.int32)
    queries = Queries.of([Query(f"q{place}", "?") for place in range(count)])
    return TextPairs(queries, Corpus.of([Document(f"d{place}", "text") for place in range(count)]), places, places)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_logit_that_is_no_number_stops_with_the_ids_of_its_pair(value):
    with pytest.raises(DataError, match="query 'q1' and document 'd1'"):
        checked_logits(np.array([1.0, value], np.float32), pairs(2), teacher="toy")


def test_a_logit_beyond_float32_is_told_and_a_wrong_shape_too():
    with pytest.raises(DataError, match="query 'q0' and document 'd0' is inf"):
        checked_logits(np.array([1e39]), pairs(1), teacher="toy")
    with pytest.raises(DataError, match=r"shape \(2, 1\) for 2 pairs"):
        checked_logits(np.zeros((2, 1)), pairs(2), teacher="toy")


def test_sigmoid_labels_are_refused_and_logits_pass():
    """O17: a sigmoid in bfloat16 makes one number of 12, 14 and 16."""
    with pytest.raises(DataError, match="all 3 logits lie within"):
        refuse_squashed(np.ones(3, np.float32), allow=False, teacher="toy")
    refuse_squashed(np.ones(3, np.float32), allow=True, teacher="toy")
    refuse_squashed(np.array([0.5, -1.5], np.float32), allow=False, teacher="toy")


def test_half_precision_and_saturation_are_told():
    """O17."""
    assert coarse_labels(np.array([0.1, 3.0], np.float32)) == ()
    assert "float16" in coarse_labels(np.array([0.5, 3.0], np.float32))[0]
    chance = np.random.default_rng(0)
    numbers = chance.normal(size=2000).astype(np.float32)
    assert coarse_labels(numbers) == ()
    numbers[:21] = 30.1
    assert coarse_labels(numbers) == (
        "21 of 2,000 pairs have the highest logit, 30.1, exactly: the scores are saturated there",
    )
    assert coarse_labels(numbers[:999]) == ()
