"""The shards of a stage on the machines of a Ray cluster; Ray is imported when one is asked for, and not before."""

from __future__ import annotations

import heapq
import os
import pickle
import socket
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyrite.core import DataError, RecipeError
from pyrite.engine.hosts import given_up, name_error
from pyrite.engine.place import Place
from pyrite.engine.shard import Shard, Stage, Written
from pyrite.engine.travel import packed_to_travel
from pyrite.engine.worker import Died, Reply, attempt

_LIVES = 3
_MACHINES = 10
"""So many machines may be lost under one shard: a machine that is taken away is not its fault, ten of them may be."""


@dataclass(frozen=True)
class RayCluster:
    """Workers that Ray hosts, each as much as a process of a local pool; the bytes of the outputs are the same.

    The work folder is on a disk that every machine sees under one path, or in an object store.

    Attributes:
        workers: how many at most; fewer run as long as the cluster has no room for more.
        address: of the cluster ("ray-head:6379", "auto"); "": RAY_ADDRESS, and without that a Ray of this machine
            alone, which begins and ends with the run and listens to nobody else.
        gpus: of a worker in stages that run a model.

    >>> RayCluster(8, gpus=1)
    RayCluster(workers=8, address='', gpus=1)
    """

    workers: int = 1
    address: str = ""
    gpus: float = 0


class Hosted:
    """What runs on a machine of the cluster: one shard after another, as `worker` does it."""

    def __init__(self, threads: str) -> None:
        # Ray gives a worker one thread; the products of a model may add up in another order then.
        os.environ["OMP_NUM_THREADS"] = threads

    def begin(self) -> None:
        """Returns once the worker is there."""

    def attempt(self, task: bytes) -> bytes:
        """Do a task; the reply as bytes."""
        return pickle.dumps(attempt(task))


@dataclass
class _Member:
    """A worker: what it was asked last, and for which shard; None: to begin."""

    actor: Any
    asked: Any
    position: int | None = None
    idle: bool = False


