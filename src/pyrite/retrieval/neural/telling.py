"""Who is told how far encoding and scoring are: whoever the caller named, else nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pyrite.engine import Progress, Silent

_listener: ContextVar[Progress] = ContextVar("listener", default=Silent())  # noqa: B039 - it holds no state


@contextmanager
def progress_to(progress: Progress | None) -> Iterator[None]:
    """Inside the block, neural systems tell `progress` how far they are (None: nobody)."""
    token = _listener.set(Silent() if progress is None else progress)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def shown(stage: str, total: int, unit: str) -> Iterator[Progress]:
    """A stage of work, shown until the block ends; what is yielded is told how many units are done."""
    listener = _listener.get()
    if not total:
        yield Silent()
        return
    listener.start(stage, total, unit)
    try:
        yield listener
    finally:
        listener.finish()
