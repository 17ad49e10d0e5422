"""`pyrite runs`: lists, explains and prunes the work folders of builds."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.engine.lock import WorkLock
from pyrite.pipelines import build, default_work

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `pyrite runs ...` with a cache of its own: exit code, stdout, stderr."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def ran(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main(["runs", *arguments])
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return ran


@pytest.fixture
def built(run: Run, make_mining: Callable[..., Path], tmp_path: Path) -> Path:
    """A recipe that was built once, with the default work folder."""
    del run
    recipe = make_mining()
    build(recipe, out=tmp_path / "out")
    return recipe


def told(run: Run, *arguments: str) -> dict:
    code, out, _ = run(*arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_a_build_is_listed_with_its_recipe_stages_size_and_last_use(run: Run, built: Path) -> None:
    (row,) = told(run)
    assert row["about"]["name"] == "minerals-mined"
    assert row["about"]["recipe"] == str(built)
    assert row["path"] == str(default_work("minerals-mined"))
    assert row["stages"] == {"table": 2, "mining-scan": 1, "mining-pool": 1}
    assert row["size"] > 1000
    assert abs(row["used"] - time.time()) < 3600
    _, out, _ = run()
    assert "minerals-mined" in out
    assert "4 in 3 stages" in out


def test_without_work_the_list_says_so(run: Run) -> None:
    assert run() == (0, "No work is kept.\n", "")
    assert told(run) == []


@pytest.mark.parametrize("by", ["name", "recipe", "folder"])
def test_a_run_is_explained_by_name_recipe_or_folder(run: Run, built: Path, tmp_path: Path, by: str) -> None:
    build(built, out=tmp_path / "out", overrides=["pool.sample=3", "pool.seed=5"])
    name = {"name": "minerals-mined", "recipe": str(built), "folder": str(default_work("minerals-mined"))}[by]
    stages = {stage["stage"]: stage["reasons"] for stage in told(run, "explain", name)["stages"]}
    assert stages == {
        "mining-scan": {"the parameter 'seed' is another": 1},
        "mining-pool": {"the input is another": 1},
    }
    _, out, _ = run("explain", name)
    assert "mining-scan: 1 shard, the parameter 'seed' is another" in out


def test_what_was_never_run_cannot_be_explained(run: Run, built: Path) -> None:
    code, _, err = run("explain", "benchmark/miriad-200k")
    assert (code, err.count("\n")) == (1, 1)
    assert "no work folder" in err
    code, _, err = run("explain", "no-such-recipe")
    assert code == 2


def test_prune_removes_nothing_until_it_is_told_to(run: Run, built: Path) -> None:
    work = default_work("minerals-mined")
    _, out, _ = run("prune")
    assert "Nothing is removed without --yes." in out
    assert work.is_dir()
    assert told(run, "prune")["removed"] == []
    assert work.is_dir()
    code, out, _ = run("prune", "minerals-mined", "--yes")
    assert (code, "Removed 1." in out) == (0, True)
    assert not work.exists()
    assert told(run) == []


def test_prune_takes_only_what_is_old_enough(run: Run, built: Path) -> None:
    work = default_work("minerals-mined")
    assert told(run, "prune", "--older-than", "2d", "--yes")["removed"] == []
    past = time.time() - 3 * 86_400
    for name in ("manifest.jsonl", ".lock"):
        os.utime(work / name, (past, past))
    assert told(run, "prune", "--older-than", "4d", "--yes")["removed"] == []
    assert told(run, "prune", "--older-than", "2d", "--yes")["removed"] == [str(work)]
    assert run("prune", "--older-than", "soon")[0] == 2


def test_prune_leaves_a_folder_in_which_a_run_is_at_work(run: Run, built: Path) -> None:
    work = default_work("minerals-mined")
    with WorkLock(work):
        code, out, err = run("prune", "--yes")
    assert (code, "Removed 0." in out) == (0, True)
    assert "another run" in err
    assert work.is_dir()


def test_in_names_another_place_to_look(run: Run, built: Path, tmp_path: Path) -> None:
    build(built, out=tmp_path / "out", work=tmp_path / "kept" / "mine")
    (row,) = told(run, "--in", str(tmp_path / "kept"))
    assert row["path"] == str(tmp_path / "kept" / "mine")
    assert told(run, "--in", str(tmp_path / "kept" / "mine")) == [row]
