"""`pyrite verify`, against the manifest and against a second build."""

import json

import pytest

from pyrite.cli import main
from pyrite.pipelines import build


@pytest.fixture
def built(tmp_path):
    build("demo/en", out=tmp_path / "en", work=tmp_path / "work", overrides=["evaluate.distractors=[]"])
    return tmp_path / "en"


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_a_folder_is_held_against_its_manifest(built, capsys):
    assert run("verify", built) == 0
    assert capsys.readouterr().out == f"{built} is what was built.\n"
    (built / "qrels" / "test.parquet").unlink()
    assert run("verify", built) == 1
    assert "qrels/test.parquet: is missing" in capsys.readouterr().out


def test_a_rebuild_is_told_file_by_file(built, capsys):
    assert run("verify", built, "--rebuild", "--quiet") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "same       corpus/corpus.parquet" in lines
    assert lines[-1] == f"{built} is what its recipe makes."
    page, manifest = built / "results" / "report.html", built / "manifest.json"
    page.write_text(page.read_text() + " ")
    manifest.write_text(manifest.read_text().replace('"pyrite": "', '"pyrite": "0.'))
    assert run("verify", built, "--rebuild", "--quiet") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "not compared results/report.html" in lines
    assert lines[-2] == "Other versions draw a page otherwise: its numbers and tables were compared, and not the page."
    (built / "queries" / "queries.parquet").write_bytes(b"x")
    assert run("verify", built, "--rebuild", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["same"], told["files"]["queries/queries.parquet"]) == (False, "different")
