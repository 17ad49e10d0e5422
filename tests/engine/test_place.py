"""Work in an object store: whatever machine goes on, and wherever a run was cut off, the outputs are the same."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from shard_work import SHOUT, outputs, shards

from pyrite.core import DataError
from pyrite.engine import Engine
from pyrite.engine.place import Place, cache_folder
from pyrite.engine.storage import Storage

TEXTS = ["one", "two", "three"]
EXPECTED = {text.upper().encode() for text in TEXTS}


@pytest.fixture(params=["s3", "disk"])
def url(request, tmp_path) -> str:
    return request.getfixturevalue("bucket") if request.param == "s3" else f"local://{tmp_path}/store"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Another machine, by its number: one with a cache of its own."""
    return lambda number: monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"machine-{number}"))


def run(url: str, log: Path, *, workers: int = 1, texts=TEXTS) -> tuple[set[bytes], int]:
    """What the outputs are, and how many shards were done just now."""
    with Engine(url, workers=workers) as engine:
        done = engine.run(SHOUT, shards(log, texts), {})
        return {one.path.read_bytes() for one in done}, sum(one.fresh for one in done)


def test_another_machine_goes_on_where_the_first_one_stopped(url, machine, tmp_path):
    machine(1)
    assert run(url, tmp_path / "log", texts=TEXTS[:2]) == ({b"ONE", b"TWO"}, 2)
    machine(2)
    assert run(url, tmp_path / "log") == (EXPECTED, 1)
    machine(1)
    assert run(url, tmp_path / "log") == (EXPECTED, 0)
    assert (tmp_path / "log").read_text().split() == TEXTS
    assert len(Storage(url).sizes("manifest")) == len(Storage(url).sizes("shout")) == 3


def test_workers_put_what_they_wrote_themselves(url, machine, tmp_path):
    machine(1)
    assert run(url, tmp_path / "log", workers=2) == (EXPECTED, 3)
    shutil.rmtree(cache_folder("stores"))
    assert run(url, tmp_path / "log", workers=2) == (EXPECTED, 0)


def test_an_output_without_a_row_is_not_finished(url, machine, tmp_path):
    machine(1)
    run(url, tmp_path / "log")
    last = sorted(Storage(url).sizes("manifest"))[-1]
    Storage(url).remove([last])
    assert run(url, tmp_path / "log") == (EXPECTED, 1)


def test_an_output_that_is_gone_cut_or_edited_is_mended_where_it_is_kept_and_else_done_again(url, machine, tmp_path):
    store = Storage(url)
    machine(1)
    run(url, tmp_path / "log")
    gone, cut, edited = store.sizes("shout")
    kept = store.read(edited)

    def damage() -> None:
        store.remove([gone])
        store.write(cut, store.read(cut)[:1])
        store.write(edited, kept[::-1])

    damage()
    # The size of the third is right, and its bytes are not read as long as nobody needs them.
    assert run(url, tmp_path / "log") == (EXPECTED, 0)
    assert store.sizes("shout").keys() == {gone, cut, edited}
    damage()
    machine(2)
    assert run(url, tmp_path / "log") == (EXPECTED, 3)
    assert {store.read(name) for name in store.sizes("shout")} == EXPECTED


def test_a_store_that_was_emptied_is_filled_again(url, machine, tmp_path):
    machine(1)
    run(url, tmp_path / "log")
    Storage(url).remove(list(Storage(url).sizes()))
    assert run(url, tmp_path / "log") == (EXPECTED, 3)
    assert len(Storage(url).sizes("manifest")) == 3


def test_two_machines_that_work_at_once_corrupt_nothing(url, machine, tmp_path):
    machine(1)
    with Engine(url) as first:
        machine(2)
        with Engine(url) as second:
            given = shards(tmp_path / "log", TEXTS)
            assert all(one.fresh for one in first.run(SHOUT, given[:2], {}))
            assert all(one.fresh for one in second.run(SHOUT, given, {}))
            first.run(SHOUT, given, {})
    machine(3)
    assert run(url, tmp_path / "log") == (EXPECTED, 0)
    assert len(outputs(cache_folder("stores") / Place.of(url).folder.name)) == 6  # three rows, three outputs


def test_a_second_run_of_one_machine_stops(url, machine):
    machine(1)
    with Engine(url), pytest.raises(DataError, match="another run"):
        Engine(url).__enter__()


def test_a_torn_row_costs_its_shard_alone(machine, tmp_path):
    """On a disk behind a URL an object may be cut short by a crash."""
    url = f"local://{tmp_path}/store"
    machine(1)
    run(url, tmp_path / "log")
    torn = sorted(Storage(url).sizes("manifest"))[0]
    Storage(url).write(torn, Storage(url).read(torn)[:40])
    machine(2)
    with pytest.warns(UserWarning, match="line 1 is damaged; its shard is done again"):
        assert run(url, tmp_path / "log") == (EXPECTED, 1)


def test_the_user_s_cache_is_where_the_system_says(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("archives") == tmp_path / "pyrite" / "archives"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder("archives") == Path.home() / ".cache" / "pyrite" / "archives"


KILLED = """
import os, signal, sys
from pathlib import Path
from shard_work import SHOUT, shards
from pyrite.engine import Engine
from pyrite.engine.storage import Storage

left = int(sys.argv[3])

def watched(call):
    def counted(*given):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        call(*given)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return counted

Storage.put, Storage.write = watched(Storage.put), watched(Storage.write)
with Engine(sys.argv[1]) as engine:
    engine.run(SHOUT, shards(Path(sys.argv[2]), ["one", "two", "three"]), {})
"""


def test_a_run_killed_before_or_after_any_object_is_written_loses_one_shard_at_most(machine, tmp_path):
    """Three shards, for each an output and a row: twelve points, and a machine that has nothing goes on."""
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    for point in range(1, 13):
        url, log = f"local://{tmp_path}/store-{point}", tmp_path / f"log-{point}"
        machine(f"first-{point}")
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        command = [sys.executable, str(script), url, str(log), str(point)]
        assert subprocess.run(command, check=False, env=environment).returncode == -signal.SIGKILL
        machine(f"second-{point}")
        assert run(url, log)[0] == EXPECTED
        assert len(log.read_text().split()) <= 4, point
