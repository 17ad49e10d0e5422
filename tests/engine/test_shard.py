import errno
import os

import pytest
import shard_work
from shard_work import SHOUT, outputs, shards

from pyrite.core import DataError
from pyrite.engine import Stage, run_shard


def test_the_output_lies_under_its_stage_and_key(tmp_path):
    (shard,) = shards(tmp_path / "log", ["gold"])
    row = run_shard(SHOUT, shard, {"ending": "!"}, tmp_path / "work").row
    assert row.file == f"shout/{row.key.digest}.txt"
    assert outputs(tmp_path / "work") == {row.file: b"GOLD!"}
    assert (row.name, row.size, row.facts) == ("shard gold", 5, {"characters": 4})


def test_running_a_shard_is_not_finishing_it(tmp_path):
    (shard,) = shards(tmp_path / "log", ["gold"])
    run_shard(SHOUT, shard, {}, tmp_path / "work")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["shout"]


def test_facts_are_what_a_later_run_will_read(tmp_path):
    (shard,) = shards(tmp_path / "log", ["gold"])
    facts = run_shard(Stage("facts", 1, shard_work.give_facts), shard, {}, tmp_path).row.facts
    assert list(facts.items()) == [("a", {"n": 0.5}), ("z", [1, 2])]


def test_work_that_writes_nothing_is_an_error_that_names_stage_and_shard(tmp_path):
    (shard,) = shards(tmp_path / "log", ["gold"])
    with pytest.raises(RuntimeError, match=r"stage 'lazy' .* shard 'shard gold'"):
        run_shard(Stage("lazy", 1, shard_work.write_nothing), shard, {}, tmp_path)
    assert outputs(tmp_path) == {}


def test_a_full_disk_is_one_sentence_with_the_path_and_no_file_left(tmp_path, monkeypatch):
    (shard,) = shards(tmp_path / "log", ["gold"])

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError) as refused:
        run_shard(SHOUT, shard, {}, tmp_path)
    assert refused.value.what == "the disk is full"
    assert refused.value.where == str(tmp_path / SHOUT.file(SHOUT.key(shard, {})))
    assert outputs(tmp_path) == {}


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "two words"])
def test_a_stage_name_that_is_no_folder_name_is_refused(name):
    with pytest.raises(ValueError, match="stage name"):
        Stage(name, 1, shard_work.shout)


def test_work_that_a_worker_cannot_import_is_refused_at_once():
    def local(data, params, out):
        return {}

    with pytest.raises(TypeError, match="module-level"):
        Stage("s", 1, local)
    with pytest.raises(TypeError, match="module-level"):
        Stage("s", 1, lambda data, params, out: None)
