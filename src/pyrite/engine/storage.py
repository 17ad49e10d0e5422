"""A folder of an object store (s3://, gs://, hf://, ...), as fsspec reaches it: whole objects, no rename, no lock."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pyrite.core import DataError, PyriteError, RecipeError
from pyrite.engine.files import atomic_file, digest_file

T = TypeVar("T")

_MAGIC = re.compile(r"[*?\[\]]")

_EXTRAS = {"s3": "pyrite[s3]", "s3a": "pyrite[s3]", "gs": "pyrite[gs]", "gcs": "pyrite[gs]"}


def is_url(path: str | Path) -> bool:
    """Whether this names an object store, and not a file or folder of this machine.

    >>> is_url("s3://bucket/work"), is_url("/work"), is_url("file:///work"), is_url("C:/work")
    (True, False, False, False)
    """
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", str(path))) and not str(path).startswith("file://")


def local_path(path: str | Path) -> Path:
    """A path of this machine, also as `file:///work`; RecipeError for what looks like a URL with a slash too few."""
    given = str(path).removeprefix("file://")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", given):
        raise RecipeError(
            "is no URL, which has two slashes, and hardly a path", where=given, fix=f"a path is ./{given}"
        )
    return Path(given).expanduser()


def plain_url(url: str) -> str:
    """The URL of one folder, without a slash at its end; RecipeError where it is none, or could be taken for others.

    >>> plain_url("s3://bucket/gems/")
    's3://bucket/gems'
    >>> plain_url("s3://bucket/gems-*")
    Traceback (most recent call last):
    pyrite.core.errors.RecipeError: s3://bucket/gems-*: has a sign of a pattern in it; name one folder, without * ? [ ].
    """
    scheme, _, rest = url.partition("://")
    parts = rest.rstrip("/").removeprefix("/" if scheme in ("local", "memory") else "").split("/")
    if _MAGIC.search(rest):
        raise RecipeError("has a sign of a pattern in it", where=url, fix="name one folder, without * ? [ ]")
    if not {"", ".", ".."}.isdisjoint(parts):
        raise RecipeError("has an empty part, or . or .., in it", where=url, fix="name the folder as the store has it")
    return f"{scheme}://{rest.rstrip('/')}"


def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL as fsspec has it, and the path in it; RecipeError where there is none."""
    import fsspec

    for logger in map(logging.getLogger, ("gcsfs", "google.auth")):
        # What they log of a refusal, with tracebacks, is told in one sentence.
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
    try:
        fs, path = fsspec.core.url_to_fs(url.rstrip("/"))
    except ImportError as error:
        extra = _EXTRAS.get(url.partition(":")[0])
        fix = f'run: pip install "{extra}"' if extra else "install the package that fsspec names for it"
        raise RecipeError(f"its packages are not installed ({error})", where=url, fix=fix) from None
    except ValueError as error:
        raise RecipeError(f"is no store that is known ({error})", where=url, fix="check the URL") from None
    except Exception as error:
        raise refused(error, url, "reached") from error
    return fs, str(path).rstrip("/")


def refused(error: Exception, url: str, verb: str) -> DataError:
    """The sentence for what a store refuses, whatever its own error is.

    >>> refused(OSError("no such  bucket"), "s3://b/x", "read").what
    'cannot be read (no such bucket)'
    """
    told = " ".join(str(error).split()) or type(error).__name__
    fix = "check the URL, the credentials and the network, and run the same command again"
    return DataError(f"cannot be {verb} ({told})", where=url, fix=fix)


def asked(url: str, verb: str, ask: Callable[[], T]) -> T:
    """What a store answers; whatever it raises is one sentence: that the URL cannot be read, or written, and why."""
    try:
        return ask()
    except PyriteError:
        raise
    # Each store has error types of its own, many of them no OSError.
    except Exception as error:
        raise refused(error, url, verb) from error


@dataclass(frozen=True)
class Stored:
    """An object as it was written: its name, and size and digest (as `digest_file`) of its bytes."""

    name: str
    size: int
    digest: str


