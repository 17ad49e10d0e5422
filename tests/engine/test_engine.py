import os
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import shard_work
from shard_work import SHOUT, outputs, shards

from pyrite.core import DataError, RecipeError
from pyrite.engine import Engine, Shard, Stage, StageCount

TEXTS = ["one", "two", "three", "four", "five"]


class Recorded:
    """A Progress that keeps what it was told."""

    def __init__(self):
        self.told = []

    def start(self, stage, total, unit):
        self.told.append(["start", stage, total, unit])

    def advance(self, n):
        self.told.append(["advance", n])

    def finish(self):
        self.told.append(["finish"])


def run(tmp_path, texts=TEXTS, *, stage=SHOUT, params=None, workers=1, folder="work"):
    """One run in a folder: what it gave, and its counts."""
    with Engine(tmp_path / folder, workers=workers) as engine:
        done = engine.run(stage, shards(tmp_path / "log", texts), params or {})
    return done, engine.counts.get(stage.name)


def worked(tmp_path):
    """The shards that were really worked on, in order."""
    log = tmp_path / "log"
    return log.read_text().splitlines() if log.exists() else []


def test_outputs_come_in_shard_order_with_facts_and_digests(tmp_path):
    done, counts = run(tmp_path)
    assert [each.shard for each in done] == [f"shard {text}" for text in TEXTS]
    assert [each.path.read_text() for each in done] == [text.upper() for text in TEXTS]
    assert [each.facts["characters"] for each in done] == [3, 3, 5, 4, 4]
    assert all(each.fresh for each in done)
    assert counts == StageCount(done_before=0, done_now=5)


def test_what_is_finished_is_not_done_again(tmp_path):
    first, _ = run(tmp_path, TEXTS[:3])
    second, counts = run(tmp_path)
    assert counts == StageCount(done_before=3, done_now=2)
    assert worked(tmp_path) == TEXTS
    assert [replace(each, fresh=True) for each in second[:3]] == first
    assert [each.fresh for each in second] == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("stage", "params"), [(SHOUT, {"ending": "!"}), (replace(SHOUT, version=2), {}), (replace(SHOUT, name="cry"), {})]
)
def test_another_parameter_version_or_stage_is_other_work(tmp_path, stage, params):
    run(tmp_path)
    _, counts = run(tmp_path, stage=stage, params=params)
    assert counts == StageCount(done_before=0, done_now=5)
    assert run(tmp_path)[1] == StageCount(done_before=5, done_now=0)


def test_a_changed_input_under_the_same_name_is_other_work(tmp_path):
    run(tmp_path, ["one"])
    (shard,) = shards(tmp_path / "log", ["two"])
    with Engine(tmp_path / "work") as engine:
        (done,) = engine.run(SHOUT, [replace(shard, name="shard one")], {})
    assert (done.path.read_text(), done.fresh) == ("TWO", True)


@pytest.mark.parametrize("damage", ["gone", "cut", "edited", "emptied"])
def test_an_output_that_is_not_as_written_is_done_again(tmp_path, damage):
    done, _ = run(tmp_path)
    path = done[1].path
    if damage == "gone":
        path.unlink()
    else:
        path.write_text({"cut": "TW", "edited": "TwO", "emptied": ""}[damage])
    again, counts = run(tmp_path)
    assert counts == StageCount(done_before=4, done_now=1)
    assert path.read_text() == "TWO"
    assert [each.digest for each in again] == [each.digest for each in done]
    assert run(tmp_path)[1] == StageCount(done_before=5, done_now=0)


def test_an_output_without_its_row_is_not_finished(tmp_path):
    """The manifest is the commit point: a run killed after the rename left a file that nobody vouches for."""
    done, _ = run(tmp_path)
    manifest = tmp_path / "work" / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(lines[:4]) + lines[4][:30])
    done[4].path.write_text("half")
    again, counts = run(tmp_path)
    assert counts == StageCount(done_before=4, done_now=1)
    assert again[4].path.read_text() == "FIVE"


def test_two_shards_of_one_digest_are_one_piece_of_work(tmp_path):
    (shard,) = shards(tmp_path / "log", ["one"])
    with Engine(tmp_path / "work") as engine:
        done = engine.run(SHOUT, [shard, replace(shard, name="twin")], {})
    assert [each.shard for each in done] == ["shard one", "twin"]
    assert done[0].path == done[1].path
    assert worked(tmp_path) == ["one"]
    assert engine.counts["shout"] == StageCount(done_before=0, done_now=1)


def test_no_shards_give_no_outputs(tmp_path):
    assert run(tmp_path, [])[0] == []


def test_one_worker_and_two_write_the_same_bytes(tmp_path):
    alone, _ = run(tmp_path, folder="one")
    shared, _ = run(tmp_path, folder="two", workers=2)
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two")
    assert [(each.shard, each.digest, each.facts) for each in alone] == [
        (each.shard, each.digest, each.facts) for each in shared
    ]


