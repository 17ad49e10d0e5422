import pytest

from pyrite.core import RecipeError
from pyrite.preparation.nano import choose_query_split

WHY = {"testB": "it does not exist", "testA": "no query has a positive in the corpus", "dev": "", "train": ""}


def test_the_first_usable_split_is_taken_and_the_earlier_ones_have_a_reason():
    choice = choose_query_split("testB", ["testA", "dev", "train"], WHY.__getitem__)
    assert choice.used == "dev"
    assert choice.is_fallback
    assert choice.reason == "testB: it does not exist; testA: no query has a positive in the corpus"


def test_a_usable_request_asks_for_no_other_split():
    asked: list[str] = []

    def unusable(split: str) -> str:
        asked.append(split)
        return ""

    choice = choose_query_split("testB", ["testA"], unusable)
    assert (choice.used, choice.is_fallback, choice.reason, asked) == ("testB", False, "", ["testB"])


def test_nothing_usable_leaves_every_reason():
    choice = choose_query_split("testB", ["testA"], WHY.__getitem__)
    assert choice.used is None
    assert not choice.is_fallback
    assert [split for split, _ in choice.refused] == ["testB", "testA"]


def test_the_only_query_split_of_a_source_has_no_name_in_the_reason():
    assert choose_query_split("", [], lambda split: "it has no queries").reason == "it has no queries"


def test_a_split_named_twice_is_refused():
    with pytest.raises(RecipeError, match="named twice"):
        choose_query_split("dev", ["test", "dev"], WHY.__getitem__)
