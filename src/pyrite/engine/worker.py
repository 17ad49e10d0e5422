"""One process of a pool, and both ends of the pipe to it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from pyrite.engine.place import Place
from pyrite.engine.shard import Shard, Stage, Written, run_shard
from pyrite.engine.travel import unpacked

_STARTED = b"started"


@dataclass(frozen=True)
class Reply:
    """What came of a shard: its output, or its error.

    The error travels as bytes and as text, because one of a type that the parent cannot load must not break the pipe.
    """

    written: Written | None = None
    error: bytes = b""
    text: str = ""
    trace: str = ""

    @classmethod
    def failed(cls, error: Exception) -> Reply:
        """The reply for an error of the work."""
        try:
            as_bytes = pickle.dumps(error)
        except Exception:
            as_bytes = b""
        text = "".join(traceback.format_exception_only(error)).strip()
        return cls(error=as_bytes, text=text, trace="".join(traceback.format_exception(error)))

    def raised(self) -> Exception:
        """The error with the worker's traceback as a note; a RuntimeError in its words where it could not travel."""
        try:
            error = pickle.loads(self.error)
        except Exception:
            error = RuntimeError(self.text)
        assert isinstance(error, Exception)
        error.add_note(f"In the worker:\n{self.trace}")
        return error


@dataclass(frozen=True)
class Died:
    """The end of a worker before its reply: whether it had begun to serve at all, its exit code or what is told."""

    started: bool
    code: int
    told: str = ""

    @property
    def by_itself(self) -> bool:
        """Whether it gave up on starting, as it would again: a script that cannot be imported, say."""
        return not self.started and self.code >= 0

    @property
    def how(self) -> str:
        """How it ended, for a sentence."""
        if self.told:
            return f"({self.told})"
        return f"by the signal '{signal.strsignal(-self.code)}'" if self.code < 0 else f"with exit code {self.code}"


def packed(stage: Stage, shard: Shard, params: Mapping[str, Any], place: Place) -> bytes:
    """A task as it travels to a worker of this machine."""
    return pickle.dumps((stage, shard, params, place))


class Worker:
    """A spawned process that does one shard at a time.

    Spawned, not forked: a fork copies the locks that other threads hold, and Arrow, Polars and numba have threads.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), name="pyrite-worker")
        self._started = False
        # It starts with the first process, and lets interrupts through again behind our back.
        resource_tracker.ensure_running()
        with _interrupts_held():
            self._process.start()
        # With this end closed here, the pipe ends when the worker does.
        theirs.close()

    @property
    def handles(self) -> tuple[Any, ...]:
        """What to wait on: one is ready when the worker says something, or when it ended."""
        return self._pipe, self._process.sentinel

    def give(self, task: bytes) -> None:
        """Hand over a task. That the worker is dead by now shows in `reply`."""
        with contextlib.suppress(OSError):
            self._pipe.send_bytes(task)

    def reply(self) -> Reply | Died | None:
        """What the worker says about its task, or None as long as it says nothing."""
        try:
            while self._pipe.poll():
                message = self._pipe.recv_bytes()
                if message != _STARTED:
                    reply: Reply = pickle.loads(message)
                    return reply
                self._started = True
        except (EOFError, OSError):
            return self._died()
        return None if self._process.is_alive() else self._died()

    def _died(self) -> Died:
        self.kill(patience=5.0)
        return Died(self._started, self._process.exitcode or 0)

    def dismiss(self) -> None:
        """Let an idle worker end."""
        self._pipe.close()

    def kill(self, *, patience: float = 0.0) -> None:
        """End the worker, after so many seconds to end by itself."""
        self._pipe.close()
        self._process.join(patience)
        self._process.kill()
        self._process.join()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process started inside never sees Ctrl-C, from its first instruction on: it is for the parent to act on it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # When the parent's end is gone there is nobody left to tell.
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(_STARTED)
        while True:
            task = pipe.recv_bytes()
            pipe.send_bytes(pickle.dumps(attempt(task)))


def attempt(task: bytes) -> Reply:
    """Do a packed task: its output, or its error."""
    try:
        stage, shard, params, place = unpacked(task)
        written = run_shard(stage, shard, params, place.folder)
        place.keep(written.row)
        return Reply(written)
    except Exception as error:
        return Reply.failed(error)


def _end_with_parent() -> None:
    """A worker whose parent was killed has nobody to work for, however long its shard would still take."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
