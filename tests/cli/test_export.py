"""`pyrite export`."""

import json

import pytest

from pyrite.cli import main
from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.formats import write_published


@pytest.fixture
def toy(tmp_path):
    corpus = Corpus.of([Document("d1", "a", "T")])
    write_published(tmp_path / "toy", corpus, Queries.of([Query("q1", "a?")]), {"test": Qrels.of({"q1": {"d1": 1}})})
    return tmp_path / "toy"


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_the_counts_and_what_is_lost_are_told(toy, tmp_path, capsys):
    assert run("export", toy, "mteb", "--out", tmp_path / "out") == 0
    said = capsys.readouterr().out
    assert "1 queries, 1 corpus, 1 qrels, in 6 files" in said
    assert "- MTEB joins title and text with a space" in said


def test_json_is_all_there_is_on_stdout(toy, tmp_path, capsys):
    assert run("export", toy, "beir", "--out", tmp_path / "out", "--json") == 0
    assert json.loads(capsys.readouterr().out)["form"] == "beir"


def test_an_unknown_form_is_exit_code_2(toy, tmp_path, capsys):
    assert run("export", toy, "csv", "--out", tmp_path / "out") == 2
    assert "mteb" in capsys.readouterr().err
