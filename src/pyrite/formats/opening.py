"""Opening files: what cannot be read is one sentence."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from pyrite.core import DataError

AGAIN = "copy or download it again"


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where its name ends in .gz; DataError where it is absent or cut short."""
    try:
        with path.open("rb") as raw, gzip.open(raw) if path.suffix == ".gz" else raw as stream:
            yield cast(IO[bytes], stream)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError("is not a whole gzip file", where=str(path), fix=AGAIN) from error
    except OSError as error:
        raise unreadable(error, path) from error


def unreadable(error: OSError, path: Path) -> DataError:
    """The sentence for a file that cannot be opened.

    >>> print(unreadable(FileNotFoundError(), Path("corpus.jsonl")))
    corpus.jsonl: there is no such file.
    """
    if isinstance(error, FileNotFoundError):
        return DataError("there is no such file", where=str(path))
    return DataError(f"cannot be read ({error.strerror or error})", where=str(path))


def not_utf8(raw: bytes, error: UnicodeDecodeError, where: str) -> DataError:
    """The sentence for bytes that are no text, with those around the first bad one."""
    near = raw[max(error.start - 8, 0) : error.start + 8]
    return DataError(f"is not valid UTF-8 near {near!r}", where=where, fix="write the file as UTF-8")
