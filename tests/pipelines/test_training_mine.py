"""A request becomes the recipe that runs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import MiningRequest, build, load_recipe, mining_recipe, override_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe

Make = Callable[..., Path]

ASKED = MiningRequest(
    "minerals-mined",
    "queries.parquet",
    ("run:run.parquet",),
    "scores:scores.parquet",
    corpus="corpus.parquet",
    settings={
        "language": "en",
        "retriever.depth": 6,
        "teacher.depth": 3,
        "select.num_negatives": 2,
        "select.absolute_margin": 4.0,
    },
)


def test_a_request_mines_what_its_recipe_mines(make_mining: Make) -> None:
    path = make_mining()
    asked = mining_recipe(ASKED, base=path.parent)
    made = build(asked, out=path.parent / "asked", work=path.parent / "work").folder
    written = build(path, out=path.parent / "written", work=path.parent / "work").folder
    for name in ("n-tuples", "n-tuples-filtered", "provenance"):
        assert (made / name / "train.parquet").read_bytes() == (written / name / "train.parquet").read_bytes()
    assert (made / "recipe.toml").read_text(encoding="utf-8") == asked.text


def test_the_text_of_a_request_is_a_recipe(make_mining: Make) -> None:
    folder = make_mining().parent
    (folder / "asked.toml").write_text(mining_recipe(ASKED).text, encoding="utf-8")
    assert load_recipe(str(folder / "asked.toml")).recipe == mining_recipe(ASKED).recipe


def test_columns_and_settings_of_every_retriever_are_set() -> None:
    asked = MiningRequest(
        "toy",
        "q.csv",
        ("bm25:en", "dense:org/model"),
        "scores:s.csv",
        corpus="c.csv",
        columns={"relevant": "relevant_docs"},
        corpus_columns={"id": "docid"},
        settings={"retriever.depth": 30, "source.queries.split": "train"},
    )
    made = mining_recipe(asked).recipe
    assert isinstance(made, TrainingRecipe)
    assert [table.depth for table in made.retriever] == [30, 30]
    assert made.source.queries.columns == {"relevant": "relevant_docs"}
    assert made.source.queries.split == "train"
    assert made.source.corpus is not None
    assert made.source.corpus.columns == {"id": "docid"}


def test_what_is_set_over_a_request_is_checked_and_written() -> None:
    over = override_recipe(mining_recipe(ASKED), ["select.top_up=true", "pool.sample=10"])
    assert isinstance(over.recipe, TrainingRecipe)
    assert (over.recipe.select.top_up, over.recipe.pool.sample) == (True, 10)
    assert "top_up = true" in over.text
    with pytest.raises(RecipeError, match=r"unknown key 'select\.topup'"):
        override_recipe(mining_recipe(ASKED), ["select.topup=true"])
