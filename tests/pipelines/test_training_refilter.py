"""A set that is selected again is the set that a rebuild makes, byte for byte, and no model is called."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import build, refilter, training_systems

Make = Callable[..., Path]


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def mined(recipe: Path, name: str, *overrides: str) -> Path:
    parent = recipe.parent
    return build(recipe, out=parent / name, work=parent / f"work-{name}", overrides=overrides).folder


@pytest.fixture
def random_recipe(make_mining: Make) -> Path:
    """Forty queries, some of equal text, over sixty documents, some of equal text; a third of the rows is short."""
    chance = np.random.default_rng(11)
    texts = {f"d{n}": f"Document number {n % 55} of many, told at some length for its own sake." for n in range(60)}
    queries = [
        (f"question {n % 36}?", [f"d{m}" for m in chance.choice(60, 1 + n % 3, replace=False)]) for n in range(40)
    ]
    run = {f"q{n}": [f"d{m}" for m in chance.permutation(60)[:20]] for n in range(36)}
    logits = {f"q{n}": {f"d{m}": float(chance.normal(0, 3)) for m in range(60)} for n in range(40)}
    for n, (_, relevant) in enumerate(queries):
        for doc in relevant:
            logits[f"q{n}"][doc] = float(chance.normal(4, 2))
    return make_mining(
        texts=texts,
        queries=queries,
        run=run,
        logits=logits,
        pairs={"duplicates": "keep"},
        retriever=[{"system": "run:run.parquet", "depth": 20}],
        teacher={"system": "scores:scores.parquet", "depth": 12},
        select={"num_negatives": 4, "absolute_margin": 5.0, "short_rows": "keep", "near": 0},
        filter={"margin_min": 5.5},
    )


@pytest.mark.parametrize(
    "overrides",
    [
        ["select.absolute_margin=3"],
        ["select.absolute_margin=2.5", "filter.margin_min=3", "filter.margin_penalty=0.3"],
        ["select.num_negatives=2"],
        ["select.positive_min=4.5", "filter.positive_min=4.5"],
        ["select.relative_margin=0.9", "select.absolute_margin=1"],
        ["select.top_up=true", "select.range_max=15"],
        ["select.short_rows=drop", "select.max_score=1.5"],
        ["select.near=0.9"],
    ],
)
def test_the_bytes_are_those_of_a_rebuild(
    random_recipe: Path, overrides: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = mined(random_recipe, "first")
    rebuilt = contents(mined(random_recipe, "rebuilt", *overrides))
    monkeypatch.setattr(training_systems, "make_scorer", _no_system)
    monkeypatch.setattr(training_systems, "make_retriever", _no_system)
    for name in ("queries", "corpus", "run", "scores"):
        (random_recipe.parent / f"{name}.parquet").unlink()
    again = refilter(first, out=random_recipe.parent / "again", overrides=overrides)
    assert contents(again.folder) == rebuilt
    assert rebuilt != contents(first)


def _no_system(*_: object, **__: object) -> None:
    raise AssertionError("a system was made")


def test_a_set_that_was_refiltered_can_be_refiltered_on(random_recipe: Path) -> None:
    first = mined(random_recipe, "first")
    other = refilter(first, out=random_recipe.parent / "other", overrides=["select.absolute_margin=4.0"]).folder
    on = refilter(other, out=random_recipe.parent / "on", overrides=["select.absolute_margin=3.5"]).folder
    there = refilter(first, out=random_recipe.parent / "there", overrides=["select.absolute_margin=3.5"]).folder
    assert contents(on) == contents(there)
    # Pairs that the rules in between did not look at are no longer there, as after a rebuild with these.
    with pytest.raises(DataError, match="were never scored"):
        refilter(other, out=random_recipe.parent / "back", overrides=["select.absolute_margin=5.0"])


def test_pairs_that_were_never_scored_are_counted_and_nothing_is_written(make_mining: Make) -> None:
    folder = mined(make_mining(), "first")
    # At a margin of 7 the row of q1 is short too, whose ranks 4 to 6 nobody scored.
    with pytest.raises(DataError, match="3 pairs that these rules need were never scored"):
        refilter(folder, out=folder.parent / "again", overrides=["select.absolute_margin=7"])
    assert not (folder.parent / "again").exists()


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("pool.seed=3", "'pool.seed=3' cannot be changed without building again"),
        ("select.num_negatives=99", "num_negatives is 99"),
        ("select.margin=3", "unknown key 'select.margin'"),
    ],
)
def test_only_rules_of_selection_and_filter_can_change(mined_folder: Path, override: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        refilter(mined_folder, out=mined_folder.parent / "again", overrides=[override])


def test_the_folder_itself_other_kinds_and_damage_are_refused(mined_folder: Path) -> None:
    with pytest.raises(RecipeError, match="is the folder that is read"):
        refilter(mined_folder, out=mined_folder)
    (mined_folder / "provenance" / "texts.parquet").unlink()
    with pytest.raises(DataError, match=r"texts\.parquet"):
        refilter(mined_folder, out=mined_folder.parent / "again")
    manifest = mined_folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"kind": "training"', '"kind": "benchmark"'))
    with pytest.raises(DataError, match="is of kind 'benchmark'"):
        refilter(mined_folder, out=mined_folder.parent / "again")


def test_a_capped_query_knows_its_other_positives_when_it_is_selected_again(make_mining: Make) -> None:
    """O14: what pairs.per_query leaves out is still no negative."""
    recipe = make_mining(pairs={"per_query": 1}, select={"absolute_margin": 1.0})
    folder = mined(recipe, "first")
    assert pq.read_table(folder / "pairs" / "train.parquet").num_rows == 3
    again = refilter(folder, out=recipe.parent / "again", overrides=["select.absolute_margin=2.0"]).folder
    assert contents(again) == contents(mined(recipe, "rebuilt", "select.absolute_margin=2.0"))
    negatives = pq.read_table(again / "provenance" / "train.parquet")["negative-ids"].to_pylist()
    assert not {"p1", "p2", "p4"} & set(negatives[0])
