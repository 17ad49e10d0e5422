"""One run at a time in a work folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from pyrite.core import DataError
from pyrite.engine.faults import not_writable


class WorkLock:
    """A lock that its process holds, and that ends with the process however it ends.

    The file stays: removing it would let two runs lock two files of one name. It holds the process id, for the
    sentence that a second run gets.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as work, WorkLock(Path(work)):
    ...     try:
    ...         WorkLock(Path(work)).acquire()
    ...     except DataError as refused:
    ...         refused.what.startswith("another run (process ")
    True
    """

    def __init__(self, work: Path) -> None:
        self._work = work
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock; DataError where another run holds it."""
        try:
            descriptor = os.open(self._work / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise not_writable(error, self._work) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            if not isinstance(error, BlockingIOError):
                raise DataError(
                    f"cannot be locked ({error.strerror})",
                    where=str(self._work),
                    fix="name a work folder on a disk with file locks",
                ) from error
            raise DataError(
                f"another run (process {holder}) is at work in this folder",
                where=str(self._work),
                fix="wait until it ends, or name another work folder",
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; nothing where it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> WorkLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
