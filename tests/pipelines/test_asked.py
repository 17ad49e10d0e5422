"""A command that cannot be is refused before any work, and says what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import Protocol, evaluate_dataset
from pyrite.pipelines.asked import must_be_possible


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ([], "no system is named; add one, as in --system bm25"),
        (["bm25", "run:gone.trec"], r"gone\.trec: there is no such run file"),
        (["nope"], "unknown system 'nope'"),
        (["bm25:xx"], "bm25:xx|xx"),
        (["dense:"], "names no model"),
        (["dense:./gone"], r"\./gone: there is no such model folder"),
        (["dense:./gone,max_length=x"], "max_length=x is not a whole number"),
        (["dense:./gone,device=cpu"], "dense has no setting 'device'"),
        (["fusion:rrf,of=bm25"], "a fusion needs two systems or more"),
        (["fusion:rrf,of=bm25+run:gone.trec"], r"gone\.trec: there is no such run file"),
        (["bm25", "bm25"], "bm25: is named twice"),
    ],
)
def test_a_system_that_cannot_be_is_told_at_once(systems: list[str], said: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecipeError, match=said):
        must_be_possible(systems, Protocol())


def test_the_first_stage_of_a_reranker_is_looked_for_too(make_model: Callable[..., Path]) -> None:
    with pytest.raises(RecipeError, match=r"gone\.trec: there is no such run file"):
        must_be_possible([f"rerank:{make_model('cross')},over=run:gone.trec"], Protocol())


def test_a_measure_is_checked_before_a_dataset_is_read(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="nDCG@x"):
        evaluate_dataset(str(tmp_path / "none"), ["bm25"], protocol=Protocol(measures=("nDCG@x",)))


def test_paths_are_those_from_the_folder_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "a.trec").write_text("q1 Q0 d1 1 1.0 x\n")
    must_be_possible(["run:a.trec"], Protocol(), base=tmp_path)
    with pytest.raises(DataError, match="has no weights"):
        must_be_possible(["dense:."], Protocol(), base=tmp_path)
