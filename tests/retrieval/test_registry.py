import pytest

from pyrite.core import RecipeError
from pyrite.retrieval.registry import SystemSpec, make_retriever, parse_system


@pytest.mark.parametrize(
    ("text", "system", "settings"),
    [
        ("bm25", "bm25", {}),
        ("bm25:ja", "bm25:ja", {}),
        ("bm25:stemmer:de/german,k1=0.9, b=0.4", "bm25:stemmer:de/german", {"k1": "0.9", "b": "0.4"}),
        ("bm25,variant=robertson", "bm25", {"variant": "robertson"}),
        ("run:runs/a,b=c.trec", "run:runs/a,b=c.trec", {}),
    ],
)
def test_a_system_is_its_family_its_argument_and_settings(text: str, system: str, settings: dict[str, str]) -> None:
    assert parse_system(text) == SystemSpec(system, settings)


@pytest.mark.parametrize("text", ["bm25,k1", "bm25,=1", "bm25:en,k1="])
def test_a_setting_without_a_value_is_an_error(text: str) -> None:
    with pytest.raises(RecipeError, match="has a setting that is not key=value; write bm25"):
        parse_system(text)


@pytest.mark.parametrize("text", ["", "tfidf:en", "BM26"])
def test_an_unknown_family_names_the_accepted(text: str) -> None:
    with pytest.raises(RecipeError, match=rf"unknown system '{text}'; accepted: bm25\[:ANALYZER\].*, run:FILE"):
        parse_system(text)


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("bm25:ja", "en", "bm25:ja"),
        ("bm25", "German", "bm25:de"),
        ("bm25:auto", "pt-BR", "bm25:pt"),
        ("bm25:whitespace:fr,k1=0.9,b=0.4,variant=robertson", "", "bm25:whitespace:fr,k1=0.9,b=0.4,variant=robertson"),
        ("run:results/mine.trec", "en", "run:mine"),
    ],
)
def test_a_retriever_is_made_of_its_name(text: str, language: str, name: str) -> None:
    assert make_retriever(parse_system(text), language=language).name == name


def test_the_name_of_a_retriever_makes_it_again() -> None:
    for text in ("bm25:en", "bm25:whitespace:de,k1=0.9", "bm25:stemmer:en/porter,variant=robertson"):
        assert make_retriever(text).name == text


def test_a_system_may_have_a_name_of_its_own() -> None:
    named = make_retriever("bm25:ngram:ja/1,name=letters")
    assert named.name == "bm25:letters"
    assert named == make_retriever("bm25:ngram:ja/1")


def test_a_language_that_nobody_says_is_detected_and_never_guessed() -> None:
    assert make_retriever("bm25", texts=["wo liegt der höchste Berg?", "wer schrieb das Buch?"]).name == "bm25:de"
    with pytest.raises(RecipeError, match="the language of 0 texts cannot be told"):
        make_retriever("bm25")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bm25:en,k2=1", "bm25 has no setting 'k2'; write bm25[:ANALYZER]"),
        ("bm25:en,k1=much", "bm25:en: k1=much is not a number"),
        ("bm25:en,variant=plus", "unknown BM25 variant 'plus'"),
        ("bm25:klingon", "bm25:klingon: no analyzer for the language 'klingon'"),
        ("run:", "run: names no file; write run:FILE"),
    ],
)
def test_a_wrong_setting_says_what_is_right(text: str, message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        make_retriever(text, language="en")
    assert message in str(caught.value)


def test_a_language_of_the_dataset_that_bm25_does_not_know_is_told_as_such() -> None:
    with pytest.raises(RecipeError, match=r"^bm25 with language 'xx': no analyzer for the language 'xx'; "):
        make_retriever("bm25", language="xx")