@dataclass(frozen=True)
class Storage:
    """The objects below a URL, by their names relative to it.

    An object is there whole or not at all on the stores that are named in the guide; where one is not, its size and
    digest tell. DataError for what the store refuses, in one sentence.

    >>> store = Storage("memory://doctest/work/")
    >>> store.write("rows/1.json", b"{}"), store.sizes("rows"), store.read("rows/1.json")
    (None, {'rows/1.json': 2}, b'{}')
    >>> store.remove(["rows/1.json"]), store.sizes("rows")
    (None, {})
    """

    url: str

    def at(self, name: str) -> str:
        """The URL of an object, for sentences."""
        return f"{self.url.rstrip('/')}/{name}"

    def put(self, path: Path, name: str) -> None:
        """Write a file of this machine as an object."""
        self._asked(name, "written", lambda fs, key: fs.put_file(str(path), key))

    def write(self, name: str, data: bytes) -> None:
        """Write a small object."""
        self._asked(name, "written", lambda fs, key: fs.pipe_file(key, data))

    def read(self, name: str) -> bytes:
        """The bytes of a small object."""
        return bytes(self._asked(name, "read", lambda fs, key: fs.cat_file(key)))

    def read_all(self, names: list[str]) -> dict[str, bytes]:
        """The bytes of many small objects, by name."""
        if not names:
            return {}
        head = self._root()
        # What looks like a pattern would be taken for one.
        plain = [name for name in names if not _MAGIC.search(name)]
        keys = [f"{head}/{name}" for name in plain]
        found: Mapping[str, bytes] = self._asked("", "read", lambda fs, _: fs.cat(keys)) if keys else {}
        together = {name: bytes(found[f"{head}/{name}"]) for name in plain}
        return {name: together[name] if name in together else self.read(name) for name in names}

    def get(self, stored: Stored, path: Path) -> bool:
        """Fetch an object into a file; False where it is not there as it was written."""
        if self.size(stored.name) != stored.size:
            return False
        try:
            with atomic_file(path) as out:
                self._asked(stored.name, "read", lambda fs, key: fs.get_file(key, str(out)))
                if out.stat().st_size != stored.size or digest_file(out) != stored.digest:
                    raise _OtherError
        except _OtherError:
            return False
        return True

    def fetch(self, name: str, path: Path) -> None:
        """Fetch an object into a file, whatever it is."""
        with atomic_file(path) as out:
            self._asked(name, "read", lambda fs, key: fs.get_file(key, str(out)))

    def size(self, name: str) -> int | None:
        """The bytes of an object; None where there is none."""
        try:
            info: Mapping[str, Any] = self._asked(name, "read", lambda fs, key: fs.info(key))
        except DataError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise
        return int(info["size"] or 0) if info["type"] == "file" else None

    def sizes(self, folder: str = "") -> dict[str, int]:
        """Name -> bytes of every object below a name, sorted; nothing where there is none; DataError as `infos`."""
        return {name: int(info["size"] or 0) for name, info in self.infos(folder).items()}

    def infos(self, folder: str = "") -> dict[str, Mapping[str, Any]]:
        """Name -> what the store tells of every object below a name, sorted; nothing where there is none.

        DataError for a name that leads out of the folder: it is to become a file of this machine.
        """
        head = self._root().lstrip("/")
        infos: Mapping[str, Mapping[str, Any]]
        infos = self._asked(folder, "listed", lambda fs, key: fs.find(key, detail=True))
        names = {name.lstrip("/")[len(head) + 1 :]: info for name, info in infos.items()}
        for name in names:
            if ".." in name.split("/"):
                raise DataError("has a name that leads elsewhere", where=self.at(name), fix="remove it")
        return dict(sorted(names.items()))

    def remove(self, names: list[str]) -> None:
        """Remove objects."""
        head = self._root()
        keys = [f"{head}/{name}" for name in names]
        if keys:
            self._asked("", "written", lambda fs, _: _remove(fs, keys))

    def _root(self) -> str:
        return self._opened()[1]

    def _opened(self) -> tuple[Any, str]:
        fs, root = file_system(self.url)
        if getattr(fs, "auto_mkdir", True) is False:
            # A disk behind a URL has folders, which objects don't ask for.
            fs.auto_mkdir = True
        return fs, root

    def _asked(self, name: str, verb: str, ask: Callable[[Any, str], T]) -> T:
        fs, root = self._opened()
        # What another machine wrote a moment ago is to be seen.
        fs.invalidate_cache()
        return asked(self.at(name) if name else self.url, verb, lambda: ask(fs, f"{root}/{name}" if name else root))


class _OtherError(Exception):
    """The object is not the one that was asked for."""


def _remove(fs: Any, keys: list[str]) -> None:
    # Stores that answer many requests at once take many names, too; others do not all take a list. What looks like a
    # pattern would be taken for one.
    alone = [key for key in keys if not fs.async_impl or _MAGIC.search(key)]
    for key in alone:
        fs.rm_file(key)
    if len(alone) < len(keys):
        fs.rm([key for key in keys if fs.async_impl and not _MAGIC.search(key)])
