from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import check_recipe, load_recipe
from pyrite.pipelines.recipe_nano import NanoRecipe

SPLITS = ["ar", "bn", "de", "en", "es", "fa", "fi", "fr", "hi", "id", "ja", "ko", "ru", "sw", "te", "th", "yo", "zh"]


def check(**values) -> NanoRecipe:
    recipe = {"kind": "nano", "name": "NanoToy", "source": {"path": "folder"}, "split": [{"name": "en"}], **values}
    checked = check_recipe(recipe, where="recipe.toml")
    assert isinstance(checked, NanoRecipe)
    return checked


def refused(match: str, **values) -> None:
    with pytest.raises(RecipeError, match=match):
        check(**values)


def miracl() -> NanoRecipe:
    recipe = load_recipe("nano/nano-miracl").recipe
    assert isinstance(recipe, NanoRecipe)
    return recipe


def test_nano_miracl_has_the_eighteen_splits_and_their_query_counts():
    recipe = miracl()
    assert [split.name for split in recipe.split] == SPLITS
    assert {split.name: split.expect.queries for split in recipe.split} == dict.fromkeys(SPLITS, 200) | {
        "te": 84,
        "yo": 119,
    }
    assert all(split.expect.corpus is None for split in recipe.split)


def test_nano_miracl_shows_the_published_numbers():
    published = {split.name: split.published for split in miracl().split}
    assert published["ja"] == {"corpus": 1846, "qrels": 200, "forced": 3, "nDCG@10": 0.5956}
    assert published["te"] == {"corpus": 754, "qrels": 84, "forced": 8, "nDCG@10": 0.6044}
    assert sum(split["corpus"] for split in published.values()) == 29_897


def test_nano_miracl_fills_the_language_into_each_source():
    recipe = miracl()
    source = recipe.source_of(recipe.split[10])
    queries, corpus = source.spec(source.queries, "testB"), source.spec(source.corpus, None)
    assert (queries.path, queries.config, queries.split) == ("hotchpotch/miracl-hf-unified", "ja_queries", "testB")
    assert (corpus.config, corpus.split) == ("ja_corpus", "train")
    assert (source.requested, source.fallback) == ("testB", ["testA", "dev", "train"])
    assert source.queries.refer_by == "row"


def test_from_folder_takes_a_folder_and_a_language():
    recipe = load_recipe("nano/from-folder", ["source.path=some/folder", "language=de", "name=NanoMine"]).recipe
    assert isinstance(recipe, NanoRecipe)
    assert recipe.source_of(recipe.split[0]).path == "some/folder"
    assert (recipe.language, recipe.name) == ("de", "NanoMine")


def test_a_split_may_give_any_key_of_the_source_anew():
    recipe = check(
        source={"path": "{language}/folder", "query_split": "test", "fallback": ["dev"]},
        split=[{"name": "a", "language": "ja"}, {"name": "b", "path": "other", "query_split": "x", "fallback": []}],
    )
    first, second = (recipe.source_of(split) for split in recipe.split)
    assert (first.path, first.requested, first.fallback) == ("ja/folder", "test", ["dev"])
    assert (second.path, second.requested, second.fallback) == ("other", "x", [])


@pytest.mark.parametrize("name", ["ja-dev", "v 1", "all", "ja.", ""])
def test_a_name_that_datasets_refuses_for_a_split_is_refused(name):
    """O52."""
    refused(f"'{name}' is no name of a split", split=[{"name": name}])


def test_two_splits_of_one_name_are_refused_whatever_their_case():
    refused("'JA' is there twice", split=[{"name": "ja"}, {"name": "JA"}])


def test_an_unknown_key_names_the_accepted_ones():
    refused(r"unknown key 'nano.limit_query'.*did you mean 'limit_queries'", nano={"limit_query": 3})
    refused(r"unknown key 'bm25.k2'", bm25={"k2": 3})


def test_a_wrong_value_names_what_is_accepted():
    refused(r"'nano.fill' is 'first'.*'none', 'source-order', 'random' or 'hard'", nano={"fill": "first"})
    refused(r"'bm25.variant' is 'okapi'", bm25={"variant": "okapi"})
    refused(r"'nano.positives_per_query' is 2", nano={"positives_per_query": 2})
    refused(r"'nano.limit_queries' is 0", nano={"limit_queries": 0})


def test_a_source_that_cannot_be_read_is_refused_before_any_work():
    refused("source.path: is missing for split 'en'", source={})
    refused(
        "source.corpus: is missing for split 'en'", source={"path": "p", "queries": {"columns": {"positives": "p"}}}
    )
    refused("'positives' is missing for split 'en'", source={"path": "p", "queries": {}, "corpus": {}})
    refused("write query_split", source={"path": "p", "queries": {}, "corpus": {}, "qrels": {}, "split": "test"})
    refused("stands beside a query_split", source={"path": "p", "split": "test", "query_split": "dev"})
    refused("named twice in test, dev, test", source={"path": "p", "split": "test", "fallback": ["dev", "test"]})


def test_candidates_need_one_way_to_be_made_and_a_name_of_their_own():
    refused("needs either system or of", candidates=[{"name": "dense"}])
    refused("'qrels' is taken", candidates=[{"name": "qrels", "system": "run:a"}])
    refused("'dense' is none of bm25", candidates=[{"name": "hybrid", "of": ["bm25", "dense"]}])
    twice = [{"name": "dense", "system": "run:a"}, {"name": "dense", "system": "run:b"}]
    refused("'dense' is there twice", candidates=twice)


def test_the_example_of_sixteen_languages_is_a_recipe():
    path = Path(__file__).resolve().parents[2] / "docs/examples/nano-sixteen-languages.toml"
    recipe = load_recipe(str(path)).recipe
    assert isinstance(recipe, NanoRecipe)
    assert len(recipe.split) == 16
    assert recipe.source_of(recipe.split[5]).requested == ""
