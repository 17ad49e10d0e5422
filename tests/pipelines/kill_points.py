"""Points at which a process can be killed: before and after each write, flush, rename, link and manifest row.

`install` puts them into a process; from then on every point is a line of a trace, and at one of them the process ends
by SIGKILL, is interrupted, or finds the disk full. What it really did (rows hashed, texts encoded, shards worked on) is
counted in a second file.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pyrite.engine import Storage, hosts, manifest, worker
from pyrite.pipelines import benchmark_stages, nano_stages, training_stages

WRITE = os.write
ENVIRONMENT = "PYRITE_TEST_KILL_POINTS"
"""What a worker process is told of the points, as JSON."""


@dataclass(frozen=True)
class Points:
    """Which point is deadly, and where things are written down.

    Attributes:
        trace: a file: one line a point. work: a file: one line for everything that was counted.
        die_at: the number of the deadly point, from 1; 0: none.
        inside: "main", the process that builds, or "worker", one of its pool.
        died: a file that is made at the death: nobody dies twice.
        how: "kill", "interrupt" (Ctrl-C), or "full": what is written there does not fit on the disk.
        clock: whether the time of day jumps, a year on or a day back, whenever it is asked for.
    """

    trace: str
    work: str
    die_at: int = 0
    inside: str = "main"
    died: str = ""
    how: str = "kill"
    clock: bool = False

    def to_environment(self) -> None:
        os.environ[ENVIRONMENT] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Points | None:
        return cls(**json.loads(os.environ[ENVIRONMENT])) if ENVIRONMENT in os.environ else None


class Watch:
    """Counts the points of this process, and ends it at the deadly one."""

    def __init__(self, points: Points, *, inside: str) -> None:
        self.points, self.number = points, 0
        self.mine = points.inside == inside
        self.trace = os.open(points.trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.work = os.open(points.work, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def point(self, name: str) -> None:
        if not self.mine:
            return
        self.number += 1
        WRITE(self.trace, f"{name}\n".encode())
        if self.number == self.points.die_at:
            try:
                os.close(os.open(self.points.died, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return
            self.strike()

    def strike(self) -> None:
        if self.points.how == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.kill(os.getpid(), signal.SIGINT if self.points.how == "interrupt" else signal.SIGKILL)

    def count(self, what: str, number: int) -> None:
        WRITE(self.work, f"{what}\t{number}\n".encode())

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call with a point before and one after it."""

        def watched(*given: Any, **named: Any) -> Any:
            if "__pycache__" in str(given[-1]):
                return call(*given, **named)  # what a compiler keeps, in its first run alone
            self.point(f"before {name}")
            result = call(*given, **named)
            self.point(f"after {name}")
            return result

        watched.__qualname__ = getattr(call, "__qualname__", name)
        return watched

    def row(self, descriptor: int, data: Any) -> int:
        """A manifest's write, which can also be torn in its middle."""
        self.point("before row")
        half = len(data) // 2
        written = WRITE(descriptor, bytes(data[:half]))
        self.point("inside row")
        written += WRITE(descriptor, bytes(data[half:]))
        self.point("after row")
        return written

    def hashing(self, what: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(texts: Any, *given: Any, **named: Any) -> Any:
            self.count(what, len(texts))
            return call(texts, *given, **named)

        return counted

    def shard(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def worked(stage: Any, shard: Any, *given: Any) -> Any:
            self.count(f"shard of {stage.name}", 1)
            self.point("before shard")
            done = call(stage, shard, *given)
            self.point("after shard")
            return done

        return worked


def install(points: Points, *, inside: str) -> Watch:
    """Put the points into this process."""
    watch = Watch(points, inside=inside)
    if points.clock:
        jumps, true_time = itertools.cycle((0.0, 31_536_000.0, -86_400.0)), time.time
        time.time = lambda: true_time() + next(jumps)
    for name in ("fsync", "replace", "rename", "link"):
        setattr(os, name, watch.around(name, getattr(os, name)))
    for name in ("write_text", "write_bytes"):
        setattr(Path, name, watch.around("write", getattr(Path, name)))
    for name in ("write_table", "close"):
        setattr(pq.ParquetWriter, name, watch.around("write", getattr(pq.ParquetWriter, name)))
    for name in ("put", "write"):
        setattr(Storage, name, watch.around("object", getattr(Storage, name)))
    manifest.os = _Os(watch)  # type: ignore[attr-defined]
    hosts.run_shard = watch.shard(hosts.run_shard)  # type: ignore[assignment]
    worker.run_shard = watch.shard(worker.run_shard)  # type: ignore[assignment]
    for module in (benchmark_stages, nano_stages, training_stages):
        module.digests = watch.hashing("rows hashed", module.digests)  # type: ignore[attr-defined]
    return watch


class _Os:
    """The module `os` as the manifest sees it."""

    def __init__(self, watch: Watch) -> None:
        self.write = watch.row

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def counted(path: Path) -> Counter[str]:
    """What was really done, by kind."""
    totals: Counter[str] = Counter()
    for line in path.read_text().splitlines() if path.exists() else []:
        what, number = line.split("\t")
        totals[what] += int(number)
    return totals