class RayHost:
    """Runs shards on workers that Ray hosts; one that dies is replaced, and its shard begun again.

    A shard that ends its worker three times is given up. A machine that is lost takes its workers with it, and no
    shard is blamed for that.
    """

    def __init__(self, cluster: RayCluster) -> None:
        self._cluster = cluster
        self._members: list[_Member] = []
        self._gpus = 0.0
        self._connected = False

    def written(
        self, stage: Stage, shards: Sequence[Shard], params: Mapping[str, Any], place: Place
    ) -> Generator[Written, None, None]:
        """The outputs, as the workers finish them."""
        if not shards:
            return
        ray = self._connect()
        gpus = self._cluster.gpus if stage.model else 0.0
        if gpus != self._gpus:
            # Workers of the other kind would hold on to what the new ones need.
            self._dismiss()
            self._gpus = gpus
        place = replace(place, folder=place.folder.resolve())
        waiting = list(range(len(shards)))  # a heap of positions: a shard begun again comes before what is new
        errors: dict[int, Exception] = {}
        deaths: list[list[bool]] = [[] for _ in shards]  # of each shard: whether it was to blame
        try:
            while True:
                self._give_out(stage, shards, params, place, waiting=waiting, errors=errors)
                busy = [member for member in self._members if member.position is not None]
                if not busy and not self._left(waiting, errors):
                    break
                for member in self._stirred(ray):
                    position = member.position
                    try:
                        reply = ray.get(member.asked)
                    except ray.exceptions.RayActorError as error:
                        self._members.remove(member)
                        if position is None:
                            _must_begin(error)
                            continue
                        deaths[position].append(not _machine_lost(error))
                        if sum(deaths[position]) < _LIVES and len(deaths[position]) < _MACHINES:
                            heapq.heappush(waiting, position)
                        else:
                            died = Died(started=True, code=0, told=str(error).splitlines()[-1].strip())
                            errors[position] = given_up(died, len(deaths[position]), stage, shards[position])
                        continue
                    member.position, member.idle = None, True
                    if position is None:
                        continue
                    read: Reply = pickle.loads(reply)
                    if read.written is None:
                        errors[position] = read.raised()
                    else:
                        yield read.written
        finally:
            # Still busy only when the run is broken off: by Ctrl-C, or by an error of the one who reads this.
            for member in [member for member in self._members if member.position is not None]:
                ray.kill(member.actor)
                self._members.remove(member)
        if errors:
            first = min(errors)
            name_error(errors[first], stage, shards[first])
            raise errors[first]

    def _left(self, waiting: Sequence[int], errors: Mapping[int, Exception]) -> bool:
        """Whether a shard is to be begun: after a failure only what comes before it, which may be the first to fail."""
        return bool(waiting) and (not errors or waiting[0] < min(errors))

    def _give_out(
        self,
        stage: Stage,
        shards: Sequence[Shard],
        params: Mapping[str, Any],
        place: Place,
        *,
        waiting: list[int],
        errors: dict[int, Exception],
    ) -> None:
        """A shard for every worker that has none, and workers for shards that have none, up to the number asked for."""
        for member in [member for member in self._members if member.idle]:
            if not self._left(waiting, errors):
                break
            position = heapq.heappop(waiting)
            try:
                task = packed_to_travel((stage, shards[position], params, place), place)
            except Exception as error:
                errors[position] = error
                break
            member.position, member.idle = position, False
            member.asked = member.actor.attempt.remote(task)
        coming = sum(member.position is None and not member.idle for member in self._members)
        while self._left(waiting, errors) and len(self._members) < self._cluster.workers and coming < len(waiting):
            self._members.append(self._begun())
            coming += 1

    def _begun(self) -> _Member:
        import ray

        actor_class = ray.remote(num_cpus=1, num_gpus=self._gpus, scheduling_strategy="SPREAD")(Hosted)
        actor = actor_class.remote(os.environ.get("OMP_NUM_THREADS") or str(os.cpu_count()))
        return _Member(actor, actor.begin.remote())

    def _stirred(self, ray: Any) -> list[_Member]:
        """The workers that have something to say; waits until there is one."""
        asked = {member.asked: member for member in self._members if not member.idle}
        ready, _ = ray.wait(list(asked), num_returns=1)
        return [asked[one] for one in ready]

    def _connect(self) -> Any:
        try:
            # Before the import: nothing of a run is reported to anybody.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            import ray
        except ImportError:
            raise RecipeError("Ray is not installed", fix="pip install 'pyrite[ray]'") from None
        if ray.is_initialized():
            _keep_stdout()
            return ray
        address = self._cluster.address or os.environ.get("RAY_ADDRESS", "")
        quiet = {"log_to_driver": False, "logging_level": "ERROR", "include_dashboard": False}
        if not address:
            # One more than needed, so that a worker that ends is replaced before its place is free.
            alone = {"num_cpus": self._cluster.workers + 1, "_node_ip_address": "127.0.0.1"}
            ray.init(address="local", **quiet, **alone)
        else:
            try:
                _must_answer(address)
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            except (OSError, RuntimeError, ValueError) as error:
                raise DataError(
                    "no Ray cluster answers there", where=address, fix="check --address, or start one: ray start --head"
                ) from error
        self._connected = True
        _keep_stdout()
        return ray

    def _dismiss(self) -> None:
        while self._members:
            import ray

            ray.kill(self._members.pop().actor)

    def close(self) -> None:
        """The workers end, and with them a Ray that was started for this run."""
        self._dismiss()
        if self._connected:
            import ray

            ray.shutdown()
            self._connected = False


def _must_answer(address: str) -> None:
    """OSError where nobody listens; Ray itself would ask for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


def _keep_stdout() -> None:
    """Ray tells of workers that died on stdout, whatever it is asked for, and stdout is for the result alone."""
    from ray._private import worker

    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None


def _machine_lost(error: Any) -> bool:
    return (
        bool(getattr(error, "preempted", False)) or "node has died" in str(error) or "node was terminated" in str(error)
    )


def _must_begin(error: Any) -> None:
    """A worker that ends before it begins is replaced where its machine is lost; else it would end again."""
    if not _machine_lost(error):
        told = str(error).strip().splitlines()[-1].strip()
        raise DataError(
            f"a worker could not begin on the cluster ({told})", fix="install the same Pyrite on every machine"
        ) from error
