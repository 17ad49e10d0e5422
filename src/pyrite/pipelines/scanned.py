"""A raw table after its one reading: digests and lengths by shard, texts on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.engine import Done, digest_of
from pyrite.pipelines.benchmark_stages import Piece


@dataclass(frozen=True)
class Scanned:
    """A raw table after its one reading.

    Attributes:
        done: the scanned shards, in source order.
        offsets: int64, the table row at which each shard starts, and the total at the end.
    """

    done: tuple[Done, ...]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, done: Sequence[Done]) -> Scanned:
        """The finished shards of one table."""
        rows = np.array([0, *(int(shard.facts["rows"]) for shard in done)], dtype=np.int64)
        return cls(tuple(done), np.cumsum(rows))

    def column(self, index: int, name: str) -> pa.ChunkedArray:
        """One column of one scanned shard."""
        return pq.read_table(self.done[index].path, columns=[name]).column(name)

    def digests(self, index: int) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """The digests of one shard, shape (rows, 2), and which rows have none."""
        column = self.column(index, "digest").combine_chunks()
        empty = np.asarray(column.is_null().to_numpy(zero_copy_only=False), dtype=np.bool_)
        joined = b"".join(digest or bytes(16) for digest in column.to_pylist())
        return np.frombuffer(joined, dtype=np.uint64).reshape(-1, 2), empty

    def pieces(self, rows: NDArray[np.int64], prefix: str) -> list[Piece]:
        """The table rows (ascending) as pieces of the shards that hold them, numbered from 0."""
        cuts = np.searchsorted(rows, self.offsets)
        return [
            Piece(self.done[index].path, rows[low:high] - self.offsets[index], prefix, int(low))
            for index, (low, high) in enumerate(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
            if high > low
        ]

    def sizes(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The bytes of the passages at these table rows (ascending)."""
        cuts = np.searchsorted(rows, self.offsets)
        parts = [np.empty(0, np.int64)]
        for index, (low, high) in enumerate(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)):
            if high > low:
                lengths = self.column(index, "bytes").to_numpy()
                parts.append(lengths[rows[low:high] - self.offsets[index]])
        return np.concatenate(parts)

    def digest(self) -> str:
        """What the table said, whatever file it came in."""
        return digest_of([done.digest for done in self.done])
