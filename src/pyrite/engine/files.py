"""Files that are whole or absent: a temporary file beside the target, flushed, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import xxhash

from pyrite.core import DataError
from pyrite.engine.faults import disk_full, not_writable

_TEMPORARY = ".tmp-"
_BLOCK = 1 << 20


def digest_file(path: Path) -> str:
    """The xxh3_128 digest of a file's bytes, 32 hex characters, read in a stream.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "empty")
    ...     _ = file.write_bytes(b"")
    ...     digest_file(file)
    '99aa06d3014798d86001c324468d497f'
    """
    digest = xxhash.xxh3_128()
    block = memoryview(bytearray(_BLOCK))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(block):
            digest.update(block[:count])
    return str(digest.hexdigest())


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A temporary path in the same folder, which becomes `path` when the block ends well.

    Whatever happens, `path` holds its old bytes or all of the new ones: the temporary file is flushed to the disk
    before it is renamed, and removed when the block raises. A link at `path` stays a link. The folder is made where
    it is missing. DataError when the disk is full, or when nothing can be written there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder, "counts.txt")
    ...     with atomic_file(target) as out:
    ...         _ = out.write_text("42")
    ...     target.read_text(), [file.name for file in Path(folder).iterdir()]
    ('42', ['counts.txt'])
    """
    target = Path(os.path.realpath(path))
    make_folder(target.parent)
    _refuse_unfit(target)
    # The target's name stays at the end, so that writers which look at the suffix see the true one.
    temporary = target.with_name(f"{_TEMPORARY}{secrets.token_hex(4)}-{target.name}")
    try:
        yield temporary
        sync(temporary)
        temporary.replace(target)
        sync(target.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if fault := disk_full(error, path):
            raise fault from error
        if isinstance(error, FileNotFoundError) and error.filename == str(temporary):
            # Some file systems, /proc among them, say so only when a file is made.
            raise not_writable(error, target) from error
        raise


def _refuse_unfit(target: Path) -> None:
    # Better known before the work than after it.
    if target.is_dir():
        raise DataError("is a folder, and a file is to be written there", where=str(target), fix="choose another name")
    if not os.access(target.parent, os.W_OK):
        raise not_writable(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), target)


def make_folder(folder: Path) -> None:
    """The folder exists, with those above it; DataError where it cannot."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_writable(error, folder) from error


def sync(path: Path) -> None:
    """What was written to this file, or the names in this folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove the temporary files that a killed run left in this folder; its owner must hold the folder's lock."""
    for stray in sorted(folder.glob(f"{_TEMPORARY}*")):
        with contextlib.suppress(FileNotFoundError):
            stray.unlink()
