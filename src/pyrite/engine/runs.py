"""Work folders seen from outside: what is in them, why a stage ran again, and how one is removed."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyrite.core import DataError
from pyrite.engine.files import atomic_file, make_folder
from pyrite.engine.lock import WorkLock
from pyrite.engine.manifest import NAME, ShardRow, read_rows
from pyrite.engine.place import LENT, ROWS, Place
from pyrite.engine.storage import Storage

_ABOUT = "about.json"


@dataclass(frozen=True)
class WorkFolder:
    """One work folder, as it is now.

    Attributes:
        path: where it is.
        about: what was built there, as it was told: "name", "kind", "recipe", "out"; and "store", the URL of an object
            store whose copy this is.
        stages: stage -> finished shards, in the order in which the stages began.
        size: bytes of its files. freed: bytes that its removal gives back; the rest is shared with a built folder.
        used: when a run last began or finished a shard there, in seconds since 1970.
    """

    path: Path
    about: Mapping[str, str]
    stages: Mapping[str, int]
    size: int
    freed: int
    used: float

    @classmethod
    def read(cls, path: Path) -> WorkFolder:
        """What is in a work folder; DataError where it is none."""
        if not is_work_folder(path):
            raise DataError(
                "is no work folder of a run", where=str(path), fix="name one that `pyrite runs` lists, or its parent"
            )
        keys = {row.key.digest: row.key.stage for row in read_rows(path)}
        stats = [file.stat() for file in path.rglob("*") if file.is_file()]
        used = max(_changed(path / name) for name in (NAME, ".lock"))
        alone = sum(stat.st_size for stat in stats if stat.st_nlink == 1)
        return cls(path, _read_about(path), Counter(keys.values()), sum(s.st_size for s in stats), alone, used)


@dataclass(frozen=True)
class Rerun:
    """A stage of the last run in which a work folder had something to do.

    Attributes:
        stage: its name. done: how many of its shards were done in that run.
        reasons: why -> how many shards, the most frequent first.
    """

    stage: str
    done: int
    reasons: Mapping[str, int]


def is_work_folder(path: Path) -> bool:
    """Whether an engine has worked there."""
    return (path / NAME).is_file() and (path / ".lock").is_file()


def copy_of_store(url: str) -> Path:
    """The copy of a work folder of an object store on this machine, with the rows that are there now; no outputs.

    DataError where no run has ever finished a shard there.
    """
    place = Place.of(url)
    if not _own_rows(Storage(url)):
        fix = "name the URL that was given as --work"
        raise DataError("is no work folder of a run", where=url, fix=fix)
    make_folder(place.folder)
    with WorkLock(place.folder):
        place.open()
        write_about(place.folder, {**_read_about(place.folder), "store": url.rstrip("/")})
    return place.folder


def work_folders(parent: Path) -> list[WorkFolder]:
    """The work folders in a folder, by name; the folder itself where it is one."""
    if is_work_folder(parent):
        return [WorkFolder.read(parent)]
    inside = sorted(parent.iterdir()) if parent.is_dir() else []
    return [WorkFolder.read(path) for path in inside if is_work_folder(path)]


def write_about(work: Path, about: Mapping[str, str]) -> None:
    """Write down what is built in a work folder; its owner holds the lock."""
    if _read_about(work) != about:
        with atomic_file(work / _ABOUT) as path:
            path.write_text(json.dumps(dict(about), ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")


def _read_about(work: Path) -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        return {str(key): str(value) for key, value in json.loads((work / _ABOUT).read_text("utf-8")).items()}
    return {}


def explain(work: Path) -> list[Rerun]:
    """Why the last run of a work folder did what it did, stage by stage in the order of the work.

    A shard is compared with the one of its name that an earlier run had finished. DataError for another folder.
    """
    WorkFolder.read(work)
    rows = read_rows(work)
    last = max((row.run for row in rows), default=0)
    before: dict[tuple[str, str], list[ShardRow]] = {}
    reasons: dict[str, Counter[str]] = {}
    for row in rows:
        if row.run < last:
            before.setdefault((row.key.stage, row.name), []).append(row)
    for row in rows:
        if row.run == last:
            earlier = before.get((row.key.stage, row.name), [])
            reasons.setdefault(row.key.stage, Counter())[why(row, earlier)] += 1
    return [Rerun(stage, counts.total(), dict(counts.most_common())) for stage, counts in reasons.items()]


def why(row: ShardRow, earlier: Sequence[ShardRow]) -> str:
    """What of a shard's key is not as it was in any of its earlier rows, in words.

    >>> from pyrite.engine.keys import WorkKey
    >>> old, new = (ShardRow(WorkKey.of("scan", 1, {"seed": n}, "ab"), "a", "f", 0, "", {}) for n in (1, 2))
    >>> why(new, [old]), why(new, []), why(old, [old])
    ("the parameter 'seed' is another", 'not done before', 'the output was gone, or not as it was written')
    """
    if not earlier:
        return "not done before"
    changes = min((_changes(row, one) for one in reversed(earlier)), key=len)
    return " and ".join(changes) or "the output was gone, or not as it was written"


def _changes(row: ShardRow, earlier: ShardRow) -> list[str]:
    new, old = row.key, earlier.key
    changes = []
    if new.version != old.version:
        changes.append(f"the stage's version is {new.version}, it was {old.version}")
    changes += [f"the parameter '{name}' is another" for name in _differing(new.params, old.params)]
    if new.shard != old.shard:
        named = [f"the input '{name}' is another" for name in _differing(row.parts, earlier.parts)]
        changes += named if row.parts.keys() == earlier.parts.keys() and named else ["the input is another"]
    return changes


def _differing(new: Mapping[str, str], old: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*new, *old} if new.get(name) != old.get(name))


def remove_work(work: Path) -> None:
    """Remove a work folder; DataError where a run is at work there, or where it is none.

    Of an object store it is the copy on this machine that goes; see `remove_stored_work`.
    """
    if not is_work_folder(work):
        raise DataError("is no work folder of a run", where=str(work), fix="remove it by hand")
    with WorkLock(work):
        # Without its manifest it is not taken for finished work, should the removal be broken off.
        (work / NAME).unlink()
        shutil.rmtree(work, ignore_errors=True)
    if work.exists():
        raise DataError("could not be removed whole", where=str(work), fix="check who owns its files")


def remove_stored_work(url: str) -> None:
    """Remove the work in an object store, and the copy of it on this machine; whatever else is there stays."""
    work = copy_of_store(url)
    with WorkLock(work):
        storage = Storage(url)
        rows = _own_rows(storage)
        storage.remove(sorted(rows))
        names = storage.sizes()
        outputs = {row.file for row in rows.values()}
        storage.remove([name for name in names if name in outputs or _LENT_NAME.fullmatch(name)])
    remove_work(work)


_LENT_NAME = re.compile(rf"{LENT}/[0-9a-f]{{32}}/[^/]+")


def _own_rows(storage: Storage) -> dict[str, ShardRow]:
    """Object -> the row in it, of every one that is a row."""
    rows = {}
    for name, data in storage.read_all(list(storage.sizes(ROWS))).items():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            rows[name] = ShardRow.from_line(data)
    return rows


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
