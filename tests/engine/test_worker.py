import signal
import subprocess
import sys
import time

import pytest
from shard_work import SHOUT, shards

from pyrite.engine.place import Place
from pyrite.engine.worker import Died, Reply, Worker, packed


def wait_for(worker):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if reply := worker.reply():
            return reply
        time.sleep(0.01)
    pytest.fail("no reply")


def test_a_worker_serves_shard_after_shard_and_ends_when_dismissed(tmp_path):
    worker = Worker()
    for text in ("a", "b"):
        (shard,) = shards(tmp_path / "log", [text])
        worker.give(packed(SHOUT, shard, {}, Place(tmp_path)))
        reply = wait_for(worker)
        assert isinstance(reply, Reply)
        assert reply.written.row.name == f"shard {text}"
    worker.dismiss()
    worker.kill(patience=10)
    assert worker._process.exitcode == 0


def test_a_worker_never_sees_ctrl_c_for_its_parent_acts_on_it(tmp_path):
    worker = Worker()
    (shard,) = shards(tmp_path / "log", ["a"])
    worker._process._popen._send_signal(signal.SIGINT)
    worker.give(packed(SHOUT, shard, {}, Place(tmp_path)))
    assert isinstance(wait_for(worker), Reply)
    worker.kill()


def test_the_death_of_a_worker_is_told_apart_from_a_failed_start():
    assert Died(started=False, code=1).by_itself
    assert not Died(started=False, code=-9).by_itself
    assert not Died(started=True, code=1).by_itself
    assert Died(started=True, code=-11).how == "by the signal 'Segmentation fault'"
    assert Died(started=True, code=3).how == "with exit code 3"


UNGUARDED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from shard_work import SHOUT, shards
from pyrite.engine import Engine
with Engine(Path(sys.argv[1]) / "work", workers=2) as engine:
    engine.run(SHOUT, shards(Path(sys.argv[1]) / "log", ["a"]), {})
"""


FIRST = """
import signal
from pathlib import Path
from pyrite.engine.worker import Worker

if __name__ == "__main__":
    worker = Worker()
    status = Path(f"/proc/{worker._process.pid}/status").read_text()
    blocked = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk"))
    print(bool(blocked >> (signal.SIGINT - 1) & 1))
    worker.kill()
"""


def test_the_first_worker_of_a_process_does_not_see_it_either(tmp_path):
    """Where Ctrl-C goes to all processes of a terminal, a worker that is still importing would print a traceback."""
    (tmp_path / "first.py").write_text(FIRST)
    done = subprocess.run([sys.executable, str(tmp_path / "first.py")], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_a_script_without_a_main_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    here = str(__file__).rsplit("/", 1)[0]
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path), here], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "the worker process ended before it could begin, with exit code 1" in ran.stderr
    assert 'put what it runs under `if __name__ == "__main__":`' in ran.stderr
