"""The pool of a build: one pass, the same sample whatever the shards, and positives wherever they are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.engine import Engine
from pyrite.pipelines import load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_pool import BuiltPool, build_pool
from pyrite.pipelines.training_sources import open_sources

Make = Callable[..., Path]


def built(path: Path, work: str = "work", *overrides: str, workers: int = 1) -> BuiltPool:
    loaded = load_recipe(str(path), overrides)
    assert isinstance(loaded.recipe, TrainingRecipe)
    with Engine(path.parent / work, workers=workers) as engine:
        return build_pool(loaded.recipe, open_sources(loaded.recipe, loaded.base), engine)


def ids(pool: BuiltPool) -> list[str]:
    return pool.corpus.ids.to_pylist()


def test_positives_stand_first_in_the_order_of_the_pairs(make_mining: Make) -> None:
    queries = [("a?", ["p4", "p1"]), ("b?", ["p1", "p3"])]
    pool = built(make_mining(queries=queries, pool={"sample": 0}))
    assert ids(pool) == ["p4", "p1", "p3"]
    assert pool.corpus.texts.to_pylist() == ["Silver shines.", "Pyrite shines.", "Talc is soft."]
    assert (pool.corpus_rows, pool.unique_positives) == (11, 3)
    assert pool.placed.pair_positions.tolist() == [0, 1, 1, 2]


def test_all_means_every_document_once_and_texts_once(make_mining: Make) -> None:
    texts = {"n0": "Coal.", "p1": "Pyrite.", "n1": "Pyrite.", "n2": "Coal.", "n3": " "}
    pool = built(make_mining(texts=texts, queries=[("a?", ["p1"])]))
    assert ids(pool) == ["p1", "n0"]
    told = {entry.stage: (entry.rows_in, entry.rows_out, dict(entry.dropped)) for entry in pool.entries}
    assert told["corpus"] == (5, 4, {"empty text": 1})
    assert told["pool"] == (5, 2, {"a positive already": 1, "same text as an earlier document": 2})


def corpus_of(folder: Path, count: int, group: int) -> dict[str, Any]:
    """A corpus of several row groups and files, 70 MB of text by name only."""
    rows = [{"id": f"d{n}", "text": f"document {n}"} for n in range(count)]
    (folder / f"corpus-{group}").mkdir()
    for start in range(0, count, group):
        pq.write_table(
            pa.Table.from_pylist(rows[start : start + group]), folder / f"corpus-{group}" / f"{start:05d}.parquet"
        )
    return {"queries": {"path": "queries.parquet"}, "corpus": {"path": f"corpus-{group}/*.parquet"}}


def test_the_sample_is_that_of_its_seed_whatever_the_shards_and_the_workers(make_mining: Make, tmp_path: Path) -> None:
    """O18."""
    asked = [("a?", ["d3"])]
    pool = {"sample": 60, "seed": 42}
    one = built(make_mining(queries=asked, source=corpus_of(tmp_path, 1000, 1000), pool=pool), "w1")
    # Twenty files are more than two waves, so that later shards know a threshold.
    many = make_mining(queries=asked, source=corpus_of(tmp_path, 1000, 50), pool=pool)
    assert ids(built(many, "w2")) == ids(one) == ids(built(many, "w3", workers=2))
    numbers = [int(doc[1:]) for doc in ids(one)[1:]]
    assert numbers == sorted(numbers)
    assert len(numbers) in (59, 60)
    assert ids(built(many, "w2", "pool.seed=43")) != ids(one)
    # What the threshold leaves out is never written.
    kept = [len(pq.read_table(path)) for path in (tmp_path / "w2" / "mining-scan").glob("*.parquet")]
    assert sum(sorted(kept)[:12]) < 12 * 25


def test_a_smaller_sample_is_part_of_a_larger_one(make_mining: Make, tmp_path: Path) -> None:
    path = make_mining(queries=[("a?", ["d3"])], source=corpus_of(tmp_path, 500, 100))
    small, large = (set(ids(built(path, f"w{n}", f"pool.sample={n}"))) for n in (20, 200))
    assert small < large


def test_a_relevant_document_that_the_corpus_lacks_is_named(make_mining: Make) -> None:
    recipe = make_mining(queries=[("a?", ["p1", "p99"]), ("b?", ["p98"])])
    with pytest.raises(DataError, match="'p99' of query 'q0' is not in the corpus; 1 more are not there"):
        built(recipe)
    kept = built(recipe, "work", "pairs.missing=drop")
    assert [(pair.query_id, pair.doc_id) for pair in kept.placed.pairs] == [("q0", "p1")]
    assert kept.queries.ids.to_pylist() == ["q0"]


def test_an_id_that_occurs_twice_is_named(make_mining: Make) -> None:
    recipe = make_mining()
    table = pq.read_table(recipe.parent / "corpus.parquet")
    pq.write_table(pa.concat_tables([table, table.slice(3, 1)]), recipe.parent / "corpus.parquet")
    at = table["id"].to_pylist().index("p4")
    told = rf"corpus\.parquet.*: document id 'p4' occurs more than once \(its rows {at} and {len(table)}, from 0\)"
    with pytest.raises(DataError, match=told):
        built(recipe)


def test_an_id_that_occurs_in_two_files_is_named_with_both(make_mining: Make, tmp_path: Path) -> None:
    source = corpus_of(tmp_path, 20, 10)
    pq.write_table(pa.table({"id": ["d3"], "text": ["again"]}), tmp_path / "corpus-10" / "00020.parquet")
    told = r"00000.*'d3' occurs more than once \(its row 3, and row 0 of .*00020.*, from 0\)"
    with pytest.raises(DataError, match=told):
        built(make_mining(queries=[("a?", ["d3"])], source=source))


def test_a_cell_with_several_ids_is_told_of(make_mining: Make, tmp_path: Path) -> None:
    (tmp_path / "queries.csv").write_text('query,relevant\na?,"d1,d2"\n')
    source = {**corpus_of(tmp_path, 20, 20), "queries": {"path": "queries.csv"}}
    with pytest.raises(DataError, match="'d1,d2' of query 'q0' is not in the corpus; a cell of CSV or TSV is one id"):
        built(make_mining(source=source))


def test_no_relevant_document_in_the_corpus_is_an_error_that_says_so(make_mining: Make) -> None:
    recipe = make_mining(queries=[("a?", ["x"])], pairs={"missing": "drop"})
    with pytest.raises(DataError, match="no relevant document is in the corpus"):
        built(recipe)
