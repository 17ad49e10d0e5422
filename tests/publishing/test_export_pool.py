"""The scored pool as a collection with runs, read back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import Collection
from pyrite.formats import read_collection, read_run
from pyrite.pipelines import build
from pyrite.publishing.export_training import export_training

Make = Callable[..., Path]


@pytest.fixture
def mined(make_mining: Make) -> Path:
    recipe = make_mining(pairs={"duplicates": "keep"})
    return build(recipe, out=recipe.parent / "minerals", work=recipe.parent / "work").folder


@pytest.mark.parametrize(("form", "ending"), [("beir", "parquet"), ("trec", "trec")])
def test_the_pool_comes_back_as_a_collection_with_the_runs_of_retriever_and_teacher(
    mined: Path, tmp_path: Path, form: str, ending: str
) -> None:
    exported = export_training(mined, tmp_path / "out", form)
    held: Collection = read_collection(tmp_path / "out", split="train")
    # q2 has the text of q0, and its positive is one of q0's here.
    assert {query: held.qrels.positives(query) for query in held.queries.ids.to_pylist()} == {
        "q0": ["p1", "p2", "p4"],
        "q1": ["p3"],
        "q3": ["p5"],
    }
    assert exported.counts == {"queries": 3, "corpus": 11, "qrels": 5}
    run = read_run(tmp_path / "out" / "runs" / f"run-run.{ending}")
    assert [hit.doc_id for hit in run["q0"]] == ["p1", "n1", "p4", "n2", "n3", "n4"]
    teacher = read_run(tmp_path / "out" / "runs" / f"teacher.{ending}")
    assert [hit.doc_id for hit in teacher["q0"]] == ["p1", "p2", "p4", "n1", "n3", "n2", "n4"]
    assert [round(hit.score, 3) for hit in teacher["q1"]] == [5.0, 0.0, -2.0]
