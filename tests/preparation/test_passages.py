"""Passages are numbered once each, by digest and by likeness."""

import numpy as np
import pyarrow as pa

from pyrite.preparation import Numbered, Passages, blank, digests, signatures

TEXTS = [
    "one two three four five six seven eight nine ten eleven twelve",
    "another passage about something else entirely, which is long enough",
    "One two three four five six seven eight nine ten eleven twelve!",
    "",
    "one two three four five six seven eight nine ten eleven twelve",
    "one two three four five six seven eight nine ten eleven thirteen",
]


def _number(passages: Passages, texts: list[str], near: float | None = None) -> Numbered:
    column = pa.array(texts, pa.large_string())
    signed = [signatures(column, threshold=near)] if near is not None else []
    return passages.number(digests(column), blank(column), signed)


def test_without_likeness_only_the_same_text_is_merged() -> None:
    rows = _number(Passages(), TEXTS)
    assert rows.numbers.tolist() == [0, 1, 2, -1, 0, 3]
    assert rows.first.tolist() == [True, True, True, False, False, True]
    assert not rows.near.any()


def test_near_duplicates_take_the_number_of_the_passage_kept_before_them() -> None:
    passages = Passages(near=0.7)
    rows = _number(passages, TEXTS, 0.7)
    # The last one shares 7 of 9 distinct shingles with the first: 0.78.
    assert rows.numbers.tolist() == [0, 1, 0, -1, 0, 0]
    assert rows.near.tolist() == [False, False, True, False, False, True]
    assert len(passages) == len(passages.digests()) == 2


def test_a_later_copy_of_a_near_duplicate_is_near_too() -> None:
    passages = Passages(near=0.7)
    _number(passages, TEXTS, 0.7)
    rows = _number(passages, [TEXTS[5], TEXTS[4], "something new, of a few words"], 0.7)
    assert rows.numbers.tolist() == [0, 0, 2]
    assert rows.near.tolist() == [True, False, False]


def test_batches_change_nothing() -> None:
    whole, parts = Passages(near=0.7), Passages(near=0.7)
    expected = _number(whole, TEXTS, 0.7)
    got = [_number(parts, TEXTS[start : start + 2], 0.7) for start in range(0, 6, 2)]
    assert np.concatenate([rows.numbers for rows in got]).tolist() == expected.numbers.tolist()
    assert np.concatenate([rows.near for rows in got]).tolist() == expected.near.tolist()


def test_parts_of_a_table_number_as_the_whole_whatever_likeness_does() -> None:
    chance = np.random.default_rng(2)
    rows = chance.integers(0, 3_000, (9_000, 1)).repeat(2, axis=1).astype(np.uint64)
    empty = chance.random(9_000) < 0.01
    whole, parts = Passages(), Passages()
    once = whole.number(rows, empty)
    told = [parts.number(part, gone) for part, gone in zip(np.split(rows, 9), np.split(empty, 9), strict=True)]
    assert np.concatenate([one.numbers for one in told]).tolist() == once.numbers.tolist()
    assert np.concatenate([one.first for one in told]).tolist() == once.first.tolist()
    assert once.texts.tolist() == once.numbers.tolist()
    assert not once.near.any()
    assert (once.first.sum(), len(whole.digests())) == (len(whole), len(parts))
