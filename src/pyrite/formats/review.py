"""Decisions of a review, one JSON object a line: only ever appended to, so that a crash costs the last line at most."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pyrite.core import DataError
from pyrite.formats.columns import DataWarning
from pyrite.formats.opening import not_utf8, open_bytes, unreadable

Decision = Literal["relevant", "not relevant", "unsure"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
"""What can be decided of a document and a query."""


@dataclass(frozen=True)
class Review:
    """What was decided of one item of a queue; `doc_id` is None for an item that names no document."""

    item: str
    query_id: str | None
    doc_id: str | None
    decision: Decision


def append_review(path: Path, review: Review) -> None:
    """Add one decision at the end of a file, made where it is missing; it is on the disk when this returns.

    The line goes out in one write to a file that is open for appending, so that lines of two writers never mix. After
    a line that a crash cut short, a new one is begun. DataError where the disk does not take it.
    """
    held = {
        "item": review.item,
        "query-id": review.query_id,
        "corpus-id": review.doc_id,
        "decision": review.decision,
    }
    line = (json.dumps(held, ensure_ascii=False) + "\n").encode()
    try:
        new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                line = b"\n" + line
            written = os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if new:
            _sync_names(path.parent)
    except OSError as error:
        raise DataError(
            f"cannot be written ({error.strerror or error})", where=str(path), fix="decide it again elsewhere"
        ) from error
    if written < len(line):
        raise DataError("was written in part, the disk is full", where=str(path), fix="make room and decide it again")


def _sync_names(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_review(path: Path) -> dict[str, Review]:
    """Item -> its last decision, in the order in which the items were first decided; nothing where there is no file.

    A line that a crash cut short (it begins an object and does not end it) is left out, with a warning that names it.
    Anything else that is no decision is a DataError with file and line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "review.jsonl")
    ...     append_review(path, Review("q1/d7", "q1", "d7", "unsure"))
    ...     append_review(path, Review("q1/d7", "q1", "d7", "relevant"))
    ...     read_review(path)
    {'q1/d7': Review(item='q1/d7', query_id='q1', doc_id='d7', decision='relevant')}
    """
    if not path.exists():
        return {}
    return {review.item: review for review in _reviews(path)}


def _reviews(path: Path) -> Iterator[Review]:
    if path.is_dir():
        raise unreadable(IsADirectoryError(21, "Is a directory"), path)
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            where, line = f"{path}, line {number}", raw.strip()
            if not line:
                continue
            # A cut may fall within a character, so this is seen before the text is.
            if line.startswith(b"{") and not line.endswith(b"}"):
                warnings.warn(f"{where}: is cut short, and left out; decide it again", DataWarning, stacklevel=2)
                continue
            yield _review(line, where)


def _review(line: bytes, where: str) -> Review:
    try:
        held: Any = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise not_utf8(line, error, where) from error
    except (ValueError, RecursionError) as error:
        raise DataError("is not JSON", where=where, fix="mend or remove the line") from error
    if not isinstance(held, dict) or not isinstance(held.get("item"), str):
        raise DataError("names no item", where=where, fix="mend or remove the line")
    for name in ("query-id", "corpus-id"):
        if not isinstance(held.get(name), str | None):
            raise DataError(f"'{name}' is {held[name]!r}, no string", where=where, fix="write the id as a string")
    if held.get("decision") not in DECISIONS:
        raise DataError(
            f"the decision is {held.get('decision')!r}", where=where, fix=f"say one of {', '.join(DECISIONS)}"
        )
    return Review(held["item"], held.get("query-id"), held.get("corpus-id"), held["decision"])
