"""The account of finished shards: one JSON row each, and the row is what makes a shard finished."""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyrite.engine.faults import disk_full, not_writable
from pyrite.engine.files import digest_file, sync
from pyrite.engine.keys import WorkKey, canonical

NAME = "manifest.jsonl"


@dataclass(frozen=True)
class ShardRow:
    """One finished shard.

    Attributes:
        key: what decided the output; its digest is the row's identity.
        name: what the shard is called.
        file: the output, relative to the work folder.
        size, digest: of the output's bytes, digest as `digest_file`.
        facts: what the work said about it, plain values, keys sorted.
        parts: part of the input -> digest of it, where the shard names them.
        run: which run of the work folder did it, from 1; 0 where that was not written down.
    """

    key: WorkKey
    name: str
    file: str
    size: int
    digest: str
    facts: Mapping[str, Any]
    parts: Mapping[str, str] = field(default_factory=dict)
    run: int = 0

    def holds(self, work: Path) -> bool:
        """Whether the output is there, of this size and with these bytes."""
        path = work / self.file
        try:
            return path.stat().st_size == self.size and digest_file(path) == self.digest
        except OSError:
            return False

    def to_line(self) -> bytes:
        """The row as a line of the manifest."""
        return (
            canonical(
                {
                    "key": self.key.digest,
                    "stage": self.key.stage,
                    "shard": self.name,
                    "file": self.file,
                    "size": self.size,
                    "digest": self.digest,
                    "facts": self.facts,
                    # Why a key is what it is: by these a later run can say which part of it changed.
                    "version": self.key.version,
                    "params": self.key.params,
                    "input": self.key.shard,
                    "parts": self.parts,
                    "run": self.run,
                }
            ).encode()
            + b"\n"
        )

    @classmethod
    def from_line(cls, line: bytes) -> ShardRow:
        """The row that `to_line` wrote; ValueError, KeyError or TypeError for a line that it did not."""
        row = json.loads(line)
        key = WorkKey(row["stage"], row["version"], row["params"], row["input"])
        if key.digest != row["key"]:
            raise ValueError("the key is not that of its parts")
        # The last two came later: a folder of an older release is as good as before.
        further = row.get("parts", {}), row.get("run", 0)
        told = cls(key, row["shard"], row["file"], row["size"], row["digest"], row["facts"], *further)
        kinds = (told.name, str), (told.file, str), (told.size, int), (told.digest, str), (told.run, int)
        if not all(isinstance(value, kind) for value, kind in (*kinds, (told.facts, dict), (told.parts, dict))):
            raise TypeError("a value is of another type")
        return told


def read_rows(work: Path) -> list[ShardRow]:
    """The rows of a work folder in the order in which they were added, several of one key among them.

    Nothing is locked or mended: a run may be at work there. A damaged line is left out.
    """
    try:
        text = (work / NAME).read_bytes()
    except FileNotFoundError:
        return []
    rows = []
    for line in text[: text.rfind(b"\n") + 1].splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            rows.append(ShardRow.from_line(line))
    return rows


class WorkManifest:
    """The rows of a work folder, read once and then only added to; its owner holds the folder's lock.

    A last line without an end was torn by a crash: it is cut off, and its shard counts as unfinished. So does the
    shard of a line that is damaged elsewhere, with a warning. Of two rows of one key the later is true.
    """

    def __init__(self, work: Path) -> None:
        self._path = work / NAME
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise not_writable(error, self._path) from error
        sync(work)
        text = self._path.read_bytes()
        self._length = text.rfind(b"\n") + 1
        if self._length < len(text):
            os.ftruncate(self._descriptor, self._length)
            os.fsync(self._descriptor)
        self._rows: dict[str, ShardRow] = {}
        for number, line in enumerate(text[: self._length].splitlines(), start=1):
            try:
                row = ShardRow.from_line(line)
            except (ValueError, KeyError, TypeError):
                warnings.warn(f"{self._path}, line {number} is damaged; its shard is done again", stacklevel=2)
            else:
                self._rows[row.key.digest] = row

    @property
    def runs(self) -> int:
        """The number of the last run that finished a shard."""
        return max((row.run for row in self._rows.values()), default=0)

    def get(self, key: WorkKey) -> ShardRow | None:
        """The row of a key, or None where it is not finished."""
        return self._rows.get(key.digest)

    def add(self, row: ShardRow) -> None:
        """The commit point: when this returns, the shard is finished whatever happens next."""
        line = row.to_line()
        try:
            left = memoryview(line)
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fsync(self._descriptor)
        except BaseException as error:
            # The next row must not be glued to a torn one.
            os.ftruncate(self._descriptor, self._length)
            if fault := disk_full(error, self._path):
                raise fault from error
            raise
        self._length += len(line)
        self._rows[row.key.digest] = row

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)
