"""What a storage error means to the person at the keyboard."""

from __future__ import annotations

import errno
import re
from pathlib import Path

from pyrite.core import DataError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_WORDS = re.compile(r"No space left on device|^\d+ requested and \d+ written$")
"""Polars and Arrow raise types of their own, some without a number, but in the system's words; numpy counts instead."""


def disk_full(error: BaseException, path: Path) -> DataError | None:
    """The sentence for a full disk, or None where the error is another one.

    `path` is what was being written; a file of another folder that the error names comes first, for it may be on
    another disk.

    >>> print(disk_full(OSError(errno.ENOSPC, "No space left on device"), Path("work/corpus.parquet")))
    work/corpus.parquet: the disk is full; free some space there and run the same command again, finished work is kept.
    >>> disk_full(OSError(errno.ENOENT, "No such file"), Path("work/corpus.parquet"))
    """
    by_number = isinstance(error, OSError) and error.errno in _FULL
    if not by_number and not _WORDS.search(str(error)):
        return None
    named = getattr(error, "filename", None)
    elsewhere = isinstance(named, str) and Path(named).parent != path.parent
    return DataError(
        "the disk is full",
        where=str(named if elsewhere else path),
        fix="free some space there and run the same command again, finished work is kept",
    )


def not_writable(error: OSError, path: Path) -> DataError:
    """The sentence for a place where nothing can be made: no permission, read-only, a file where a folder must be.

    >>> print(not_writable(OSError(errno.EACCES, "Permission denied"), Path("/out")))
    /out: cannot be written (Permission denied); choose a folder that you may write to.
    """
    return disk_full(error, path) or DataError(
        f"cannot be written ({error.strerror})", where=str(path), fix="choose a folder that you may write to"
    )
