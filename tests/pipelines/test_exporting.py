"""Exports of whatever `pyrite.load` takes."""

import zipfile

import pytest

from pyrite.core import RecipeError
from pyrite.formats import read_candidates, read_collection
from pyrite.pipelines import export


@pytest.fixture
def packed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with zipfile.ZipFile(tmp_path / "toy.zip", "w") as archive:
        archive.writestr(
            "toy/corpus.jsonl", '{"_id": "d1", "text": "Pyrite is fool\'s gold."}\n{"_id": "d2", "text": "x"}\n'
        )
        archive.writestr("toy/queries.jsonl", '{"_id": "1", "text": "which mineral is the gold of fools?"}\n')
        archive.writestr("toy/qrels/test.tsv", "1\td2\t1\n")
    return tmp_path / "toy.zip"


def test_a_zip_becomes_a_trec_collection(packed, tmp_path):
    export(packed, "trec", out=tmp_path / "out")
    assert list(read_collection(tmp_path / "out").qrels.rows()) == [("1", "d2", 1)]


def test_candidates_that_a_dataset_lacks_are_bm25_s_with_the_positives_put_in(packed, tmp_path):
    export(packed, "hakari", out=tmp_path / "out")
    candidates = read_candidates(tmp_path / "out", "test")
    assert [hit.doc_id for hit in candidates.run["1"]] == ["d1", "d2"]


def test_an_unknown_form_is_told_before_anything_is_fetched(tmp_path):
    with pytest.raises(RecipeError, match="'csv' is no form of an export"):
        export("org/none", "csv", out=tmp_path / "out")
