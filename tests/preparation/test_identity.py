"""When two texts are the same."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.preparation import blank, digest_numbers, digests, normalise


def _same(first: str, second: str, identical: str) -> bool:
    both = digests(pa.array([first, second], pa.large_string()), identical)
    return bool((both[0] == both[1]).all())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Fool's gold", "fool's gold"),
        ("gold", " gold\t"),
        ("two  words", "two words"),
        ("caf\u00e9", "cafe\u0301"),
        ("ＡＢＣ", "abc"),
        ("stra\u00dfe", "STRASSE"),
    ],
)
def test_another_case_space_or_unicode_form_is_the_same_only_when_normalised(first: str, second: str) -> None:
    assert _same(first, second, "normalised")
    assert not _same(first, second, "exact")


def test_different_texts_of_a_script_without_ascii_stay_different() -> None:
    """O57: an ASCII-only view would make both empty."""
    assert not _same("黄铁矿是一种矿物", "黄金是一种元素", "normalised")


def test_a_sliced_column_is_digested_from_its_own_rows() -> None:
    whole = pa.array(["a", "b", "c", "b"], pa.large_string())
    assert (digests(whole.slice(1))[0] == digests(whole)[1]).all()
    assert (digests(whole.slice(1))[2] == digests(whole)[3]).all()


def test_no_text_is_no_digest_row_and_no_error() -> None:
    assert digests(pa.array([], pa.large_string())).shape == (0, 2)


def test_digests_come_back_from_a_column_as_they_went_in() -> None:
    made = digests(pa.array(["a", "b", "c"]))
    column = pa.array([row.tobytes() for row in made], pa.binary(16), mask=np.array([False, True, False]))
    assert digest_numbers(column).tolist() == [made[0].tolist(), [0, 0], made[2].tolist()]
    assert digest_numbers(column.slice(2)).tolist() == [made[2].tolist()]
    assert digest_numbers(column.slice(3)).shape == (0, 2)


def test_blank_is_missing_empty_or_any_unicode_space() -> None:
    column = pa.array([None, "", "\u00a0", "\u3000\n", "0"], pa.large_string())
    assert blank(column).tolist() == [True, True, True, True, False]


def test_normalising_twice_changes_nothing() -> None:
    text = "  ﬁne\u00a0GOLD  ẞ "
    assert normalise(normalise(text)) == normalise(text) == "fine gold ss"
