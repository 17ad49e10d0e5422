import unicodedata

import pytest

from pyrite.core import MissingExtraError, RecipeError
from pyrite.retrieval.bm25 import analyzers, segmenters
from pyrite.retrieval.bm25.analyzers import Analyzer, analyzer_for
from pyrite.retrieval.bm25.languages import LANGUAGES

SEED = {
    "ar": "stemmer:ar/arabic",
    "bn": "whitespace:bn",
    "de": "stemmer:de/german",
    "en": "stemmer:en/english",
    "es": "stemmer:es/spanish",
    "fa": "whitespace:fa",
    "fi": "stemmer:fi/finnish",
    "fr": "stemmer:fr/french",
    "hi": "stemmer:hi/hindi",
    "id": "stemmer:id/indonesian",
    "ja": "wordseg:ja",
    "ko": "wordseg:ko",
    "ru": "stemmer:ru/russian",
    "sw": "whitespace:sw",
    "te": "whitespace:te",
    "th": "wordseg:th",
    "yo": "whitespace:yo",
    "zh": "wordseg:zh",
}


@pytest.mark.parametrize(("code", "name"), SEED.items())
def test_the_languages_of_miracl_have_the_names_that_their_datasets_show(code: str, name: str) -> None:
    assert analyzer_for(code).name == name
    assert analyzer_for(name) == analyzer_for(code)


@pytest.mark.parametrize("code", ["tr", "nl", "it", "pt", "sv", "da", "no", "hu", "el", "ro", "ta"])
def test_snowball_is_taken_where_it_has_the_language(code: str) -> None:
    assert analyzer_for(code).kind == "stemmer"


def test_vietnamese_has_no_stemmer() -> None:
    assert analyzer_for("vi").name == "whitespace:vi"


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda row: row.code)
def test_every_accepted_language_has_an_analyzer(language: object) -> None:
    assert analyzer_for(language.code).name == language.analyzer  # type: ignore[attr-defined]


def test_another_analyzer_of_a_language_can_be_named() -> None:
    assert analyzer_for("stemmer:en/porter") == Analyzer("stemmer", "en", "porter")
    assert analyzer_for("stemmer:pt-BR") == analyzer_for("pt")
    assert analyzer_for("whitespace:ja") == Analyzer("whitespace", "ja")
    assert analyzer_for("ngram:ja").name == "ngram:ja/2"
    assert analyzer_for("ngram:de/5") == Analyzer("ngram", "de", size=5)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("klingon", "no analyzer for the language 'klingon'; take auto, an analyzer's full name, or one of af, am"),
        ("germn", "no analyzer for the language 'germn'; did you mean 'german'? take auto"),
        ("letters:de", "unknown kind of analyzer 'letters' in 'letters:de'; take one of stemmer, whitespace, wordseg"),
        ("ngram:de/0", "'ngram:de/0' has no size of n-grams from 1 to 9; write ngram:de/3"),
        ("ngram:de/long", "'ngram:de/long' has no size of n-grams from 1 to 9"),
        ("wordseg:de", "'wordseg:de' has no word segmenter; take ja, ko, th or zh"),
        ("stemmer:bn", "'bn' has no Snowball algorithm; name one, as in stemmer:bn/english"),
        ("stemmer:de/klingon", "has no algorithm 'klingon'"),
        ("whitespace:de/german", "'whitespace:de/german' is not an analyzer; write whitespace:de"),
        ("auto", "the language of 0 texts cannot be told"),
    ],
)
def test_a_wrong_name_says_what_is_accepted(name: str, message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        analyzer_for(name)
    assert message in str(caught.value)


def test_auto_takes_the_language_that_is_known_and_else_detects_it() -> None:
    assert analyzer_for("auto", language="German", texts=["what is gold made of?"]).name == "stemmer:de/german"
    asked = ["kuinka vanha aurinko on?", "mikä on Suomen suurin järvi?", "kuka kirjoitti Kalevalan?"]
    assert analyzer_for("auto", texts=asked).name == "stemmer:fi/finnish"


def test_a_segmenter_that_is_not_installed_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenters, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'the analyzer wordseg:ja .*pip install "pyrite\[languages\]"'):
        analyzer_for("ja")


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("en", "The ponies' hooves; snake_case, x-1", ["the", "poni", "hoov", "snake", "case", "x", "1"]),
        ("whitespace:en", "ＡＢＣ a ﬁne ½", ["abc", "a", "fine", "1", "2"]),
        ("de", "Straßen STRASSEN", ["strass", "strass"]),
        ("hi", "लड़के हिन्दी", ["लड़क", "हिन्द"]),
        ("bn", "বাংলাদেশ কোথায়?", ["বাংলাদেশ", "কোথায়"]),
        ("te", "తెలుగు భాష", ["తెలుగు", "భాష"]),
        ("yo", "ọdún àwọn jẹ́", ["ọdún", "àwọn", "jẹ́"]),
        ("fa", "کتاب، می‌روم", ["کتاب", "می", "روم"]),
        ("whitespace:tr", "IĞDIR İstanbul", ["ığdır", "istanbul"]),
        ("ngram:de", "Das ÄRZTEBLATT", ["das", "ärzt", "rzte", "zteb", "tebl", "ebla", "blat", "latt"]),
        ("ngram:ja/2", "黄鉄鉱、ＡＢＣ", ["黄鉄", "鉄鉱", "ab", "bc"]),
    ],
)
def test_tokens_by_hand(name: str, text: str, tokens: list[str]) -> None:
    expected = [unicodedata.normalize("NFKC", token) for token in tokens]
    assert analyzer_for(name).tokens(text) == expected


