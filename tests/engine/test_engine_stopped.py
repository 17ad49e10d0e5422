"""A build that is stopped by force, and run again."""

import json
import signal
import subprocess
import sys
import time

import psutil
import pytest
import shard_work
from shard_work import SHOUT, outputs, shards

from pyrite.engine import Engine


def stopped_midway(tmp_path, workers, sent):
    """Stop the script when 5 of its shards are finished and the workers wait in others; how to run it again."""
    script = [sys.executable, shard_work.__file__, str(tmp_path), str(workers)]
    build = subprocess.Popen(script, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(worked(tmp_path)) < 5 + workers or len(finished(tmp_path)) < 5:
        assert time.monotonic() < deadline, "the build did not get to its middle"
        time.sleep(0.01)
    processes = psutil.Process(build.pid).children(recursive=True)
    assert len(processes) >= workers - 1
    build.send_signal(sent)
    build.communicate()
    assert build.returncode == -sent
    assert not alive_after(processes, seconds=10), "workers outlive their run"
    (tmp_path / "gate").touch()
    return script


def worked(tmp_path):
    """The shards that were really worked on, in order."""
    log = tmp_path / "log"
    return log.read_text().splitlines() if log.exists() else []


def finished(tmp_path):
    """The shards that have their row."""
    manifest = tmp_path / "work" / "manifest.jsonl"
    lines = manifest.read_bytes().split(b"\n")[:-1] if manifest.exists() else []
    return [json.loads(line)["shard"] for line in lines]


def alive_after(processes, seconds):
    """Those still at work after so long; one that nobody has reaped yet has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(works(process) for process in processes):
        time.sleep(0.01)
    return [process for process in processes if works(process)]


def works(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    ("workers", "sent"), [(1, signal.SIGKILL), (2, signal.SIGKILL), (1, signal.SIGINT), (2, signal.SIGINT)]
)
def test_a_build_stopped_in_the_middle_resumes_to_the_same_bytes(tmp_path, workers, sent):
    script = stopped_midway(tmp_path, workers, sent)
    assert sorted(finished(tmp_path)) == [f"shard text {n}" for n in range(5)]
    if sent == signal.SIGINT:
        assert not list((tmp_path / "work").rglob(".tmp-*"))
    subprocess.run(script, check=True)
    # One shard a worker was begun in vain, and nothing that was finished was done again.
    assert sorted(worked(tmp_path)) == sorted(f"text {n}" for n in [*range(12), *range(5, 5 + workers)])
    assert not list((tmp_path / "work").rglob(".tmp-*"))
    with Engine(tmp_path / "whole") as engine:
        engine.run(SHOUT, shards(tmp_path / "log", [f"text {n}" for n in range(12)]), {})
    assert outputs(tmp_path / "work") == outputs(tmp_path / "whole")
