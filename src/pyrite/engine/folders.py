"""Folders that are whole or absent: built beside the target, then swapped in."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from pyrite.core import DataError
from pyrite.engine.faults import disk_full, not_writable
from pyrite.engine.files import make_folder, sync


@contextlib.contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """An empty folder beside `path`, which takes its place when the block ends well.

    A folder that is at `path` already stays until then, and is gone after: the new one replaces all of it. When the
    block raises, or the swap fails, the old folder is as it was. A kill leaves the old folder, or the new one; in
    the instant between, the old one is `.NAME.old-*` beside `path`, and the next call for `path` puts it back.
    DataError when the disk is full, or when `path` cannot be a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     target = Path(parent, "dataset")
    ...     with atomic_folder(target) as out:
    ...         _ = Path(out, "README.md").write_text("# A dataset")
    ...     [file.name for file in target.iterdir()], [folder.name for folder in Path(parent).iterdir()]
    (['README.md'], ['dataset'])
    """
    target = Path(os.path.realpath(path))
    _refuse_unfit(target)
    token = secrets.token_hex(4)
    new, old = (target.with_name(f".{target.name}.{role}-{token}") for role in ("new", "old"))
    with _turn(target.parent):
        _recover(target)
        try:
            new.mkdir()
        except OSError as error:
            raise not_writable(error, target) from error
        owned = _own(new)
    try:
        yield new
        _sync_tree(new)
        with _turn(target.parent):
            _swap(new, target, old)
    except BaseException as error:
        shutil.rmtree(new, ignore_errors=True)
        if fault := disk_full(error, path):
            raise fault from error
        raise
    finally:
        if owned is not None:
            os.close(owned)
    shutil.rmtree(old, ignore_errors=True)


def _refuse_unfit(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise DataError("is a file, and a folder is to be written there", where=str(target), fix="choose another name")
    # A mounted folder cannot be renamed; better known now than after the work.
    if target.is_mount():
        raise DataError("is a mounted disk, which cannot be replaced", where=str(target), fix="name a folder inside it")
    make_folder(target.parent)


def _swap(new: Path, target: Path, old: Path) -> None:
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        if old.exists():
            old.rename(target)
        raise
    sync(target.parent)


def _recover(target: Path) -> None:
    """Put back the old folder of a run that was killed in its swap, and remove what dead runs left."""
    for old in sorted(target.parent.glob(f".{_literal(target.name)}.old-*")):
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)
    for new in sorted(target.parent.glob(f".{_literal(target.name)}.new-*")):
        # A run that lives holds the lock of its folder.
        owned = _own(new)
        if owned is not None:
            shutil.rmtree(new, ignore_errors=True)
            os.close(owned)


def _literal(name: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _own(folder: Path) -> int | None:
    """A descriptor that holds the folder's lock; None where another has it, or where there are no locks to have."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@contextlib.contextmanager
def _turn(parent: Path) -> Iterator[None]:
    """One at a time looks for leftovers, or swaps, in a folder; held for an instant, and by no file of its own."""
    descriptor = os.open(parent, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _sync_tree(folder: Path) -> None:
    for root, _, files in os.walk(folder):
        for file in files:
            sync(Path(root, file))
        sync(Path(root))
