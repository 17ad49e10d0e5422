import pytest

from pyrite.core import RecipeError
from pyrite.retrieval.bm25.languages import LANGUAGES, language_of


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("portuguese", "pt"),
        ("pt-BR", "pt"),
        ("por", "pt"),
        ("zh_Hant", "zh"),
        ("cmn", "zh"),
        ("jpn", "ja"),
        ("eng_Latn", "en"),
        (" Farsi ", "fa"),
        ("nb", "no"),
        ("fil", "tl"),
        ("swh", "sw"),
        ("yor", "yo"),
    ],
)
def test_codes_names_and_regions_resolve(name: str, code: str) -> None:
    assert language_of(name).code == code


@pytest.mark.parametrize("name", ["", "xx", "klingon", "khm", "lo", "my"])
def test_an_unknown_language_is_an_error_that_lists_the_accepted(name: str) -> None:
    with pytest.raises(
        RecipeError, match=f"'{name}'; take auto, an analyzer's full name, or one of af, am, ar, .*, zu"
    ):
        language_of(name)


def test_no_name_stands_for_two_languages() -> None:
    names = [name for row in LANGUAGES for name in dict.fromkeys((row.code, row.alpha3, row.name, *row.aliases))]
    assert len(names) == len(set(names))
    assert names == [name.lower() for name in names]


def test_languages_are_listed_by_code() -> None:
    assert [row.code for row in LANGUAGES] == sorted(row.code for row in LANGUAGES)
