"""Texts as pages have them: inert, cut, and marked where the query's terms are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrite.viewer.shown import MARKED, Terms, analyzer_of, common_terms, show


def marked(text: str, query: str, language: str = "") -> list[str]:
    return [piece.text for piece in show(text, Terms.of(query, language)).segments if piece.kind == "term"]


@pytest.mark.parametrize(
    ("language", "query", "text", "found"),
    [
        ("en", "Which MINERAL shines?", "Minerals shine; which ones? A shiny mineral.", "Minerals shine which mineral"),
        ("", "gold", "Golden gold, GOLD.", "gold GOLD"),
        ("tr", "kitap", "kitaplar ve kitap", "kitaplar kitap"),
        ("ar", "ما هي المعادن؟", "المعادن كثيرة", "المعادن"),
        ("hi", "हिन्दी क्या है", "हिन्दी एक भाषा है", "हिन्दी है"),
        ("ja", "日本の首都はどこ", "東京は日本国の首都である", "日本 首都"),
        ("zh", "黄金是什么", "什么金属像黄金", "什么 黄金"),
        ("ko", "황금은 무엇", "황금이 빛난다", "황금"),
        ("th", "เมืองหลวงของไทย", "กรุงเทพเป็นเมืองหลวง", "เมืองหลวง"),
        ("en", "ﬁne café", "a fine cafe, a café", "fine café"),
    ],
)
def test_terms_are_found_in_every_script(language: str, query: str, text: str, found: str) -> None:
    assert marked(text, query, language) == found.split()


def test_terms_that_most_queries_have_are_marked_apart() -> None:
    common = common_terms([f"what is number {n}?" for n in range(40)], "en")
    terms = Terms.of("what is gold?", "en", common)
    kinds = {piece.text: piece.kind for piece in show("what gold is", terms).segments if piece.kind}
    assert kinds == {"what": "common", "gold": "term", "is": "common"}
    assert common_terms(["what is it?"] * 19, "en") == frozenset()


@given(st.text(), st.text())
def test_nothing_is_lost_and_no_control_is_left(text: str, query: str) -> None:
    shown = show(text, Terms.of(query))
    kept = "".join(piece.text for piece in shown.segments if piece.kind != "control")
    ends = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    controls = [piece for piece in shown.segments if piece.kind == "control"]
    assert len(kept) + len(controls) == len(ends)
    assert not [c for c in kept if c not in "\t\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202d\u202e")]
    assert shown.length == len(text)


def test_a_control_and_a_turn_of_direction_become_visible() -> None:
    pieces = show("a\x1b\x85\u202eb\tc\r\nd").segments
    assert [(piece.text, piece.kind) for piece in pieces] == [
        ("a", ""),
        ("ESC", "control"),
        ("U+0085", "control"),
        ("RLO", "control"),
        ("b\tc\nd", ""),
    ]


def test_a_long_text_is_cut_and_says_how_long_it_is() -> None:
    shown = show("word " * 1000, cut=100)
    assert (shown.cut, shown.length, "".join(piece.text for piece in shown.segments)) == (
        True,
        5000,
        ("word " * 20).strip(),
    )
    # A text that is a little longer is shown whole: its last words are worth more than a link.
    assert not show("w" * 120, cut=100).cut


def test_in_a_very_long_text_only_the_beginning_is_marked() -> None:
    shown = show("gold " * (MARKED // 5 + 10), Terms.of("gold"))
    assert sum(piece.kind == "term" for piece in shown.segments) == MARKED // 5
    assert "".join(piece.text for piece in shown.segments) == "gold " * (MARKED // 5 + 10)


def test_a_language_without_an_analyzer_is_none() -> None:
    assert analyzer_of("no such language") is None
    assert analyzer_of("pt-BR") is not None
