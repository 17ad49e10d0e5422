"""What must not go on unseen: settings that cannot be met, numbers that are no logits, labels that were squashed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, RecipeError, TextPairs
from pyrite.mining.select import SelectRules

TIES_FROM = 1000
"""Ties at an extreme mean something from so many distinct pairs on."""

TIES_SHARE = 0.01


def check_rules(rules: SelectRules, *, depths: tuple[int, ...]) -> None:
    """RecipeError for rules that no row could meet, whatever the data.

    Args:
        rules: of the selection; its `depth` is the teacher's.
        depths: how deep each retriever searches.
    """
    deepest, offered = max(depths, default=0), sum(depths)
    if rules.num_negatives > offered:
        raise RecipeError(
            f"select.num_negatives is {rules.num_negatives} and the retrievers find {offered} documents a query",
            fix="raise retriever.depth, or ask for fewer negatives",
        )
    if rules.depth > deepest:
        raise RecipeError(
            f"teacher.depth is {rules.depth} and no retriever searches deeper than {deepest}",
            fix="raise retriever.depth, or lower teacher.depth",
        )
    if rules.range_max is not None:
        window = min(rules.range_max, deepest) - rules.range_min
        if window * len(depths) < rules.num_negatives:
            raise RecipeError(
                f"ranks {rules.range_min + 1} to {min(rules.range_max, deepest)} hold {max(window, 0) * len(depths)} "
                f"documents and select.num_negatives is {rules.num_negatives}",
                fix="widen select.range_min and select.range_max, or ask for fewer negatives",
            )
    elif (deepest - rules.range_min) * len(depths) < rules.num_negatives:
        raise RecipeError(
            f"select.range_min is {rules.range_min}, the retrievers search to rank {deepest} and select.num_negatives "
            f"is {rules.num_negatives}",
            fix="lower select.range_min, or raise retriever.depth",
        )
    if rules.max_score is not None and rules.min_score is not None and rules.min_score > rules.max_score:
        raise RecipeError(
            f"select.min_score is {rules.min_score}, above select.max_score = {rules.max_score}",
            fix="no logit can be both",
        )


def checked_logits(logits: NDArray[np.floating], pairs: TextPairs, *, teacher: str) -> NDArray[np.float32]:
    """The teacher's logits as float32, one a pair; DataError that names the pair where one is no finite number."""
    numbers = np.asarray(logits)
    if numbers.shape != (len(pairs),):
        raise DataError(f"the teacher gave an array of shape {numbers.shape} for {len(pairs):,} pairs", where=teacher)
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    wrong = np.flatnonzero(~np.isfinite(single))
    if len(wrong):
        row = int(wrong[0])
        query = pairs.queries.ids[int(pairs.query_positions[row])].as_py()
        document = pairs.corpus.ids[int(pairs.doc_positions[row])].as_py()
        more = f" ({len(wrong):,} of {len(pairs):,} pairs are like this)" if len(wrong) > 1 else ""
        raise DataError(
            f"the logit of query '{query}' and document '{document}' is {single[row]}{more}",
            where=teacher,
            fix="score it again, in float32 where it overflows",
        )
    return single


def refuse_squashed(logits: NDArray[np.float32], *, allow: bool, teacher: str) -> None:
    """DataError where every logit lies within [-1, 1]: a sigmoid or a cosine, of which a softmax keeps nothing.

    >>> refuse_squashed(np.array([0.99, 0.01], np.float32), allow=False, teacher="toy")
    Traceback (most recent call last):
    pyrite.core.errors.DataError: toy: all 2 logits lie within [-1, 1], as after a sigmoid; score without an \
activation, give a cosine a scale, or set select.allow_squashed = true.
    """
    if len(logits) and not allow and float(np.abs(logits).max()) <= 1.0:
        raise DataError(
            f"all {len(logits):,} logits lie within [-1, 1], as after a sigmoid",
            where=teacher,
            fix="score without an activation, give a cosine a scale, or set select.allow_squashed = true",
        )


def coarse_labels(logits: NDArray[np.float32]) -> tuple[str, ...]:
    """Sentences on what rounding did to the logits of distinct pairs; none where nothing shows.

    >>> coarse_labels(np.array([0.5, 0.25], np.float32))
    ('every logit is a float16 number: the teacher ran in half precision, and close candidates may tie',)
    """
    found = []
    with np.errstate(over="ignore"):
        half = logits.astype(np.float16).astype(np.float32)
    if len(logits) and np.array_equal(half, logits):
        found.append("every logit is a float16 number: the teacher ran in half precision, and close candidates may tie")
    if len(logits) >= TIES_FROM:
        for name, extreme in (("highest", logits.max()), ("lowest", logits.min())):
            ties = int((logits == extreme).sum())
            if ties > TIES_SHARE * len(logits):
                found.append(
                    f"{ties:,} of {len(logits):,} pairs have the {name} logit, {float(extreme):g}, exactly: the scores "
                    "are saturated there"
                )
    return tuple(found)
