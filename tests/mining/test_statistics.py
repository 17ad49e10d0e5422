"""Statistics that add up, or are refused."""

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.mining import (
    FilterRules,
    LabelStatistics,
    MiningStatistics,
    Rows,
    SelectRules,
    filter_rows,
    mining_statistics,
    select,
    select_entry,
    tuples_of,
)


def mined(make_pool, keep_short):
    hits = [("p", 1, 9.0), ("w", 2, 1.0), ("m", 3, 5.0), ("a", 4, 0.0), ("b", 5, 3.0)]
    pool = make_pool({"q": hits})
    rows = Rows(np.zeros(3, np.int64), np.array([0, 1, 2]), np.array([True, True, True, False, False]))
    selection = select(pool, rows, SelectRules(num_negatives=2, positive_min=2.0, absolute_margin=4.0, depth=4))
    labels = tuples_of(selection, pool, rows, selection.full).labels()
    filtered = filter_rows(labels, FilterRules())
    return mining_statistics(selection, filtered, labels, input_rows=4, logits=pool.logit, keep_short=keep_short)


def test_rows_by_fate_negatives_by_origin_and_labels_are_counted(make_pool):
    """O15: counts are rows, not slots."""
    told = mined(make_pool, keep_short=False)
    assert (told.pairs, told.weak_positive, told.too_few_candidates, told.margin_only, told.extended) == (3, 1, 1, 1, 1)
    assert told.origins == {"margin": 1, "extended": 1, "top-up": 0}
    assert told.labels == LabelStatistics.of(np.array([[9.0, 0.0, 3.0]], np.float32))
    assert told.to_json()["margin"] == [6.0, 6.0, 6.0, 6.0]
    assert told.all_logits.to_json() == [0.0, 3.0, 3.6, 9.0]
    entry = select_entry(told)
    assert (entry.rows_in, entry.rows_out, dict(entry.dropped)) == (3, 1, {"weak positive": 1, "too few candidates": 1})


def test_short_rows_that_are_kept_are_a_class_of_their_own(make_pool):
    told = mined(make_pool, keep_short=True)
    assert (told.short, told.too_few_candidates) == (1, 0)
    assert select_entry(told).rows_out == 2
    assert "1 of the rows kept are short" in select_entry(told).notes[0]


def test_numbers_that_do_not_add_up_are_a_bug_that_is_told(make_pool):
    told = vars(mined(make_pool, keep_short=False))
    with pytest.raises(DataError, match="rows by fate are 3 and add up to 4"):
        MiningStatistics(**{**told, "weak_positive": 2})
    with pytest.raises(DataError, match="rows by verdict"):
        MiningStatistics(**{**told, "filtered": {"valid": 2}})


def test_no_rows_have_statistics_of_zero():
    assert LabelStatistics.of(np.empty((0, 3), np.float32)).to_json()["positive_logit"] == [0.0] * 4
