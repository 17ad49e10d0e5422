"""Recipes are checked key by key before any work."""

from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import load_recipe, override_recipe, shipped_recipes
from pyrite.pipelines.recipe import BenchmarkRecipe

SMALL = """\
# a comment that stays
kind = "benchmark"
name = "small"

[source.eval]
path = "eval.parquet"
columns = { query = "question", passage = "passage_text" }

[source.train]
path = "train.parquet"

[queries]
limit = 10
headline = 5
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def _refusal(path: Path, *overrides: str, text: str | None = None) -> str:
    if text is not None:
        path.write_text(text)
    with pytest.raises(RecipeError) as caught:
        load_recipe(str(path), overrides)
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_an_unknown_key_is_named_with_the_key_that_was_meant(recipe: Path) -> None:
    message = _refusal(recipe, "queries.limti=3")
    assert "unknown key 'queries.limti'" in message
    assert "did you mean 'limit'?" in message
    assert "duplicates, headline, limit" in message


def test_a_wrong_type_names_the_key_its_value_and_what_is_accepted(recipe: Path) -> None:
    message = _refusal(recipe, 'queries.limit="many"')
    assert "'queries.limit' is 'many'" in message
    assert "'all'" in message
    assert "whole number" in message


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("queries=3", "'queries' is 3; write a table."),
        ("source.eval.columns=3", "'source.eval.columns' is 3; write a table."),
        ("source.eval.path=", "'source.eval.path' is ''; give it a value."),
        ("evaluate.systems=[]", "'evaluate.systems' is []; give 1 or more."),
    ],
)
def test_a_wrong_value_is_told_of_in_the_words_of_a_recipe(recipe: Path, override: str, message: str) -> None:
    assert _refusal(recipe, override).endswith(message)


def test_a_wrong_choice_lists_the_accepted_ones(recipe: Path) -> None:
    assert "'merge' or 'keep'" in _refusal(recipe, "queries.duplicates=drop")


def test_a_missing_key_is_named(recipe: Path) -> None:
    assert "'source.eval.path' is missing" in _refusal(recipe, text=SMALL.replace('path = "eval.parquet"\n', ""))


def test_a_headline_above_the_limit_is_an_error(recipe: Path) -> None:
    assert "queries.headline: 11 is more than queries.limit = 10" in _refusal(recipe, "queries.headline=11")


def test_distractors_without_a_training_table_are_an_error(recipe: Path) -> None:
    text = SMALL.replace('[source.train]\npath = "train.parquet"\n', "")
    assert "source.train: is missing" in _refusal(recipe, "distractors.count=5", text=text)
    assert load_recipe(str(recipe), ["distractors.count=0"]).recipe is not None


def test_without_a_training_table_there_are_no_distractors_unless_asked(recipe: Path) -> None:
    recipe.write_text(SMALL.replace('[source.train]\npath = "train.parquet"\n', ""))
    loaded = load_recipe(str(recipe)).recipe
    assert isinstance(loaded, BenchmarkRecipe)
    assert loaded.distractors.count == 0


def test_an_unknown_kind_lists_the_accepted_ones(recipe: Path) -> None:
    message = _refusal(recipe, 'kind="leaderboard"')
    assert "kind is 'leaderboard'" in message
    assert "benchmark" in message


def test_broken_toml_names_the_line(recipe: Path) -> None:
    assert "line 3" in _refusal(recipe, text='kind = "benchmark"\nname = "x"\nlimit = = 3\n')


def test_an_unknown_recipe_suggests_a_shipped_one() -> None:
    with pytest.raises(RecipeError, match=r"lists the shipped ones; the nearest is 'benchmark/miriad-200k'\.$"):
        load_recipe("benchmark/miriad-20k")


def test_the_copy_of_a_recipe_has_the_override_and_the_comment_in_it(recipe: Path) -> None:
    text = load_recipe(str(recipe), ["queries.limit=7", "distractors.count=all"]).text
    assert "# a comment that stays" in text
    assert "limit = 7" in text
    assert 'count = "all"' in text


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["distractors.count=abc"], "--set distractors.count=abc: 'distractors.count' is 'abc'"),
        (["name=x", "queries.limti=3"], "--set queries.limti=3: unknown key 'queries.limti'"),
        (["queries={limit=0}"], "--set queries={limit=0}: 'queries.limit' is 0; write 1 or more"),
        (["queries.limit=3"], "--set queries.limit=3: queries.headline: 5 is more than queries.limit = 3"),
        (["new.key=1"], "--set new.key=1: unknown key 'new'"),
        (["name=x", "distractors.choose=hard"], "--set name=x, --set distractors.choose=hard: distractors.count"),
    ],
)
def test_what_an_override_spoils_is_told_by_the_override(recipe: Path, overrides: list[str], told: str) -> None:
    assert _refusal(recipe, *overrides).startswith(told)
    with pytest.raises(RecipeError) as caught:
        override_recipe(load_recipe(str(recipe)), overrides)
    assert str(caught.value).startswith(told)


def test_what_is_wrong_in_the_recipe_itself_is_told_by_its_file(recipe: Path) -> None:
    message = _refusal(recipe, "queries.limit=3", text=SMALL.replace("headline = 5", "headlin = 2"))
    assert message.startswith(f"{recipe}: unknown key 'queries.headlin'")


def test_an_override_without_a_value_is_an_error(recipe: Path) -> None:
    assert "is not KEY=VALUE" in _refusal(recipe, "queries.limit")


def test_a_path_override_is_one_of_the_working_directory(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mirror.parquet").touch()
    monkeypatch.chdir(tmp_path / "here")
    loaded = load_recipe(str(recipe), ["source.eval.path=mirror.parquet", "source.train.path=org/name"])
    assert loaded.recipe.source.eval.path == str(tmp_path / "here" / "mirror.parquet")
    assert loaded.recipe.source.train.path == "org/name"


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_passes_every_check(name: str) -> None:
    assert load_recipe(name).recipe.name


def test_the_miriad_recipe_says_what_the_seed_says() -> None:
    recipe = load_recipe("benchmark/miriad-200k").recipe
    assert (recipe.queries.limit, recipe.queries.headline, recipe.queries.duplicates) == (5000, 1000, "keep")
    assert (recipe.distractors.count, recipe.distractors.choose) == (190_015, "first")
    expected = {"queries": 5000, "gold": 9985, "distractors": 190_015, "corpus": 200_000, "qrels": 5000}
    assert {key: value for key, value in recipe.expect.model_dump().items() if value is not None} == expected


@pytest.mark.parametrize("language", ["english", "EN", "de_DE"])
def test_a_language_is_a_code(recipe: Path, language: str) -> None:
    assert "write a language code of ISO 639, as in 'en'" in _refusal(recipe, f"language={language}")
    assert load_recipe(str(recipe), ["language=pt-BR"]).recipe is not None
