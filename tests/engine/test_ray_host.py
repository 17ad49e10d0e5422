"""The same bytes on a Ray cluster, though a worker is killed; in `make nightly`, though a machine is.

Ray runs in a network of its own that has no other machine (`unshare -n`), and everything it starts ends with it.
"""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from shard_work import SHOUT, shards

from pyrite.core import DataError, RecipeError
from pyrite.engine import Engine, RayCluster

PIPELINES = Path(__file__).parents[1] / "pipelines"
sys.path.insert(0, str(PIPELINES))

from sources_to_kill import KINDS, files, write_sources  # noqa: E402

OFFLINE = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c"]


def offline(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command where there is no network but 127.0.0.1."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'pyrite[ray]'")
    probe = [*OFFLINE, "ip link set lo up"] if shutil.which("unshare") and shutil.which("ip") else ["false"]
    if subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("no network of its own can be made here (unshare --net, ip)")
    inside = [*OFFLINE, 'ip link set lo up && exec "$@"', "sh", *command]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(inside, check=False, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("lost", ["worker", "machine"])
def test_a_cluster_that_loses_a_worker_or_a_machine_writes_the_same_bytes(tmp_path: Path, lost: str) -> None:
    if lost == "machine" and not os.environ.get("PYRITE_NIGHTLY"):
        pytest.skip("a machine that is lost is for make nightly")
    for kind in KINDS:
        write_sources(tmp_path, kind)
    done = offline(sys.executable, str(PIPELINES / "ray_me.py"), lost, str(tmp_path))
    assert done.returncode == 0, done.stderr
    # Nothing of Ray's own is on stdout.
    told = json.loads(done.stdout)
    assert told["killed"] == 1
    # A model has a GPU of its own, and what runs none has none to wait for.
    assert set(told["gpus"]) <= {"0", "1"}
    for kind in KINDS:
        assert told["shards"][kind] > 1
        assert files(tmp_path / f"ray-{kind}") == files(tmp_path / f"alone-{kind}"), kind


def test_without_ray_the_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with Engine(tmp_path / "work", workers=RayCluster(2)) as engine, pytest.raises(RecipeError) as refused:
        engine.run(SHOUT, shards(tmp_path / "log", ["one"]), {})
    assert str(refused.value) == "Ray is not installed; pip install 'pyrite[ray]'."


def test_an_address_where_nobody_listens_is_told_at_once(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        cluster = RayCluster(2, address)
        with Engine(tmp_path / "work", workers=cluster) as engine, pytest.raises(DataError) as refused:
            engine.run(SHOUT, shards(tmp_path / "log", ["one"]), {})
    assert str(refused.value).startswith(f"{address}: no Ray cluster answers there; check --address")


def test_no_workers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="0 workers"):
        Engine(tmp_path, workers=RayCluster(0))


def test_ray_is_imported_only_for_a_cluster() -> None:
    look = "import sys, pyrite.cli.app; pyrite.cli.app.load_verbs(); print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
