"""Collections in a zip file: unpacked once, into the user's cache, and nothing but their tables."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath

from pyrite.core import DataError
from pyrite.engine import atomic_folder, cache_folder, digest_file
from pyrite.formats import layout_of

_BLOCK = 1 << 20
_ENCRYPTED = 0x1


def is_archive(path: Path) -> bool:
    """Whether a file is one that `unpack` takes, by its name."""
    return path.suffix.lower() == ".zip" and path.is_file()


def unpack(path: Path) -> Path:
    """The folder of a zipped collection, as BEIR gives them out; unpacked at the first call only.

    The collection may lie at the top of the archive or in one folder of it. Nothing is written outside the cache: a
    name that leads elsewhere, a link or an encrypted member is a DataError before anything is unpacked. The cache is
    the folder `pyrite` in XDG_CACHE_HOME, or in ~/.cache.
    """
    target = cache_folder("archives") / f"{path.stem}-{digest_file(path)[:12]}"
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, path)
            top = _top(list(members), path)
            if not target.is_dir():
                with atomic_folder(target) as folder:
                    for name, member in members.items():
                        if name.startswith(top):
                            _extract(archive, member, folder / name.removeprefix(top))
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise DataError("is not a whole zip file", where=str(path), fix="copy or download it again") from error
    return target


def _members(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """Name -> member, of the files that a collection may have."""
    members = {}
    for member in archive.infolist():
        place = PurePosixPath(member.filename.replace("\\", "/"))
        where = f"{path}, {member.filename}"
        if place.is_absolute() or ".." in place.parts or ":" in place.as_posix():
            raise DataError("its name leads out of the archive", where=where, fix="don't unpack it anywhere")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise DataError("is a link", where=where, fix="pack the file itself")
        if member.flag_bits & _ENCRYPTED:
            raise DataError("is encrypted", where=where, fix="unpack it yourself and name the folder")
        hidden = any(part.startswith((".", "__MACOSX")) for part in place.parts)
        if not member.is_dir() and not hidden:
            members[place.as_posix()] = member
    return members


def _top(names: list[str], path: Path) -> str:
    """The folder of the archive that holds the collection, with its slash; "" for the archive itself."""
    folders = ["", *sorted({f"{name.partition('/')[0]}/" for name in names if "/" in name})]
    for folder in folders:
        within = [name.removeprefix(folder) for name in names if name.startswith(folder)]
        try:
            layout_of(within, where=str(path))
        except DataError:
            continue
        return folder
    layout_of(names, where=str(path))
    raise AssertionError("the layout of no folder is known")


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    # Not archive.extract: the place is ours, and not the archive's word.
    with archive.open(member) as packed, out.open("wb") as file:
        shutil.copyfileobj(packed, file, _BLOCK)
