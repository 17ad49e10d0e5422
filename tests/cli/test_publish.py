"""`pyrite publish`, without a connection."""

import json

import pytest

from pyrite.cli import main
from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.formats import Manifest, read_manifest, write_published
from pyrite.pipelines import build
from pyrite.publishing import seal


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("publish")
    build("demo/en", out=folder / "en", work=folder / "work", overrides=["evaluate.distractors=[]"])
    return folder / "en"


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_a_dry_run_lists_paths_and_bytes(built, capsys):
    assert run("publish", built, "org/toy", "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    sizes = {line.split()[1]: int(line.split()[0].replace(",", "")) for line in lines[:-1]}
    assert sizes["corpus/corpus.parquet"] == (built / "corpus" / "corpus.parquet").stat().st_size
    assert lines[-1].endswith("would go to org/toy.")
    assert run("publish", built, "org/toy", "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["files"] == sizes


def test_an_offence_is_a_line_and_exit_code_1(tmp_path, capsys):
    write_published(
        tmp_path,
        Corpus.of([Document("d1", "a")]),
        Queries.of([Query("q1", "?")]),
        {"test": Qrels.of({"q1": {"d1": 1}})},
    )
    seal(tmp_path, Manifest("benchmark", "toy"), "")
    assert run("publish", tmp_path, "org/toy") == 1
    assert "README.md: is missing" in capsys.readouterr().out
    assert read_manifest(tmp_path).name == "toy"


def test_a_wrong_id_is_exit_code_2(built, capsys):
    assert run("publish", built, "toy") == 2
    assert "'toy' is no repository id" in capsys.readouterr().err
