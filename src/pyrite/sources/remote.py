"""Tables and whole folders of an object store (s3://, gs://, hf://, ...)."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pyrite.core import DataError, RecipeError
from pyrite.engine import Storage, asked, atomic_file, digest_of, file_system, local_copy, plain_url
from pyrite.formats import UNFINISHED, layout_of, read_json
from pyrite.sources.choosing import glob_pattern

BLOCK = 8 << 20
"""Bytes that are asked for at a time."""


@dataclass(frozen=True)
class RemoteFile:
    """A file of a store, read by parts; it has what readers ask of a `Path`, and travels to any machine.

    Attributes:
        url: where it is. size: its bytes. state: changes whenever the file does, as far as the store tells.
    """

    url: str
    size: int
    state: str

    def __str__(self) -> str:
        return self.url

    @property
    def name(self) -> str:
        """The last part of the URL."""
        return PurePosixPath(self.url).name

    @property
    def suffix(self) -> str:
        """The ending of the name."""
        return PurePosixPath(self.url).suffix

    def stat(self) -> os.stat_result:
        """The size; a store's times are not looked at."""
        return os.stat_result((0, 0, 0, 0, 0, 0, self.size, 0, 0, 0))

    def open(self, mode: str = "rb") -> io.BufferedReader:
        """The bytes, to be read and sought in; DataError for what the store refuses, then or later."""
        fs, path = file_system(self.url)
        stream = asked(self.url, "read", lambda: fs.open(path, mode, block_size=BLOCK))
        return io.BufferedReader(_Reader(self.url, stream), 1 << 20)

    def read_bytes(self) -> bytes:
        """All of it."""
        with self.open() as stream:
            return stream.read()


class _Reader(io.RawIOBase):
    """A stream of fsspec, whose errors are one sentence."""

    def __init__(self, url: str, stream: Any) -> None:
        self._url, self._stream = url, stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = asked(self._url, "read", lambda: self._stream.read(len(buffer)))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        return int(self._stream.tell())

    def close(self) -> None:
        self._stream.close()
        super().close()


def remote_files(url: str) -> list[RemoteFile]:
    """The files that a URL names, sorted: one file, those that fit a pattern, or all below a folder.

    RecipeError where there is none.
    """
    head, _, rest = url.partition("://")
    if "//" in rest:
        raise RecipeError("has an empty part in it", where=url, fix="name the file or folder as the store has it")
    # What is listed is the folder before the first sign of a pattern.
    within = re.split(r"[^/]*[*?\[]", url, maxsplit=1)[0]
    fs, path = file_system(within)
    fs.invalidate_cache()
    infos: Mapping[str, Mapping[str, Any]] = asked(url, "read", lambda: fs.find(path, detail=True))
    files = [
        RemoteFile(f"{head}://{name}", int(info["size"] or 0), _state(name, info))
        for name, info in sorted(infos.items())
    ]
    fits = glob_pattern(url) if within != url else None
    found = [one for one in files if fits is None or fits.fullmatch(one.url)]
    if not found:
        raise RecipeError("there is no such file or folder", where=url, fix="check the URL")
    return found


def within_folder(url: str, files: Sequence[RemoteFile]) -> dict[str, RemoteFile]:
    """The files that a URL names by their names below it; none where it names a file or a pattern."""
    head = f"{url.rstrip('/')}/"
    return {one.url.removeprefix(head): one for one in files if one.url.startswith(head)}


def _state(name: str, info: Mapping[str, Any]) -> str:
    marks = ("ETag", "etag", "md5Hash", "generation", "crc32c", "sha256", "blob_id", "VersionId", "mtime", "updated")
    told = {mark: str(info[mark]) for mark in marks if info.get(mark) is not None}
    return digest_of(name, told or str(sorted(info.items(), key=lambda item: item[0])))


def fetch_folder(url: str) -> Path:
    """The folder of this machine with every file below a URL as it is there now.

    What was fetched before is kept as long as the store tells of the same object, and the file here was not touched.
    RecipeError where nothing is there; DataError where it is no dataset, or where a build is being delivered.
    """
    storage, folder = Storage(plain_url(url)), local_copy(url)
    if not (infos := storage.infos()) or "" in infos:
        raise RecipeError("there is no such folder", where=url, fix="check the URL")
    if UNFINISHED in infos:
        fix = "let the build that writes it end, or run it again"
        raise DataError("is not delivered to its end", where=url, fix=fix)
    if "manifest.json" not in infos:
        # Better known before a whole bucket is fetched.
        layout_of(list(infos), where=url)
    known = folder.parent / "fetched.json"
    fetched: dict[str, Any] = read_json(known) if known.is_file() else {}
    for path in [one for one in folder.rglob("*") if one.is_file()] if folder.is_dir() else []:
        if path.relative_to(folder).as_posix() not in infos:
            path.unlink()
    now = {}
    for name, info in infos.items():
        path, state = folder / name, _state(name, info)
        if not path.is_file() or fetched.get(name) != [state, *_here(path)]:
            storage.fetch(name, path)
        now[name] = [state, *_here(path)]
    with atomic_file(known) as out:
        out.write_text(json.dumps(now), encoding="utf-8")
    return folder


def _here(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]
