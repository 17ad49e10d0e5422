"""What each form writes of a unit; the round trips are in test_export."""

import pytest

from pyrite.core import Candidates, Collection, Corpus, DataError, Document, Qrels, Queries, Query, Run
from pyrite.formats import read_run
from pyrite.publishing.export_forms import Written, hakari_split, hakari_unit, mteb_unit, trec_unit
from pyrite.publishing.export_units import ExportUnit


def unit(name="", split="test", **changes):
    queries = Queries.of([Query("q 1", "gold?")])
    toy = Collection("toy", "ja", Corpus.of([Document("d 1", "a")]), queries, Qrels.of({"q 1": {"d 1": 1}}))
    values = {"candidates": {}, "graded": None, "metadata": {}, "runs": {}} | changes
    return ExportUnit(name, {split: toy}, queries, **values)


def test_runs_of_results_go_with_a_trec_export(tmp_path):
    run = Run.of("dense:org/model", {"q 1": [("d 1", 0.5)]})
    trec_unit(unit(runs={"dense:org/model": run}), tmp_path, Written(), None)
    back = read_run(tmp_path / "runs" / "dense-org-model.trec")
    assert [hit.doc_id for hit in back["q 1"]] == ["d 1"]


@pytest.mark.parametrize(("split", "named"), [("ja-dev", "ja_dev"), ("v1.1", "v1.1"), ("a/b", "a_b"), ("..x", "_x")])
def test_a_split_is_named_as_datasets_takes_it(split, named):
    """O52."""
    assert hakari_split(split) == named


def test_the_split_of_a_table_and_of_the_description_are_one(tmp_path):
    """O52."""
    written = Written(languages={"": "ja"})
    rank = lambda collection: Candidates(Run.of("bm25", {"q 1": [("d 1", 1.0)]}))  # noqa: E731
    hakari_unit(unit(split="ja-dev"), tmp_path, written, rank)
    assert written.languages == {"ja_dev": "ja"}
    assert written.configs["corpus"] == {"ja_dev": ["corpus/ja_dev.parquet"]}
    assert (tmp_path / "bm25" / "ja_dev.parquet").is_file()
    with pytest.raises(DataError, match="has no candidates"):
        hakari_unit(unit(), tmp_path, Written(languages={"": "ja"}), None)


def test_configs_of_several_units_have_a_prefix(tmp_path):
    written = Written()
    mteb_unit(unit("ja"), tmp_path, written, None)
    assert written.configs == {
        f"ja-{role}": {"test": [f"ja-{role}/test.parquet"]} for role in ("corpus", "queries", "qrels")
    }


def test_a_loss_is_said_once():
    written = Written()
    written.lose("Grades.")
    written.lose("Grades.")
    assert written.lost == ["Grades."]