def test_what_was_finished_before_an_error_stays_finished(tmp_path):
    stage = Stage("refuse", 1, shard_work.refuse_some)
    with Engine(tmp_path / "work") as engine, pytest.raises(KeyError):
        engine.run(stage, shards(tmp_path / "log", TEXTS), {"bad": {"four": 0}})
    assert engine.counts["refuse"] == StageCount(done_before=0, done_now=3)
    assert len(outputs(tmp_path / "work")) == 3
    with Engine(tmp_path / "work") as engine:
        engine.run(stage, shards(tmp_path / "log", TEXTS[:3]), {"bad": {"four": 0}})
    assert engine.counts["refuse"] == StageCount(done_before=3, done_now=0)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_pyrite_comes_out_as_it_is(tmp_path, workers):
    with Engine(tmp_path / "work", workers=workers) as engine, pytest.raises(DataError) as failed:
        engine.run(Stage("say-no", 1, shard_work.say_no), shards(tmp_path / "log", ["one"]), {})
    assert str(failed.value) == "one.jsonl, line 3: the id is missing; give it one."


def test_temporary_files_of_dead_runs_are_cleared_at_the_start(tmp_path):
    run(tmp_path)
    stray = tmp_path / "work" / "shout" / ".tmp-ab12-x.txt"
    stray.write_text("half")
    with Engine(tmp_path / "work"):
        assert not stray.exists()
    assert len(outputs(tmp_path / "work")) == 5


def test_a_second_run_in_the_same_folder_stops_and_the_first_goes_on(tmp_path):
    with Engine(tmp_path / "work") as engine:
        with pytest.raises(DataError, match="another run"), Engine(tmp_path / "work"):
            pytest.fail("two runs in one folder")
        assert len(engine.run(SHOUT, shards(tmp_path / "log", TEXTS), {})) == 5


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_one_sentence_and_can_be_resumed(tmp_path, workers):
    given = shards(tmp_path / "log", ["one", "two"])
    stage = Stage("fill", 1, shard_work.fill_the_disk)
    full = [Shard(each.name, each.digest, {**each.data, "full": each.name == "shard two"}) for each in given]
    with Engine(tmp_path / "work", workers=workers) as engine, pytest.raises(DataError) as failed:
        engine.run(stage, full, {})
    assert failed.value.what == "the disk is full"
    assert Path(failed.value.where).parent == tmp_path / "work" / "fill"
    assert len(outputs(tmp_path / "work")) == 1
    with Engine(tmp_path / "work", workers=workers) as engine:
        engine.run(stage, given, {})
    assert engine.counts["fill"] == StageCount(done_before=1, done_now=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_warning_of_the_work_is_given_once_and_where_the_user_sees_it(tmp_path, workers):
    with Engine(tmp_path / "work", workers=workers) as engine, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        engine.run(Stage("warn", 1, shard_work.warn), shards(tmp_path / "log", ["two", "three", "one"]), {})
    assert sorted((warning.category.__name__, str(warning.message)) for warning in caught) == [
        ("DeprecationWarning", "seen in o"),
        ("DeprecationWarning", "seen in t"),
        ("UserWarning", "ids were integers"),
    ]
    assert {Path(warning.filename).name for warning in caught} == {"shard_work.py"}


def test_the_filters_of_the_user_hold_for_warnings_of_the_work(tmp_path):
    with Engine(tmp_path / "work") as engine, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("error", UserWarning)
        with pytest.raises(UserWarning, match="ids were integers"):
            engine.run(Stage("warn", 1, shard_work.warn), shards(tmp_path / "log", ["one"]), {})
    assert engine.counts["warn"].done_now == 1


def test_progress_is_told_of_the_check_and_of_the_work(tmp_path):
    run(tmp_path, TEXTS[:1])
    progress = Recorded()
    with Engine(tmp_path / "work", progress=progress) as engine:
        engine.run(SHOUT, shards(tmp_path / "log", TEXTS[:3]), {})
    assert progress.told == [
        ["start", "shout: check", 1, "shards"],
        ["advance", 1],
        ["finish"],
        ["start", "shout", 2, "shards"],
        ["advance", 1],
        ["advance", 1],
        ["finish"],
    ]


def test_progress_finishes_when_the_work_fails(tmp_path):
    progress = Recorded()
    with Engine(tmp_path / "work", progress=progress) as engine, pytest.raises(DataError):
        engine.run(Stage("say-no", 1, shard_work.say_no), shards(tmp_path / "log", ["one"]), {})
    assert progress.told[-1] == ["finish"]


def test_an_engine_works_inside_its_block_only(tmp_path):
    engine = Engine(tmp_path / "work")
    with pytest.raises(RuntimeError, match="with Engine"):
        engine.run(SHOUT, [], {})
    assert not (tmp_path / "work").exists()


def test_no_workers_are_refused(tmp_path):
    with pytest.raises(RecipeError, match="0 workers"):
        Engine(tmp_path, workers=0)


def test_importing_the_engine_is_light():
    """Every worker process imports it."""
    heavy = ("rich", "numba", "polars", "torch", "datasets")
    script = f"import sys, pyrite.engine; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert ran.stdout.strip() == "[]"
