"""A task on its way to a machine that shares no disk: the files that it names travel by the object store."""

from __future__ import annotations

import io
import os
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from pyrite.core import DataError
from pyrite.engine.files import digest_file, make_folder
from pyrite.engine.keys import digest_of
from pyrite.engine.place import LENT, Place
from pyrite.engine.storage import Storage, Stored

Reference: TypeAlias = tuple[str, Stored | list[tuple[str, Stored]] | None]
"""The store, and what of it is meant: a file, a folder of named files, or (None) the place itself."""


def packed_to_travel(task: Any, place: Place) -> bytes:
    """A task for a worker elsewhere.

    With a store every `Path` in it that is an output of the place, a file, or a lent folder becomes a reference to
    objects; a file or folder that the store lacks is put there first, once. Without one paths stay as they are.
    """
    # What is defined in a script travels by value: the workers don't have the script.
    from ray import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def persistent_id(self, value: Any) -> Any:
            return _reference(value, place)

    buffer = io.BytesIO()
    Pickler(buffer).dump(task)
    return buffer.getvalue()


def unpacked(task: bytes) -> Any:
    """The task on the machine where it is done; what it refers to is fetched first, once a machine."""
    return _Unpickler(io.BytesIO(task)).load()


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, reference: Reference) -> Any:
        url, what = reference
        place = Place.of(url)
        if what is None:
            return place
        return _file(what, place) if isinstance(what, Stored) else _folder(what, place)


def _reference(value: Any, place: Place) -> Reference | None:
    if place.storage is None:
        return None
    url = place.storage.url
    if isinstance(value, Place):
        return url, None
    if not isinstance(value, Path):
        return None
    path = value.resolve()
    if path.is_file():
        return url, _sent(path, place, place.storage)
    if path.is_dir() and any(path.is_relative_to(lent) for lent in place.lent):
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return url, [(one.relative_to(path).as_posix(), _sent(one, place, place.storage)) for one in files]
    return None


def _sent(path: Path, place: Place, storage: Storage) -> Stored:
    """A file as an object; what the store has already, under whatever name, is not put again."""
    folder, stat = place.folder.resolve(), path.stat()
    if path.is_relative_to(folder) and (output := place.outputs.get(path.relative_to(folder).as_posix())):
        return output
    state = (str(path), stat.st_size, stat.st_mtime_ns)
    if state not in place.sent:
        digest = digest_file(path)
        # A finished dataset's files are outputs by other names.
        same = (one for one in place.outputs.values() if (one.digest, one.size) == (digest, stat.st_size))
        stored = next(same, Stored(f"{LENT}/{digest}/{path.name}", stat.st_size, digest))
        if stored.name not in place.outputs and storage.size(stored.name) != stored.size:
            storage.put(path, stored.name)
        place.sent[state] = stored
    return place.sent[state]


def _file(stored: Stored, place: Place) -> Path:
    path = place.folder / stored.name
    if path.is_file() and path.stat().st_size == stored.size:
        return path
    assert place.storage is not None
    if not place.storage.get(stored, path):
        raise DataError(
            "is not there as it was put",
            where=place.storage.at(stored.name),
            fix="remove it, let nobody else write there, and run the same command again",
        )
    return path


def _folder(files: list[tuple[str, Stored]], place: Place) -> Path:
    folder = place.folder / LENT / digest_of([[name, stored.digest] for name, stored in files])
    for name, stored in files:
        path = _file(stored, place)
        make_folder((folder / name).parent)
        # Another worker of this machine may have been faster.
        with suppress(FileExistsError):
            os.link(path, folder / name)
    return folder
