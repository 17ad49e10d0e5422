"""The schema of mining recipes: defaults, names with hyphens, settings that cannot be met."""

from pathlib import Path
from typing import Any

import pytest
import tomlkit

from pyrite.core import RecipeError
from pyrite.pipelines import load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe


def recipe(folder: Path, **tables: Any) -> TrainingRecipe:
    values = {
        "kind": "training",
        "name": "toy",
        "source": {"queries": {"path": "q.parquet"}, "corpus": {"path": "c.parquet"}},
        "retriever": [{"system": "bm25:en"}],
        "teacher": {"system": "scores:s.parquet"},
        **tables,
    }
    path = folder / "toy.toml"
    path.write_text(tomlkit.dumps(values), encoding="utf-8")
    loaded = load_recipe(str(path)).recipe
    assert isinstance(loaded, TrainingRecipe)
    return loaded


def test_defaults_are_the_seeds_and_no_margin_has_one(tmp_path: Path) -> None:
    made = recipe(tmp_path)
    assert (made.retriever[0].depth, made.depth, made.select.num_negatives, made.select.positive_min) == (
        100,
        50,
        5,
        2.0,
    )
    assert (made.select.absolute_margin, made.select.relative_margin, made.select.top_up) == (None, None, False)
    assert (made.pairs.duplicates, made.pairs.missing, made.pool.sample) == ("merge", "error", "all")
    assert made.filter.rules() == type(made.filter.rules())(2.0, 0.5, 0.1)


def test_the_shipped_recipe_has_the_numbers_of_the_published_set() -> None:
    made = load_recipe("training/miracl-ja").recipe
    assert isinstance(made, TrainingRecipe)
    told = made.expect.model_dump()
    assert {name: told[name] for name in ("queries", "pairs", "unique_positives", "corpus")} == {
        "queries": 2433,
        "pairs": 4932,
        "unique_positives": 4589,
        "corpus": 6953614,
    }
    assert made.published["n-tuples-filtered"] == 4603
    assert (made.retriever[0].query_prompt, made.retriever[0].document_prompt) == ("検索クエリ: ", "検索文書: ")
    assert (made.teacher.max_length, made.teacher.batch_size, made.depth) == (512, 128, 50)
    assert (made.pairs.duplicates, made.pool.sample, made.pool.seed) == ("keep", 2_000_000, 42)


def test_expected_counts_keep_the_names_of_the_configs(tmp_path: Path) -> None:
    made = recipe(tmp_path, expect={"n-tuples": 3, "n-tuples-filtered": 2})
    told = made.model_dump(mode="json")["expect"]
    assert (told["n-tuples"], told["n-tuples-filtered"]) == (3, 2)


def test_a_teacher_looks_no_deeper_than_a_retriever_that_is_shallow(tmp_path: Path) -> None:
    made = recipe(tmp_path, retriever=[{"system": "bm25:en", "depth": 20}])
    assert made.depth == 20


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ({"select": {"num_negatives": 101}}, "num_negatives is 101"),
        ({"select": {"range_min": 10, "range_max": 12}}, "ranks 11 to 12 hold 2 documents"),
        ({"teacher": {"system": "scores:s", "depth": 200}}, "teacher.depth is 200"),
        ({"select": {"absolute_margin": float("nan")}}, "absolute_margin"),
        ({"select": {"near": 0.1}}, "near: 0.1 is too unlike"),
        ({"select": {"margin": 3.0}}, "unknown key 'select.margin'"),
        ({"retriever": []}, "retriever"),
        ({"teacher": {}}, "'teacher.system' is missing"),
        ({"pool": {"sample": -1}}, "pool.sample"),
    ],
)
def test_what_cannot_be_met_is_refused_and_the_key_is_named(tmp_path: Path, tables: dict[str, Any], told: str) -> None:
    """O04."""
    with pytest.raises(RecipeError, match=told):
        recipe(tmp_path, **tables)


def test_one_table_of_a_list_is_overridden_by_its_number(tmp_path: Path) -> None:
    recipe(tmp_path)
    path = str(tmp_path / "toy.toml")
    made = load_recipe(path, ["retriever.0.depth=60", "retriever.0.system=bm25:de"]).recipe
    assert isinstance(made, TrainingRecipe)
    assert (made.retriever[0].depth, made.retriever[0].system) == (60, "bm25:de")
    with pytest.raises(RecipeError, match=r"write retriever\.0\.depth"):
        load_recipe(path, ["retriever.depth=60"])


def test_a_mined_set_is_not_measured_and_the_error_says_what_measures_it(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"evaluate: systems are measured on benchmarks; .* run pyrite train\."):
        recipe(tmp_path, evaluate={"systems": ["bm25"]})


def test_a_limit_is_a_number_of_questions_or_all(tmp_path: Path) -> None:
    assert recipe(tmp_path).pairs.most() is None
    assert recipe(tmp_path, pairs={"limit": 7}).pairs.most() == 7
    with pytest.raises(RecipeError, match=r"pairs\.limit"):
        recipe(tmp_path, pairs={"limit": 0})
