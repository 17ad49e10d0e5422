"""Where the outputs of stages are: a folder of this machine, and behind it perhaps an object store for all machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyrite.core import DataError
from pyrite.engine.files import atomic_file, make_folder
from pyrite.engine.keys import digest_of
from pyrite.engine.manifest import NAME, ShardRow
from pyrite.engine.storage import Storage, Stored, is_url, local_path, plain_url

ROWS, LENT = "manifest", "lent"
"""In a store each row of the manifest is an object of its own, for no store can add to one; and what is no output, but
is read by workers, is there as well."""


def cache_folder(kind: str) -> Path:
    """The folder for one kind of kept data within the user's cache; it need not be there yet.

    >>> cache_folder("archives").parts[-2:]
    ('pyrite', 'archives')
    """
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "pyrite" / kind


def local_copy(url: str) -> Path:
    """Where this machine keeps its copy of a folder of a store.

    >>> local_copy("s3://bucket/gems/").name
    'gems'
    """
    url = plain_url(url)
    return cache_folder("datasets") / digest_of(url)[:16] / url.rpartition("/")[2]


@dataclass(frozen=True)
class Place:
    """A work folder, and the store that it is a copy of.

    With a store an output counts once it is there and its row is: the output is put, then the row, each one object, so
    that a row never stands without its output. Two runs that work for one store at the same time write the same
    objects. The folder holds what this machine has of it.

    Attributes:
        folder: of this machine. storage: the store; None: the folder is all there is.
        lent: folders that are no outputs and that workers elsewhere read, too.
        outputs: those that this run has seen, by name.
        sent: path, size and time of change of a lent file -> the object that it became.
    """

    folder: Path
    storage: Storage | None = None
    lent: set[Path] = field(default_factory=set)
    outputs: dict[str, Stored] = field(default_factory=dict)
    sent: dict[tuple[str, int, int], Stored] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[..., Place], tuple[object, ...]]:
        """A worker needs to know where to write, and no more."""
        return Place, (self.folder, self.storage)

    @classmethod
    def of(cls, work: Path | str) -> Place:
        """The place that a path or a URL names; a store has its folder in the user's cache."""
        if not is_url(work):
            return cls(local_path(work))
        url = plain_url(str(work))
        return cls(cache_folder("stores") / digest_of(url)[:16], Storage(url))

    def open(self) -> None:
        """Let the folder's manifest say what the store's rows say; its owner holds the folder's lock."""
        if self.storage is None:
            return
        names = sorted(self.storage.sizes(ROWS))
        fresh = [name for name in names if not (self.folder / name).is_file()]
        for name, data in self.storage.read_all(fresh).items():
            make_folder((self.folder / name).parent)
            with atomic_file(self.folder / name) as path:
                path.write_bytes(data)
        with atomic_file(self.folder / NAME) as path:
            path.write_bytes(b"".join((self.folder / name).read_bytes().strip() + b"\n" for name in names))

    def sizes(self, folder: str) -> Mapping[str, int]:
        """Output -> bytes of every one in this folder of the store; nothing without a store."""
        return {} if self.storage is None else self.storage.sizes(folder)

    def holds(self, row: ShardRow, sizes: Mapping[str, int]) -> bool:
        """Whether the output of a row is as it was written, here and in the store; mended where one of them lacks it.

        Args:
            row: the row. sizes: of the store, as `sizes` gives them.
        """
        here = row.holds(self.folder)
        if self.storage is not None:
            there = sizes.get(row.file) == row.size
            if here and not there:
                self.storage.put(self.folder / row.file, row.file)
            elif there and not here:
                here = self.storage.get(_stored(row), self.folder / row.file)
        if here:
            self.outputs[row.file] = _stored(row)
        return here

    def keep(self, row: ShardRow) -> None:
        """Put an output into the store, from the machine that wrote it."""
        if self.storage is not None:
            self.storage.put(self.folder / row.file, row.file)

    def commit(self, row: ShardRow, number: int) -> None:
        """Finish a shard, but for the folder's own manifest: its output is seen here, and its row is in the store.

        Args:
            row: the row. number: of the row in its run.
        """
        self._bring(row)
        if self.storage is not None:
            name = f"{ROWS}/{row.run:06d}-{number:06d}-{row.key.digest}.json"
            self.storage.write(name, row.to_line())
        self.outputs[row.file] = _stored(row)

    def _bring(self, row: ShardRow) -> None:
        path = self.folder / row.file
        if path.is_file():
            return
        if self.storage is None:
            raise DataError(
                "a worker of the cluster wrote it, and it is not to be seen here",
                where=str(path),
                fix="name a work folder on a disk that every machine shares, or in an object store, by --work",
            )
        if not self.storage.get(_stored(row), path):
            raise DataError(
                "is not there as a worker wrote it",
                where=self.storage.at(row.file),
                fix="let nobody else write there, and run the same command again",
            )


def _stored(row: ShardRow) -> Stored:
    return Stored(row.file, row.size, row.digest)
