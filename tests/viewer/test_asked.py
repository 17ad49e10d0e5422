"""Addresses: what they ask for, and how they are written."""

from __future__ import annotations

import pytest

from pyrite.viewer.asked import Asked, NotThereError, Span, url


def test_what_is_asked_is_checked() -> None:
    asked = Asked.of("s=1&s=3&order=lowest&find=%D8%A7+b&page=")
    assert asked.numbers("s") == [1, 3]
    assert asked.choice("order", ["near", "lowest"]) == "lowest"
    assert asked.choice("find", ["near", "lowest"]) == "near"
    assert (asked.text("find"), asked.number("page", 7), asked.numbers("t")) == ("ا b", 7, [])
    assert asked.among("set", ["only"]) == "only"


@pytest.mark.parametrize("value", ["-1", "1.5", "x", "٣", "9" * 16, "../1"])
def test_what_is_no_number_is_not_there(value: str) -> None:
    asked = Asked.of(url("", set=value).removeprefix("?"))
    with pytest.raises(NotThereError, match="is no number"):
        asked.number("set")


def test_a_thing_of_too_great_a_number_is_not_there() -> None:
    with pytest.raises(NotThereError, match="there is no set 1"):
        Asked.of("set=1").among("set", ["only"])


@pytest.mark.parametrize("query", ["find=%ff", "&".join(f"a{n}=1" for n in range(65))])
def test_an_address_that_cannot_be_read_is_not_there(query: str) -> None:
    with pytest.raises(NotThereError, match="the address is not fit"):
        Asked.of(query)


@pytest.mark.parametrize(("page", "rows", "pages"), [("1", (0, 50), 3), ("3", (100, 150), 3), ("99", (100, 150), 3)])
def test_a_page_that_is_not_there_is_the_last_one(page: str, rows: tuple[int, int], pages: int) -> None:
    span = Span.of(Asked.of(f"page={page}"), 101)
    assert ((span.rows.start, span.rows.stop), span.pages) == (rows, pages)
    assert Span.of(Asked.of(""), 0) == Span(1, 1, 0)


def test_an_address_is_written_so_that_it_is_read_back() -> None:
    text = 'a&b=c "d" <e> #f\u202e'
    written = url("/query", id=text, s=[0, 1], find="", page=None)
    assert Asked.of(written.removeprefix("/query?")).text("id") == text
    assert "find" not in written
