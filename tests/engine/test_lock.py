import os
import subprocess
import sys
import time

import pytest

from pyrite.core import DataError
from pyrite.engine.lock import WorkLock

HOLD = """
import sys, time
from pathlib import Path
from pyrite.engine.lock import WorkLock
WorkLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(60)
"""


def test_a_second_run_stops_with_a_sentence_that_names_the_first(tmp_path):
    with WorkLock(tmp_path), pytest.raises(DataError) as refused:
        WorkLock(tmp_path).acquire()
    assert str(refused.value) == (
        f"{tmp_path}: another run (process {os.getpid()}) is at work in this folder; "
        "wait until it ends, or name another work folder."
    )


def test_a_lock_ends_with_its_block(tmp_path):
    for _ in range(2):
        with WorkLock(tmp_path):
            pass


def test_a_lock_ends_with_a_process_that_is_killed(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DataError, match=f"process {holder.pid}"):
            WorkLock(tmp_path).acquire()
        holder.kill()
    started = time.monotonic()
    WorkLock(tmp_path).acquire()
    assert time.monotonic() - started < 1
