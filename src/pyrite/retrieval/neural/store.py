"""What was computed of texts, on disk: shard files of rows, found again by the digest of their text.

A shard is one Arrow file with a column `digest` and columns of numbers, written whole or not at all, and mapped into
memory when it is read. A process that is killed loses the shard that it was working on and nothing else.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import xxhash
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.engine import atomic_file

_DIGEST = pa.binary(16)
_AT_ONCE = 8192
"""Texts that are Python strings at a time."""
_STRAY = 86_400.0
"""Seconds after which a temporary file belongs to nobody any more."""


def text_digests(texts: pa.ChunkedArray | pa.Array) -> pa.Array:
    """The digest of each text, 16 bytes (xxh3_128).

    >>> text_digests(pa.array(["a", "b", "a"])).dictionary_encode().indices.to_pylist()
    [0, 1, 0]
    """
    parts = [pa.array([], _DIGEST)]
    for start in range(0, len(texts), _AT_ONCE):
        own = texts.slice(start, _AT_ONCE).to_pylist()
        parts.append(pa.array([xxhash.xxh3_128_digest(text.encode()) for text in own], _DIGEST))
    return pa.concat_arrays(parts)


def first_places(digests: pa.Array) -> NDArray[np.int64]:
    """Where each distinct digest occurs first, ascending.

    >>> first_places(text_digests(pa.array(["a", "b", "a"]))).tolist()
    [0, 1]
    """
    _, first = np.unique(digests.dictionary_encode().indices.to_numpy(), return_index=True)
    return np.sort(first).astype(np.int64)


class Store:
    """The shards of one fingerprint in a folder, which is made where it is missing.

    Rows are numbered through all shards, in the order in which these were found or added.

    Args:
        folder: where the shards are, and where further ones are added.
        files: shards that are looked at instead of those of the folder.
    """

    def __init__(self, folder: Path, files: Sequence[Path] = ()) -> None:
        self.folder = folder
        self.shards: list[pa.RecordBatch] = []
        self.starts: list[int] = [0]
        for path in files or sorted(folder.glob("[!.]*.arrow")):
            shard = _read(path)
            if shard is not None:
                self._append(shard)
        if folder.is_dir():
            for stray in folder.glob(".tmp-*"):
                if time.time() - stray.stat().st_mtime > _STRAY:
                    stray.unlink(missing_ok=True)

    def __len__(self) -> int:
        """How many rows there are."""
        return self.starts[-1]

    def _append(self, shard: pa.RecordBatch) -> None:
        self.shards.append(shard)
        self.starts.append(self.starts[-1] + len(shard))

    def find(self, digests: pa.Array) -> NDArray[np.int64]:
        """The row of each digest; -1 for one that is not here."""
        if not self.shards:
            return np.full(len(digests), -1, np.int64)
        held = pa.chunked_array([shard.column("digest") for shard in self.shards]).combine_chunks()
        found = pc.fill_null(pc.index_in(digests, value_set=held), -1)
        return np.asarray(found.to_numpy(), np.int64)

    def add(self, shard: pa.RecordBatch) -> None:
        """Keep a shard; it is on the disk when this returns."""
        name = hashlib.blake2b(b"".join(shard.column("digest").to_pylist()), digest_size=16).hexdigest()
        path = self.folder / f"{name}.arrow"
        with atomic_file(path) as out:
            write_shard(shard, out)
        kept = _read(path)
        if kept is None:
            raise DataError("can't be read back", where=str(path), fix="check the disk")
        self._append(kept)

    def places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The shard of each row, and its place in it."""
        starts = np.asarray(self.starts, np.int64)
        shard = np.searchsorted(starts, rows, side="right") - 1
        return shard, rows - starts[shard]


def write_shard(shard: pa.RecordBatch, path: Path) -> None:
    """Write the file of a shard."""
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, shard.schema) as writer:
        writer.write_batch(shard)


def _read(path: Path) -> pa.RecordBatch | None:
    """A shard, mapped; None for a file that is damaged, which is as good as absent."""
    try:
        reader = pa.ipc.open_file(pa.memory_map(str(path)))
        if reader.num_record_batches != 1:
            return None
        shard = reader.get_batch(0)
        shard.validate(full=False)
    except (pa.ArrowInvalid, OSError):
        return None
    return shard if "digest" in shard.schema.names else None
