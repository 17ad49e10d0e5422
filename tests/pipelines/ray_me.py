"""The builds of `sources_to_kill` on a Ray of this machine: run as `python ray_me.py {worker,machine} FOLDER`, offline.

FOLDER has the recipes. While one is built, a worker is killed, or a whole one of two machines (both are this one). The
outputs are FOLDER/ray-KIND, and FOLDER/alone-KIND by one process; stdout is one line of JSON: how many were killed, and
how many shards were done.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kill_me
import mine_me
import psutil
import ray
from sources_to_kill import KINDS

from pyrite.engine import RayCluster
from pyrite.pipelines import build

QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}


def at_work() -> list[psutil.Process]:
    """The workers that have a shard just now."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if "ray::Hosted.attempt" in "".join(process.info["cmdline"] or [])
    ]


def strike(work: Path, kill: Callable[[], bool], killed: list[bool]) -> None:
    """Kill once something is finished in a work folder and a worker is at a shard."""
    deadline = time.monotonic() + 300
    while not killed and time.monotonic() < deadline:
        manifest = work / "manifest.jsonl"
        if manifest.is_file() and manifest.stat().st_size and kill():
            killed.append(True)
        time.sleep(0.002)


def kill_worker() -> bool:
    workers = at_work()
    for worker in workers[:1]:
        worker.send_signal(signal.SIGKILL)
    return bool(workers)


def one_machine() -> Callable[[], bool]:
    ray.init(address="local", num_cpus=3, include_dashboard=False, _node_ip_address="127.0.0.1", **QUIET)
    return kill_worker


def two_machines() -> Callable[[], bool]:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    lost = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, **QUIET)

    def kill_machine() -> bool:
        raylet = lost.all_processes["raylet"][0].process.pid
        below = {process.pid for process in psutil.Process(raylet).children(recursive=True)}
        if not below & {worker.pid for worker in at_work()}:
            return False
        cluster.remove_node(lost, allow_graceful=False)
        return True

    return kill_machine


def main(lost: str, folder: Path) -> None:
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    mine_me.use(mine_me.Counting(str(folder / "pairs")))
    kill_me.use_encoder()
    for kind in KINDS:
        build(folder / f"{kind}.toml", out=folder / f"alone-{kind}", work=folder / f"alone-work-{kind}")
    # One Ray for all builds: to start it takes longer than they do.
    kill = {"worker": one_machine, "machine": two_machines}[lost]()
    killed: list[bool] = []
    shards = {}
    for kind in KINDS:
        work = folder / f"ray-work-{kind}"
        if kind == KINDS[0]:
            threading.Thread(target=strike, args=(work, kill, killed), daemon=True).start()
        built = build(folder / f"{kind}.toml", out=folder / f"ray-{kind}", work=work, workers=RayCluster(2))
        shards[kind] = sum(count.done_now for count in built.stages.values())
    ray.shutdown()
    sys.stdout.write(json.dumps({"killed": len(killed), "shards": shards}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
