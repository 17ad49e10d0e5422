"""`pyrite diff`."""

import json

import pytest

from pyrite.cli import main
from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.formats import write_published


@pytest.fixture
def version(tmp_path):
    def make(name, **documents):
        corpus = Corpus.of([Document(one, text) for one, text in documents.items()])
        queries = Queries.of([Query("q1", "a?")])
        write_published(tmp_path / name, corpus, queries, {"test": Qrels.of({"q1": {"d1": 1}})})
        return tmp_path / name

    return make


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_two_that_are_the_same_are_exit_code_0(version, capsys):
    assert run("diff", version("a", d1="gold"), version("b", d1="gold")) == 0
    assert "documents: 0 added, 0 removed, 0 changed, 0 renamed, 1 the same" in capsys.readouterr().out


def test_a_difference_is_named_and_exit_code_1(version, capsys):
    before, after = version("a", d1="gold"), version("b", d1="iron", d2="zinc")
    assert run("diff", before, after) == 1
    said = capsys.readouterr().out
    assert ("  added: d2" in said, "  changed: d1" in said) == (True, True)
    assert run("diff", before, after, "--json") == 1
    assert json.loads(capsys.readouterr().out)["documents"]["changed"] == ["d1"]


def test_a_folder_that_is_no_benchmark_is_a_sentence(version, tmp_path, capsys):
    (tmp_path / "none").mkdir()
    assert run("diff", version("a", d1="gold"), tmp_path / "none") == 1
    assert "there is no corpus/*.parquet; name a built benchmark folder" in capsys.readouterr().err
