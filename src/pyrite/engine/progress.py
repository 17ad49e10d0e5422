"""How far long work is: a bar on a terminal, a line a minute elsewhere, or nothing."""

from __future__ import annotations

import threading
import time
from typing import Protocol, TextIO


class Progress(Protocol):
    """What is told how far the work is, one stage after another."""

    def start(self, stage: str, total: int, unit: str) -> None:
        """A stage begins, with so many units to do ("shards", "queries")."""
        ...

    def advance(self, n: int) -> None:
        """So many more units are done."""
        ...

    def finish(self) -> None:
        """The stage is over, done or broken off."""
        ...


class Silent:
    """Says nothing."""

    def start(self, stage: str, total: int, unit: str) -> None:
        """Nothing."""

    def advance(self, n: int) -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""


class TerminalProgress:
    """Stage, done of total, rate and time left: a bar where the stream is a terminal, else one line a minute.

    A stage that ends within its first minute writes no line. Rate and time left are those of the stage so far.

    Args:
        stream: where to, as a rule `sys.stderr`, so that results alone are on stdout.
        every: seconds between two lines.
    """

    def __init__(self, stream: TextIO, *, every: float = 60.0) -> None:
        self._stream = stream
        self._every = every
        self._shown: Progress | None = None

    def start(self, stage: str, total: int, unit: str) -> None:
        """Show a stage; one that was still shown is finished."""
        self.finish()
        if self._stream.isatty():
            # Here, because every worker process imports this module and none of them shows a bar.
            from pyrite.engine.bar import Bar

            self._shown = Bar(self._stream)
        else:
            self._shown = Lines(self._stream, every=self._every)
        self._shown.start(stage, total, unit)

    def advance(self, n: int) -> None:
        """Count on."""
        if self._shown is not None:
            self._shown.advance(n)

    def finish(self) -> None:
        """Leave the last state standing."""
        if self._shown is not None:
            self._shown.finish()
            self._shown = None


class Lines:
    """One line every so many seconds, written by the clock and not by the work: a long shard is no silence."""

    def __init__(self, stream: TextIO, *, every: float) -> None:
        self._stream, self._every = stream, every
        self._over = threading.Event()
        self._done = 0

    def start(self, stage: str, total: int, unit: str) -> None:
        """Begin to count."""
        self._stage, self._total, self._unit = stage, total, unit
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._write_lines, daemon=True)
        self._thread.start()

    def advance(self, n: int) -> None:
        """Count on."""
        self._done += n

    def finish(self) -> None:
        """Write no more."""
        self._over.set()
        self._thread.join()

    def _write_lines(self) -> None:
        while not self._over.wait(self._every):
            how_fast = pace(self._done, self._total, time.monotonic() - self._began)
            self._stream.write(f"{self._stage}: {self._done}/{self._total} {self._unit}, {how_fast}\n")
            self._stream.flush()


def pace(done: int, total: int, seconds: float) -> str:
    """Rate and time left, for a reader; the rate by the minute where it is slow.

    >>> pace(30, 90, 10.0)
    '3.0/s, 0:00:20 left'
    >>> pace(2, 10, 240.0)
    '0.5/min, 0:16:00 left'
    >>> pace(0, 10, 5.0)
    'no rate yet'
    """
    if not done or seconds <= 0:
        return "no rate yet"
    rate = done / seconds
    speed = f"{rate:,.1f}/s" if rate >= 1 else f"{rate * 60:,.1f}/min"
    left = round((total - done) / rate)
    return f"{speed}, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
