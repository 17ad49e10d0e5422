"""What the retrievers of a recipe find, on the pool's own positions."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import LedgerEntry, Pool, Run
from pyrite.engine import Engine
from pyrite.pipelines import load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_pool import BuiltPool, build_pool
from pyrite.pipelines.training_searching import query_rows, retrieve_pool
from pyrite.pipelines.training_sources import open_sources
from pyrite.pipelines.training_systems import systems_of

Make = Callable[..., Path]


def retrieved(path: Path) -> tuple[BuiltPool, Pool, tuple[LedgerEntry, ...], dict[str, int]]:
    loaded = load_recipe(str(path))
    assert isinstance(loaded.recipe, TrainingRecipe)
    with Engine(path.parent / "work") as engine:
        built = build_pool(loaded.recipe, open_sources(loaded.recipe, loaded.base), engine)
        systems = systems_of(loaded.recipe, loaded.base)
        depths = [table.depth for table in loaded.recipe.retriever]
        pool, entries = retrieve_pool(built, systems.retrievers, depths, engine)
        counts = {name: count.done_now for name, count in engine.counts.items()}
    return built, pool, entries, counts


def test_a_run_over_more_than_the_pool_keeps_its_ranks(make_mining: Make) -> None:
    path = make_mining(queries=[("what shines?", ["p1"]), ("what is soft?", ["p3"])], pool={"sample": 0})
    _, pool, (entry,), _ = retrieved(path)
    assert [(hit.doc_id, hit.rank) for hit in pool["q0"]] == [("p1", 1)]
    assert [(hit.doc_id, hit.rank) for hit in pool["q1"]] == [("p3", 2)]
    # q3 of the file is no query here.
    assert (entry.rows_in, entry.rows_out, dict(entry.dropped)) == (12, 2, {"not in the pool": 10})


def test_a_query_that_the_run_lacks_has_no_candidates(make_mining: Make) -> None:
    _, pool, _, _ = retrieved(make_mining(run={"q1": ["n1", "n2"]}))
    assert [(hit.doc_id, hit.rank) for hit in pool["q0"]] == [("p1", 0), ("p2", 0), ("p4", 0)]
    assert [(hit.doc_id, hit.rank) for hit in pool["q1"]] == [("n1", 1), ("n2", 2), ("p3", 0)]


def test_retrievers_are_united_and_each_is_searched_once(make_mining: Make) -> None:
    path = make_mining(retriever=[{"system": "bm25:en", "depth": 4}, {"system": "run:run.parquet", "depth": 2}])
    _, pool, entries, counts = retrieved(path)
    hits = {hit.doc_id: (hit.retriever, hit.rank) for hit in pool["q0"]}
    assert hits["n1"] == ("run:run", 2)
    assert hits["p4"][0] == "bm25:en"
    assert [entry.stage for entry in entries] == ["retrieved by bm25:en", "retrieved by run:run"]
    assert counts["mining-retrieve"] == 1
    assert retrieved(path)[3]["mining-retrieve"] == 0


@pytest.mark.parametrize("first", ["q2", "q0"])
def test_a_run_may_name_a_text_by_any_of_its_ids_and_the_first_with_hits_counts(make_mining: Make, first: str) -> None:
    built, *_ = retrieved(make_mining(pairs={"duplicates": "keep"}))
    rankings = {"q9": [("n1", 1.0)], "q2": [("n2", 1.0)], "q0": [("n3", 1.0)] if first == "q0" else []}
    run = Run.of("toy", rankings)
    rows = query_rows(run, built.placed)
    used = [query for query, row in zip(rankings, rows, strict=True) if row >= 0]
    assert used == [first]
    assert rows[list(rankings).index(first)] == 0
    assert np.asarray(rows).dtype == np.int64
