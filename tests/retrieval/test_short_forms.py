"""The grammar of short forms: what is written is read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrite.core import RecipeError
from pyrite.retrieval.short_forms import read_value, split, unwrapped, write_value


def test_brackets_and_quotes_keep_separators() -> None:
    assert split('a,(b,(c,d)),"e,\\",f",g', ",") == ["a", "(b,(c,d))", '"e,\\",f"', "g"]
    assert split("bm25+(dense:a+b)", "+") == ["bm25", "(dense:a+b)"]


@pytest.mark.parametrize("text", ["(a", "a)", '"a', "a)(b"])
def test_half_a_bracket_or_quote_is_refused(text: str) -> None:
    with pytest.raises(RecipeError, match="without its other half"):
        split(text, ",")


def test_only_brackets_around_the_whole_are_taken_off() -> None:
    assert unwrapped(" (dense:m,max_length=3) ") == "dense:m,max_length=3"
    assert unwrapped("(a)+(b)") == "(a)+(b)"


@given(st.text())
def test_any_value_is_read_back_as_it_was_written(value: str) -> None:
    for key in ("prompt", "name"):
        written = write_value(value)
        assert split(f"{key}={written}", ",") == [f"{key}={written}"]
        assert read_value(key, written) == value


def test_a_broken_quote_is_refused() -> None:
    with pytest.raises(RecipeError, match="not one quoted text"):
        read_value("prompt", '"a" b')
