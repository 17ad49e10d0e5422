"""`pyrite build --plan`; builds themselves are in test_errors, the demo's tests and the pipelines'."""

import json

import pytest

from pyrite.cli import main


def run(*arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def test_a_plan_is_told_and_nothing_built(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert run("build", "demo/en", "--plan") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "benchmark minerals-en"
    assert [line.split(":")[0] for line in lines[1:7]] == [
        "reads eval", "reads train", "work folder", "dataset", "time", "probed",
    ]  # fmt: skip
    assert run("build", "demo/en", "--plan", "--json", "--set", "distractors.count=0") == 0
    told = json.loads(capsys.readouterr().out)
    assert [source["role"] for source in told["sources"]] == ["eval"]
    assert list(tmp_path.iterdir()) == []


def test_a_plan_of_a_wrong_recipe_is_exit_code_2(capsys):
    assert run("build", "demo/en", "--plan", "--set", "distractors.cuont=1") == 2
    assert "did you mean 'count'?" in capsys.readouterr().err
