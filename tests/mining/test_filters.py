"""The quality score, beside the published definition of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyrite.mining import VERDICTS, FilterRules, filter_rows


def published(labels, pos_min, margin_min, penalty):
    """The definition of the published set, on float64."""
    p, neg = labels[:, 0], labels[:, 1:]
    max_n, mean_n = neg.max(axis=1), neg.mean(axis=1)
    margin = p - max_n
    fn_mask = margin <= 0
    weak_mask = (~fn_mask) & (p < pos_min)
    border_mask = (~fn_mask) & (~weak_mask) & (margin < margin_min)
    valid_mask = (~fn_mask) & (~weak_mask) & (~border_mask)
    return np.where(valid_mask, mean_n - penalty * margin, -np.inf), (fn_mask, weak_mask, border_mask)


@given(hnp.arrays(np.float32, st.tuples(st.integers(1, 20), st.integers(2, 6)), elements=st.floats(-9, 9, width=32)))
def test_scores_and_verdicts_are_those_of_the_published_definition(labels):
    scores, masks = published(labels.astype(np.float64), 2.0, 0.5, 0.1)
    filtered = filter_rows(labels, FilterRules())
    assert np.array_equal(filtered.quality, scores)
    for place, mask in enumerate(masks, start=1):
        assert np.array_equal(filtered.verdict == place, mask)
    assert filtered.entry.rows_out == len(filtered.kept) == int(np.isfinite(scores).sum())
    # Best first; equal scores stay in the order of the rows.
    assert filtered.kept.tolist() == sorted(np.flatnonzero(np.isfinite(scores)), key=lambda row: (-scores[row], row))


def test_each_threshold_is_a_rule_of_its_own_and_a_bound_is_inside():
    labels = np.array([[2.0, 1.5], [1.75, -5.0], [2.0, 1.75], [2.0, 2.0]], np.float32)
    filtered = filter_rows(labels, FilterRules(positive_min=2.0, margin_min=0.5, margin_penalty=0.0))
    assert [VERDICTS[verdict] for verdict in filtered.verdict] == [
        "valid", "weak positive", "borderline", "false negative",
    ]  # fmt: skip
    assert filtered.entry.dropped == {"false negative": 1, "weak positive": 1, "borderline": 1}
