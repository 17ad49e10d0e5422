"""Which texts the compiled loop leaves to `normalise`."""

import numpy as np
import pytest

from pyrite.preparation.normal_form import needs_neighbours
from pyrite.preparation.word_characters import normalising_table


def _hard(*texts: str) -> list[bool]:
    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    found = np.empty(len(texts), np.bool_)
    needs_neighbours(np.frombuffer(b"".join(encoded), np.uint8), offsets, normalising_table(), found)
    return found.tolist()


@pytest.mark.parametrize(
    "text", ["", "plain", "Straße", "naïve ﬁn ½", "हिन्दी में लड़का", "น้ำ", "বাংলা", "தமிழ்", "한국어", "ｶﾀ", "سَلام", "𝔘🙂"]
)
def test_usual_text_of_any_script_is_normalised_character_by_character(text: str) -> None:
    assert _hard(text) == [False]


@pytest.mark.parametrize(
    "text",
    [
        "e\u0301",  # composes to é
        "\u1100\u1161",  # two jamo, one syllable
        "\uac00\u11a8",  # a syllable and its final
        "x\u0336\u0323",  # what may compose, after another mark
        "\u05d0\u05b8\u05b7",  # 18 before 17
        "é\u0323",  # the dot below slips under the accent
        "ｶ\uff9e",  # a half-width voiced mark
        "\u09c7\u09be",  # two vowel signs, one
    ],
)
def test_marks_that_move_or_compose_are_left_to_normalise(text: str) -> None:
    assert _hard("before", f"in {text} a text", "after") == [False, True, False]
