"""What segmenters cut, kept on disk by text digest: cutting is far slower than all the rest of an index."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

from pyrite.core import DataError
from pyrite.engine import cache_folder as user_cache

_FIND = "SELECT text FROM segments WHERE digest = ?"
LIMIT = 1 << 30
"""Bytes of segmented text that a cache keeps; the oldest goes first."""


def cache_folder() -> Path:
    """Where caches lie unless a folder is given: $PYRITE_CACHE, else `pyrite` in the user's cache folder."""
    own = os.environ.get("PYRITE_CACHE")
    return Path(own) if own else user_cache("")


class SegmentCache:
    """Segmented texts of one analyzer, in an SQLite file that several processes may use at once.

    Args:
        folder: where `segments.sqlite` lies; it is made where it is missing. A folder that cannot be written, and
            a file that is damaged, make an empty cache that keeps nothing.
        fingerprint: of the analyzer; a text cut by another version is another text.
        limit: bytes of text to keep.
    """

    def __init__(self, folder: Path, fingerprint: str, *, limit: int = LIMIT) -> None:
        self._salt = fingerprint.encode()
        self._limit = limit
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(folder / "segments.sqlite", check_same_thread=False, timeout=60)
            database.execute("CREATE TABLE IF NOT EXISTS segments (digest BLOB UNIQUE, text TEXT, size INTEGER)")
            self._database = database
        except (OSError, sqlite3.Error):
            self._database = None

    def _digest(self, text: str) -> bytes:
        return hashlib.blake2b(text.encode(), digest_size=16, key=self._salt).digest()

    def get(self, texts: Sequence[str]) -> list[str | None]:
        """What is known of each text."""
        database = self._database
        if database is None:
            return [None] * len(texts)
        found: list[str | None] = []
        try:
            with self._lock:
                for text in texts:
                    row = database.execute(
                        "SELECT text FROM segments WHERE digest = ?", [self._digest(text)]
                    ).fetchone()
                    found.append(row[0] if row else None)
        except sqlite3.Error:
            return [None] * len(texts)
        return found

    def put(self, texts: Sequence[str], segmented: Sequence[str]) -> None:
        """Keep what was cut; then drop the oldest until the limit is kept."""
        if len(texts) != len(segmented):
            raise DataError(f"{len(texts)} texts and {len(segmented)} segmented texts do not align")
        if self._database is None or not texts:
            return
        rows = [(self._digest(text), cut, len(cut.encode())) for text, cut in zip(texts, segmented, strict=True)]
        try:
            with self._lock, self._database as database:
                database.executemany("INSERT OR IGNORE INTO segments VALUES (?, ?, ?)", rows)
                self._shrink(database)
        except sqlite3.Error:
            return

    def _shrink(self, database: sqlite3.Connection) -> None:
        total = database.execute("SELECT total(size) FROM segments").fetchone()[0]
        if total <= self._limit:
            return
        last = 0
        for row, size in database.execute("SELECT rowid, size FROM segments ORDER BY rowid"):
            last, total = row, total - size
            if total <= self._limit * 0.9:
                break
        database.execute("DELETE FROM segments WHERE rowid <= ?", [last])

    def close(self) -> None:
        """Let go of the file."""
        if self._database is not None:
            self._database.close()
            self._database = None
