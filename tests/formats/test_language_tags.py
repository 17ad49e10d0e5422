"""Languages as MTEB names them."""

import re

import pytest

from pyrite.formats.language_tags import TAGS, language_tag


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        *(("ja", "jpn-Jpan"), ("zh", "zho-Hans"), ("no", "nor-Latn"), ("yo", "yor-Latn"), ("te", "tel-Telu")),
        *(("jpn", "jpn-Jpan"), ("fil", "fil"), ("EN", "eng-Latn"), ("pt_BR", "por-Latn"), ("", "")),
    ],
)
def test_a_code_gets_its_three_letters_and_usual_script(code, tag):
    assert language_tag(code) == tag


def test_every_entry_is_a_code_with_or_without_a_script():
    assert len(TAGS) == 183
    assert [
        entry for entry in TAGS.items() if not re.fullmatch(r"[a-z]{2} [a-z]{3}(-[A-Z][a-z]{3})?", " ".join(entry))
    ] == []
