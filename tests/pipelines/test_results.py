"""What measuring leaves on disk."""

from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, RecipeError, Run
from pyrite.pipelines.evaluating import Evaluated, evaluate_systems
from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.results import run_folders, write_results
from pyrite.pipelines.searching import Searched


@pytest.fixture
def evaluated() -> Evaluated:
    """Two systems whose names differ in a sign that no folder can have."""
    corpus = Corpus.of([Document("d1", "x"), Document("d2", "y")])
    toy = Collection("toy", "en", corpus, Queries.of([Query("q1", "x")]), Qrels.of({"q1": {"d1": 1}}))
    ranking = {"q1": [("d1", 1.0)]}
    return evaluate_systems(
        toy,
        ["dense:org/m", "dense:org-m"],
        lambda asked: [Searched(one, Run.of(str(one.system), ranking), "dense", {}, 2, 1) for one in asked],
        protocol=Protocol(),
    )


def test_every_run_has_a_folder_of_its_own(evaluated: Evaluated, tmp_path: Path) -> None:
    write_results(evaluated, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out/runs").iterdir()) == ["dense-org-m", "dense-org-m-2"]
    assert (tmp_path / "out/runs/dense-org-m-2/run.trec").read_text() == "q1 Q0 d1 1 1.0 dense:org-m\n"


def test_a_name_that_no_file_system_takes_is_cut() -> None:
    long = "fusion:rrf,of=" + "+".join(f"dense:org/model-{number}" for number in range(40))
    first, second = run_folders([f"{long},k=1", f"{long},k=2"])
    assert (len(first), second) == (150, f"{first}-2")


def test_another_folder_is_refused_and_an_earlier_one_of_results_is_replaced(
    evaluated: Evaluated, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(RecipeError, match="is a folder with other files in it"):
        write_results(evaluated, tmp_path / "mine")
    write_results(evaluated, tmp_path / "out")
    (tmp_path / "out" / "runs" / "old").mkdir()
    write_results(evaluated, tmp_path / "out")
    assert not (tmp_path / "out" / "runs" / "old").exists()
