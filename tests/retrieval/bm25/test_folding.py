import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.retrieval.bm25.folding import (
    EXPANDS,
    HARD,
    KIND_SHIFT,
    MOST_PER_BYTE,
    TOKEN,
    character_table,
    fold,
    folded_table,
)

ALL = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000 and code != 0x0A]


def folded_alone(*, turkic: bool) -> list[str]:
    # A newline composes with nothing, so that each character is folded as if it were alone.
    return fold("\n".join(ALL), turkic=turkic).split("\n")


@pytest.mark.parametrize("turkic", [False, True])
def test_the_table_folds_every_single_character_as_python_does(turkic: bool) -> None:
    table = character_table(turkic=turkic)
    wrong = []
    for character, expected in zip(ALL, folded_alone(turkic=turkic), strict=True):
        entry = int(table.entries[ord(character)])
        kind, code = entry >> KIND_SHIFT, entry & (TOKEN - 1)
        if kind == EXPANDS:
            stop = code + int(np.argmax(table.expansions[code:] < 0))
            got = "".join(chr(value & (TOKEN - 1)) for value in table.expansions[code:stop].tolist())
        elif kind == HARD:
            continue
        else:
            got = chr(code)
        if got != expected:
            wrong.append((character, got, expected))
    assert wrong == []


@pytest.mark.parametrize("turkic", [False, True])
def test_letters_digits_and_combining_marks_make_tokens_and_nothing_else_does(turkic: bool) -> None:
    table = character_table(turkic=turkic)
    for character, expected in zip(ALL, folded_alone(turkic=turkic), strict=True):
        entry = int(table.entries[ord(character)])
        if entry >> KIND_SHIFT not in (EXPANDS, HARD):
            assert bool(entry & TOKEN) == (unicodedata.category(expected)[0] in "LNM"), ascii(character)


def test_no_character_folds_to_more_than_the_room_that_is_made() -> None:
    for character, folded in zip(ALL, folded_alone(turkic=False), strict=True):
        assert len(folded) <= MOST_PER_BYTE * len(character.encode())


def test_the_table_of_folded_text_changes_nothing() -> None:
    table = folded_table()
    assert (table.entries & (TOKEN - 1) == np.arange(0x110000)).all()
    assert (table.entries >> KIND_SHIFT == 0).all()


def test_the_tables_cannot_be_written_to() -> None:
    assert not any(column.flags.writeable for column in (*character_table(), *folded_table()))


@settings(deadline=None)
@given(st.text())
def test_canonically_equal_texts_fold_to_one(text: str) -> None:
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ", "abc"),
        ("ﬁne", "fine"),
        ("Straße", "strasse"),
        ("ΟΔΟΣ", "οδοσ"),  # a final sigma, and one that is not, fold to one letter
        ("οδος", "οδοσ"),
        ("ﾊﾞ", "バ"),
        ("İ", "i̇"),
        ("J\u030c", "ǰ"),  # composes only once it is a small letter
    ],
)
def test_folding_by_hand(text: str, expected: str) -> None:
    assert fold(text) == expected


def test_turkish_keeps_its_two_letters_i_apart() -> None:
    assert fold("IİIıi", turkic=True) == "ıiııi"
    assert fold("I\u0307stanbul", turkic=True) == "istanbul"