def test_a_full_width_word_is_the_word() -> None:
    """X10."""
    for name in ("en", "ja", "zh", "ko", "th"):
        assert analyzer_for(name).tokens("ＡＢＣ") == analyzer_for(name).tokens("abc") == ["abc"]


def test_half_width_and_full_width_kana_are_one() -> None:
    """O45."""
    assert analyzer_for("ja").tokens("ﾗﾃﾞｨｵ") == analyzer_for("ja").tokens("ラディオ")


def test_a_korean_noun_is_found_whatever_particle_it_carries() -> None:
    """O45."""
    for sentence in ("서울은 한국의 수도이다.", "나는 서울에서 산다.", "서울을 떠났다."):
        assert "서울" in analyzer_for("ko").tokens(sentence)
    assert analyzer_for("ko").tokens("서울") == ["서울"]


def test_decomposed_hangul_is_the_same_word() -> None:
    """O49."""
    sentence = "한국어 형태소 분석은 어렵다."
    apart = unicodedata.normalize("NFD", sentence)
    assert apart != sentence
    for name in ("ko", "whitespace:ko"):
        assert analyzer_for(name).tokens(apart) == analyzer_for(name).tokens(sentence)


def test_thai_marks_stay_so_that_different_words_differ() -> None:
    """O46."""
    thai = analyzer_for("th")
    assert thai.tokens("วิทยุ") != thai.tokens("วิทยา")
    assert "วิทยุ" in thai.tokens("ฉันฟังวิทยุทุกวัน")
    assert thai.tokens("น้ำ") == [unicodedata.normalize("NFKC", "น้ำ")]


def test_a_segmented_token_is_folded_too() -> None:
    """X10."""
    assert "gps" in analyzer_for("ja").tokens("GPSを使う")
    assert "gps" in analyzer_for("zh").tokens("使用GPS导航")


def test_a_fingerprint_says_what_decides_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """O47."""
    first = analyzer_for("en")
    assert first.versions.keys() == {"rules", "unicode", "PyStemmer"}
    assert analyzer_for("ko").versions.keys() == {"rules", "unicode", "kiwipiepy", "kiwipiepy-model"}
    assert analyzer_for("ja").versions.keys() == {"rules", "unicode", "fugashi", "unidic-lite"}
    assert first.fingerprint == Analyzer("stemmer", "en", "english").fingerprint
    names = ["en", "stemmer:en/porter", "whitespace:en", "de", "ja"]
    assert len({analyzer_for(name).fingerprint for name in names}) == len(names)
    monkeypatch.setattr(analyzers, "version", lambda package: "99")
    assert Analyzer("stemmer", "en", "english").fingerprint != first.fingerprint


def test_each_distinct_word_is_stemmed_once_whatever_its_case(monkeypatch: pytest.MonkeyPatch) -> None:
    stemmed: list[str] = []

    class Counting:
        def stemWords(self, words: list[str]) -> list[str]:  # noqa: N802 - PyStemmer's name
            stemmed.extend(words)
            return words

    monkeypatch.setattr(analyzers.Stemmer, "Stemmer", lambda *_: Counting())
    assert analyzer_for("en").tokens("Gold gold GOLD iron") == ["gold", "gold", "gold", "iron"]
    assert stemmed == ["gold", "iron"]
