"""Who runs the shards: this process, or a pool of others."""

from __future__ import annotations

import heapq
from collections.abc import Generator, Mapping, Sequence
from multiprocessing import connection
from typing import Any, Protocol

from pyrite.core import DataError, PyriteError
from pyrite.engine.place import Place
from pyrite.engine.shard import Shard, Stage, Written, run_shard
from pyrite.engine.worker import Died, Worker, packed

_LIVES = 3


class Host(Protocol):
    """Runs shards somewhere and says what was written, as it is written."""

    def written(
        self, stage: Stage, shards: Sequence[Shard], params: Mapping[str, Any], place: Place
    ) -> Generator[Written, None, None]:
        """The outputs, in the order in which they become ready.

        When a shard fails, what was begun is brought to its end and given, and then the error of the first failed
        shard is raised, first by the order of `shards`: the same one whoever hosts. Closing the iterator early
        stops the work at once.
        """
        ...

    def close(self) -> None:
        """End whatever was started."""
        ...


class Inline:
    """The process that asks, one shard after another."""

    def written(
        self, stage: Stage, shards: Sequence[Shard], params: Mapping[str, Any], place: Place
    ) -> Generator[Written, None, None]:
        """The outputs, in shard order."""
        for shard in shards:
            try:
                written = run_shard(stage, shard, params, place.folder)
                place.keep(written.row)
            except Exception as error:
                name_error(error, stage, shard)
                raise
            yield written

    def close(self) -> None:
        """Nothing was started."""


class LocalPool:
    """Processes of this machine; one that dies is replaced, and its shard begun again.

    Each worker has a pipe of its own rather than a queue for all. So one death costs one shard, and it is known
    whose: a shard that ends its worker three times is to blame for it, and the others are not.

    Args:
        workers: how many processes at most; they start when there is work, and stay for the stages that follow.
    """

    def __init__(self, workers: int) -> None:
        self._size = workers
        self._idle: list[Worker] = []

    def written(
        self, stage: Stage, shards: Sequence[Shard], params: Mapping[str, Any], place: Place
    ) -> Generator[Written, None, None]:
        """The outputs, as the workers finish them."""
        waiting = list(range(len(shards)))  # a heap of positions: a shard begun again comes before what is new
        busy: dict[int, Worker] = {}
        deaths = [0] * len(shards)
        errors: dict[int, Exception] = {}
        try:
            while True:
                # After a failure only what comes before it is still begun: it may be the first to fail.
                while waiting and len(busy) < self._size and waiting[0] < min(errors, default=len(shards)):
                    position = heapq.heappop(waiting)
                    try:
                        task = packed(stage, shards[position], params, place)
                    except Exception as error:
                        errors[position] = error
                        break
                    busy[position] = self._idle.pop() if self._idle else Worker()
                    busy[position].give(task)
                if not busy:
                    break
                for position in _stirred(busy):
                    worker = busy[position]
                    reply = worker.reply()
                    if reply is None:
                        continue
                    del busy[position]
                    if isinstance(reply, Died):
                        deaths[position] += 1
                        if deaths[position] < _LIVES and not reply.by_itself:
                            heapq.heappush(waiting, position)
                        else:
                            errors[position] = given_up(reply, deaths[position], stage, shards[position])
                        continue
                    self._idle.append(worker)
                    if reply.written is None:
                        errors[position] = reply.raised()
                    else:
                        yield reply.written
        finally:
            # Still busy only when the run is broken off: by Ctrl-C, or by an error of the one who reads this.
            for worker in busy.values():
                worker.kill()
        if errors:
            first = min(errors)
            name_error(errors[first], stage, shards[first])
            raise errors[first]

    def close(self) -> None:
        """The workers end, and are waited for."""
        for worker in self._idle:
            worker.dismiss()
        while self._idle:
            self._idle.pop().kill(patience=5.0)


def _stirred(busy: Mapping[int, Worker]) -> list[int]:
    """The shards whose worker said something, or ended; waits until there is one."""
    ready = connection.wait([handle for worker in busy.values() for handle in worker.handles])
    return [position for position, worker in busy.items() if any(handle in ready for handle in worker.handles)]


def given_up(died: Died, deaths: int, stage: Stage, shard: Shard) -> DataError:
    """The error for a shard whose worker ended too often."""
    where = f"stage '{stage.name}', shard '{shard.name}'"
    if not died.started:
        return DataError(
            f"the worker process ended before it could begin, {died.how}",
            where=where,
            fix='in a script, put what it runs under `if __name__ == "__main__":`, or use one worker',
        )
    return DataError(
        f"the worker process ended {deaths} times on this shard, the last time {died.how}",
        where=where,
        fix="if it ran out of memory use fewer workers, else look for a crash in what the stage calls",
    )


def name_error(error: Exception, stage: Stage, shard: Shard) -> None:
    """Say whose error it is; one of Pyrite's own says where it happened by itself."""
    if not isinstance(error, PyriteError):
        error.add_note(f"This happened in stage '{stage.name}', shard '{shard.name}'.")
