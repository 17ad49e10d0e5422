"""The table of characters against Python's own rules."""

import sys
import unicodedata

import pytest

from pyrite.preparation.identity import normalise
from pyrite.preparation.word_characters import (
    ALONE,
    CODE,
    JOINS,
    KIND_SHIFT,
    PART_SHIFT,
    PLAIN,
    SEPARATES,
    normalised_table,
    normalising_table,
    part_in_words,
)


def test_a_plain_character_becomes_what_normalise_makes_of_it() -> None:
    entries = normalising_table().entries
    for code in range(sys.maxunicode + 1):
        character, entry = chr(code), int(entries[code])
        if entry >> KIND_SHIFT & 7 == PLAIN and not character.isspace() and not 0xD800 <= code < 0xE000:
            folded = chr(entry & CODE)
            assert folded == unicodedata.normalize("NFKC", character).casefold(), hex(code)
            assert entry >> PART_SHIFT & 3 == part_in_words(folded), hex(code)


def test_ascii_has_a_short_cut_that_says_the_same() -> None:
    by_byte = normalising_table().by_byte
    assert bytes(by_byte[list(b"Az09")].tolist()) == b"az09"
    assert by_byte[list(b" _-!\x00\n")].tolist() == [0] * 6
    assert set(by_byte[128:].tolist()) == {1}


def test_in_normalised_text_every_character_is_itself() -> None:
    table = normalised_table()
    assert [int(table.entries[ord(character)]) & CODE for character in "Éﬁ黄"] == [ord(one) for one in "Éﬁ黄"]
    assert bytes(table.by_byte[list(b"Az")].tolist()) == b"Az"
    assert normalise("Éﬁ") == "éfi"


@pytest.mark.parametrize(
    ("characters", "part"),
    [
        ("aß9٣éहि\u094d가\u0301", JOINS),
        ("黄々〇あアーกາကខ\U00020000\u0e48", ALONE),
        (" _-.\u3002\u30fb\u0e3f😀", SEPARATES),
    ],
)
def test_letters_digits_and_marks_make_words_alone_in_unspaced_scripts(characters: str, part: int) -> None:
    assert [part_in_words(character) for character in characters] == [part] * len(characters)
