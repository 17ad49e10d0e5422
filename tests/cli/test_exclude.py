"""`pyrite exclude`."""

import json

import pytest

from pyrite.cli import main
from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.formats import write_published


@pytest.fixture
def place(tmp_path, monkeypatch):
    corpus = Corpus.of([Document("d1", "Gold is an element.")])
    write_published(tmp_path / "toy", corpus, Queries.of([Query("q1", "a?")]), {"test": Qrels.of({"q1": {"d1": 1}})})
    (tmp_path / "train.tsv").write_text("id\tbody\n001\tgold is an  element.\n002\tPyrite.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_counts_are_told_by_reason(place, capsys):
    command = ["exclude", "train.tsv", "--against", "toy", "--column", "passage=body", "--out", "kept.tsv"]
    assert run(*command) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "2 rows of train.tsv",
        "1 left out: the same as a document, normalised",
        "1 kept in kept.tsv",
    ]
    assert (place / "kept.tsv").read_text() == "id\tbody\n002\tPyrite.\n"
    assert run(*command, "--identical", "exact", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"out": "kept.tsv", "in": 2, "kept": 2, "dropped": {}}


@pytest.mark.filterwarnings("default::pyrite.formats.DataWarning")
def test_nothing_left_is_a_warning_and_exit_code_0(place, capsys):
    (place / "train.tsv").write_text("id\tbody\n001\tGold is an element.\n")
    assert run("exclude", "train.tsv", "--against", "toy", "--column", "body", "--out", "kept.tsv", "--quiet") == 0
    said = capsys.readouterr()
    assert (said.out, "every row leaks; the table is empty" in said.err) == ("", True)
    assert (place / "kept.tsv").read_text() == "id\tbody\n"


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--column", "passage="], 2, "'passage=' is not NAME=THEIRS"),
        (
            ["--column", "passage=text"],
            1,
            "there is no column 'text' (wanted as passage); the columns are 'id', 'body'",
        ),
        (["--column", "passage=body", "--near", "3"], 2, "near = 3.0 is no similarity from 0.2 to 1"),
    ],
)
def test_what_is_wrong_is_one_sentence(place, capsys, more, code, said):
    assert run("exclude", "train.tsv", "--against", "toy", "--out", "kept.tsv", *more) == code
    assert said in " ".join(capsys.readouterr().err.split())
    assert not (place / "kept.tsv").exists()
