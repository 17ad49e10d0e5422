"""Generated sections and hand-written text side by side."""

import pytest

from pyrite.core import DataError
from pyrite.publishing.sections import marked, merge_sections, split_sections


def card(*names: str, version: int = 1) -> str:
    return "\n\n".join(marked(name, f"## {name} {version}") for name in names) + "\n"


def test_the_pieces_joined_are_the_card() -> None:
    text = "before\n\n" + card("usage", "scores") + "\nafter <!-- pyrite: end -->\n"
    pieces = split_sections(text)
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.name for piece in pieces if piece.name] == ["usage", "scores"]


def test_a_generated_section_is_replaced_where_a_person_moved_it() -> None:
    old = "intro by hand\n\n" + card("scores") + "\nnote\n\n" + card("usage")
    new = "intro by hand\n\n" + card("scores", version=2) + "\nnote\n\n" + card("usage", version=2)
    assert merge_sections(card("usage", "scores", version=2), old) == new


def test_a_new_section_comes_after_the_one_before_it() -> None:
    old = card("about", "usage") + "\nby hand\n"
    assert merge_sections(card("about", "built", "usage"), old) == card("about", "built", "usage") + "\nby hand\n"


def test_a_new_first_section_comes_first() -> None:
    assert merge_sections(card("about", "usage"), card("usage")) == card("about", "usage")


def test_a_section_that_is_no_longer_made_goes_and_leaves_no_gap() -> None:
    assert merge_sections(card("about", "usage"), card("about", "scores", "usage")) == card("about", "usage")


def test_a_section_twice_is_kept_once() -> None:
    assert merge_sections(card("usage"), card("usage", "usage")) == card("usage")


def test_a_card_without_generated_sections_stays_whole_below_ours() -> None:
    """O54."""
    merged = merge_sections(card("about"), "\n# Mine\n\nA paragraph by hand.\n")
    assert merged == card("about") + "\n# Mine\n\nA paragraph by hand.\n"
    assert merge_sections(card("about"), merged) == merged


def test_a_section_without_an_end_is_refused_since_text_could_be_lost() -> None:
    text = card("about").replace("<!-- pyrite: end -->", "") + "\nby hand\n"
    with pytest.raises(DataError, match="'about' has no end mark"):
        merge_sections(card("about"), text)
    with pytest.raises(DataError, match="'about' has no end mark"):
        merge_sections(card("about"), text + card("usage"))


def test_a_mark_inside_a_section_is_made_harmless() -> None:
    text = marked("about", "a summary with <!-- pyrite: end --> in it") + "\n"
    assert [piece.name for piece in split_sections(text) if piece.name] == ["about"]


def test_a_blank_section_is_no_section() -> None:
    assert marked("scores", " \n") == ""
