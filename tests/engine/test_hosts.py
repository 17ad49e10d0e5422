import os
import pickle
import signal

import pytest
import shard_work
from shard_work import SHOUT, shards

from pyrite.core import DataError
from pyrite.engine import Stage
from pyrite.engine.hosts import Inline, LocalPool
from pyrite.engine.place import Place
from pyrite.engine.worker import Reply


@pytest.fixture(scope="module")
def pool():
    """Two workers that serve all tests here; those that die are replaced on the way."""
    pool = LocalPool(2)
    yield pool
    pool.close()


def names(host, stage, given, params, work):
    return sorted(written.row.name for written in host.written(stage, given, params, Place(work)))


def test_a_worker_that_dies_is_replaced_and_its_shard_begun_again(pool, tmp_path):
    given = shards(tmp_path / "log", ["a1", "b2", "c3"])
    stage = Stage("last", 1, shard_work.shout_at_last)
    assert names(pool, stage, given, {"victim": "b2", "deaths": 2}, tmp_path) == ["shard a1", "shard b2", "shard c3"]
    # The others were not begun again: a death costs the shard that it befell.
    assert sorted((tmp_path / "log").read_text().split()) == ["a1", "b2", "b2", "b2", "c3"]


def test_a_shard_that_ends_its_worker_three_times_fails_by_name(pool, tmp_path):
    given = shards(tmp_path / "log", ["a1", "b2", "c3"])
    stage = Stage("last", 1, shard_work.shout_at_last)
    with pytest.raises(DataError) as failed:
        names(pool, stage, given, {"victim": "b2", "deaths": 99}, tmp_path)
    assert failed.value.where == "stage 'last', shard 'shard b2'"
    assert failed.value.what == ("the worker process ended 3 times on this shard, the last time by the signal 'Killed'")
    assert (tmp_path / "log").read_text().count("b2") == 3


def test_a_worker_that_dies_while_idle_is_replaced_too(pool, tmp_path):
    given = shards(tmp_path / "log", ["a1", "b2", "c3"])
    names(pool, SHOUT, given[:1], {}, tmp_path)
    for worker in pool._idle:
        os.kill(worker._process.pid, signal.SIGKILL)
    assert len(names(pool, SHOUT, given, {"ending": "?"}, tmp_path)) == 3


@pytest.mark.parametrize("hosted", ["inline", "pool"])
def test_the_error_raised_is_that_of_the_first_shard_in_order(pool, tmp_path, hosted):
    """In time the second fails first: the user is told the same whoever hosts."""
    given = shards(tmp_path / "log", ["a1", "b2", "c3", "d4"])
    host = Inline() if hosted == "inline" else pool
    stage = Stage("refuse", 1, shard_work.refuse_some)
    with pytest.raises(KeyError, match="a1") as failed:
        names(host, stage, given, {"bad": {"a1": 0.4, "b2": 0.0}}, tmp_path)
    assert "This happened in stage 'refuse', shard 'shard a1'." in failed.value.__notes__
    assert "d4" not in (tmp_path / "log").read_text()


def test_what_was_begun_before_a_failure_is_still_written(pool, tmp_path):
    given = shards(tmp_path / "log", ["a1", "b2"])
    seen = []
    outputs = pool.written(Stage("refuse", 1, shard_work.refuse_some), given, {"bad": {"b2": 0}}, Place(tmp_path))
    with pytest.raises(KeyError):
        seen.extend(written.row.name for written in outputs)
    assert seen == ["shard a1"]


def test_an_error_that_cannot_travel_comes_in_words_with_its_traceback(pool, tmp_path):
    given = shards(tmp_path / "log", ["a1"])
    with pytest.raises(RuntimeError, match=r"shard_work\.StubbornError: cannot travel") as failed:
        names(pool, Stage("stubborn", 1, shard_work.refuse_stubbornly), given, {}, tmp_path)
    assert "in refuse_stubbornly" in failed.value.__notes__[0]


def test_a_task_that_cannot_travel_fails_by_name(pool, tmp_path):
    given = [shards(tmp_path / "log", ["a1"])[0].__class__("bad one", "00", lambda: None)]
    with pytest.raises((pickle.PicklingError, AttributeError)) as failed:
        names(pool, SHOUT, given, {}, tmp_path)
    assert "shard 'bad one'" in failed.value.__notes__[0]


def test_closing_early_stops_the_work_at_once(pool, tmp_path):
    log = tmp_path / "log"
    given = [*shards(log, ["d4"]), *shards(log, ["e5", "f6"], gate=tmp_path / "never")]
    slow = pool.written(SHOUT, given, {}, Place(tmp_path))
    next(slow)
    slow.close()
    assert "f6" not in (tmp_path / "log").read_text()
    assert len(pool._idle) == 1


def test_an_error_of_the_main_script_comes_in_words():
    """The worker knows such a class as `__mp_main__`, which the parent cannot load."""

    class LocalError(Exception):
        pass

    assert str(Reply.failed(LocalError("gone")).raised()).endswith("LocalError: gone")
