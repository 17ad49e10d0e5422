"""Which training passages become distractors, worked out by hand."""

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.preparation import DistractorChoice, Passages, priorities


def _digests(*values: int) -> np.ndarray:
    return np.array([[value, value * 7] for value in values], dtype=np.uint64)


def _choice(count: int | str, choose: str = "first", seed: int = 0) -> DistractorChoice:
    passages = Passages()
    passages.number(_digests(1, 2), np.zeros(2, bool))
    choice = DistractorChoice(passages, count=count, choose=choose, seed=seed)
    choice.passages = passages
    return choice


def _add(choice: DistractorChoice, *values: int | None) -> None:
    empty = np.array([value is None for value in values])
    choice.add(choice.passages.number(_digests(*(value or 0 for value in values)), empty))


def test_the_first_k_are_distinct_and_no_gold_passage_is_among_them() -> None:
    choice = _choice(2)
    _add(choice, 2, 5, 5, None)
    _add(choice, 6, 1, 7, 5)
    assert choice.rows().tolist() == [1, 4]
    # gold 1 and 2 are positions 0 and 1; distractors 5 and 6 are 2 and 3; 7 is past the count.
    assert choice.in_corpus().tolist() == [1, 2, 2, -1, 3, 0, -1, 2]
    entry = choice.entry()
    assert (entry.rows_in, entry.rows_out) == (8, 2)
    assert dict(entry.dropped) == {
        "empty passage": 1,
        "identical to a gold passage": 2,
        "identical to an earlier passage": 2,
        "beyond the count": 1,
    }


def test_all_takes_every_distinct_passage() -> None:
    choice = _choice("all")
    _add(choice, 9, 8, 9, 1)
    assert choice.rows().tolist() == [0, 1]


def test_too_few_passages_stop_the_build_and_say_how_many_there_are() -> None:
    choice = _choice(3)
    _add(choice, 5, 6, 1)
    with pytest.raises(DataError, match=r"3 distractors are wanted and the training table has 2 distinct"):
        choice.rows()


def test_a_random_sample_is_the_same_whatever_the_shards_and_differs_by_seed() -> None:
    values = list(range(10, 200))
    whole, halves, other = _choice(20, "random", 4), _choice(20, "random", 4), _choice(20, "random", 5)
    _add(whole, *values)
    _add(halves, *values[:70])
    _add(halves, *values[70:])
    _add(other, *values)
    assert whole.rows().tolist() == halves.rows().tolist()
    assert whole.rows().tolist() == sorted(whole.rows().tolist())
    assert whole.rows().tolist() != other.rows().tolist()


def test_every_sampled_passage_was_under_the_threshold_of_its_time() -> None:
    """The reader keeps only texts under the threshold: a sampled one must never have been above it."""
    choice = _choice(5, "random")
    kept: set[int] = set()
    for start in range(10, 210, 10):
        values = range(start, start + 10)
        threshold = choice.threshold()
        for value in values:
            if threshold is None or priorities(_digests(value), 0)[0] <= threshold:
                kept.add(value)
        _add(choice, *values)
    assert {10 + row for row in choice.rows().tolist()} <= kept
    assert len(kept) < 200


def test_once_the_first_k_are_found_no_later_text_is_needed() -> None:
    choice = _choice(2)
    _add(choice, 5)
    assert choice.threshold() is None
    _add(choice, 6)
    assert choice.threshold() == 0


def test_a_choice_from_outside_decides_the_order_and_its_reasons_add_up() -> None:
    choice = _choice("all")
    _add(choice, 5, 1, 6, 7, 6)
    choice.take(np.array([2, 0]), {"guarded": 1})
    assert choice.rows().tolist() == [3, 0]
    assert choice.in_corpus().tolist() == [3, 0, -1, 2, -1]
    entry = choice.entry()
    assert (entry.rows_in, entry.rows_out) == (5, 2)
    assert dict(entry.dropped) == {
        "identical to a gold passage": 1,
        "identical to an earlier passage": 1,
        "guarded": 1,
    }
