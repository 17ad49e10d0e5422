"""A wrong value is answered in the words of a recipe."""

import re

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import check_recipe
from pyrite.pipelines.recipe_wording import wanted

VALUES = {
    "kind": "training",
    "name": "mined",
    "source": {"queries": {"path": "queries.jsonl"}, "corpus": {"path": "corpus.jsonl"}},
    "retriever": [{"system": "bm25:en"}],
    "teacher": {"system": "scores:logits.csv"},
}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            {"name": "a b"},
            "'name' is 'a b'; write letters, digits, '.', '_' and '-' alone, a letter or a digit first",
        ),
        ({"name": 3}, "'name' is 3; write a text in quotes"),
        ({"teacher": {"system": "use", "depth": -5}}, "'teacher.depth' is -5; write 1 or more"),
        ({"teacher": {"system": "use", "depth": 1.5}}, "'teacher.depth' is 1.5; write a whole number"),
        ({"pairs": {"limit": "many"}}, "'pairs.limit' is 'many'; write a whole number; or: write 'all'"),
        ({"pairs": {"missing": "skip"}}, "'pairs.missing' is 'skip'; write 'error' or 'drop'"),
        ({"select": {"near": 2}}, "'select.near' is 2; write 1.0 or less"),
        ({"select": {"near": "most"}}, "'select.near' is 'most'; write a number"),
        ({"select": {"top_up": 1}}, "'select.top_up' is 1; write true or false"),
        ({"select": {"positive_min": float("inf")}}, "'select.positive_min' is inf; write a finite number"),
        ({"pool": {"seed": 2**63}}, f"'pool.seed' is {2**63}; write less than {2**63}"),
        ({"card": {"tags": "a"}}, "'card.tags' is 'a'; write a list"),
    ],
)
def test_a_wrong_value_is_told_with_what_to_write(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(RecipeError, match=rf"^mine\.toml: {re.escape(told)}\.$"):
        check_recipe({**VALUES, **wrong}, where="mine.toml")


def test_what_pyrite_itself_says_has_no_mark_of_the_checker() -> None:
    with pytest.raises(RecipeError) as caught:
        check_recipe({**VALUES, "select": {"near": 0.1}}, where="mine.toml")
    assert str(caught.value).startswith("mine.toml: select.near: 0.1 is too unlike")
    assert wanted({"type": "value_error", "msg": "Value error, Too unlike"}) == "too unlike"


def test_what_has_no_words_here_keeps_those_of_the_checker() -> None:
    assert wanted({"type": "url_scheme", "msg": "The scheme should be http"}) == "the scheme should be http"
