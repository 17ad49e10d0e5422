"""The builds of `sources_to_kill` on a Ray of this machine: run as `python ray_me.py {worker,machine} FOLDER`, offline.

FOLDER has the recipes. While one is built on two machines (both are this one), a worker is killed, or one of them. The
outputs are FOLDER/ray-KIND, and FOLDER/alone-KIND by one process; stdout is one line of JSON: how many were killed, how
many shards were done, and which GPUs a teacher was given (numbers alone, they need not be there). The work of `STORED`
kinds is in an object store, and the machines of the cluster have no other disk in common: each has a cache of its own,
and the sources are on that of the process that asks.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fsspec
import kill_me
import mine_me
import numpy as np
import psutil
import ray
from moto.server import ThreadedMotoServer
from sources_to_kill import KINDS

from pyrite.core import TextPairs
from pyrite.engine import RayCluster
from pyrite.engine.place import Place
from pyrite.pipelines import build

STORED = ("benchmark", "nano")
GPUS = ["cluster.gpus=1"]
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}


@dataclass(frozen=True)
class OnGpu(mine_me.Counting):
    """A teacher that writes down which GPUs its process is given."""

    def score(self, pairs: TextPairs) -> np.ndarray:
        with Path(f"{self.log}.gpus").open("a") as file:
            file.write(os.environ.get("CUDA_VISIBLE_DEVICES", "none") + "\n")
        return super().score(pairs)


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


def two_machines(which: str) -> Callable[[], bool]:
    """A cluster of two; what kills a worker of it, or a whole machine."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "num_gpus": 1, "include_dashboard": False})
    os.environ["XDG_CACHE_HOME"] += "-too"
    other = cluster.add_node(num_cpus=1, num_gpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, **QUIET)

    def kill_machine() -> bool:
        raylet = other.all_processes["raylet"][0].process.pid
        below = {process.pid for process in psutil.Process(raylet).children(recursive=True)}
        if not below & {worker.pid for worker in at_work()}:
            return False
        cluster.remove_node(other, allow_graceful=False)
        return True

    return {"worker": kill_worker, "machine": kill_machine}[which]


def object_store() -> str:
    """A bucket of a server in this process, which the environment names to every other."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    os.environ |= {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    os.environ["AWS_ENDPOINT_URL"] = "http://{}:{}".format(*server.get_host_and_port())
    fsspec.filesystem("s3").mkdir("shared")
    return "s3://shared"


def main(lost: str, folder: Path) -> None:
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    mine_me.use(OnGpu(str(folder / "pairs")))
    kill_me.use_encoder()
    for kind in KINDS:
        alone = {"out": folder / f"alone-{kind}", "work": folder / f"alone-work-{kind}"}
        build(folder / f"{kind}.toml", **alone, overrides=GPUS)
    (folder / "pairs.gpus").unlink()
    bucket = object_store()
    # What the machines of the cluster find in their environment; and then what the process that asks finds.
    os.environ["XDG_CACHE_HOME"] = str(folder / "theirs")
    # One Ray for all builds: to start it takes longer than they do.
    kill = two_machines(lost)
    os.environ["XDG_CACHE_HOME"] = str(folder / "ours")
    killed: list[bool] = []
    shards = {}
    for kind in KINDS:
        work = f"{bucket}/{kind}" if kind in STORED else str(folder / f"ray-work-{kind}")
        if kind == KINDS[0]:
            watched = Place.of(work).folder
            threading.Thread(target=strike, args=(watched, kill, killed), daemon=True).start()
        ours = {"out": folder / f"ray-{kind}", "work": work, "workers": RayCluster(2)}
        built = build(folder / f"{kind}.toml", **ours, overrides=GPUS)
        shards[kind] = sum(count.done_now for count in built.stages.values())
    ray.shutdown()
    gpus = sorted(set((folder / "pairs.gpus").read_text().split()))
    sys.stdout.write(json.dumps({"killed": len(killed), "shards": shards, "gpus": gpus}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
