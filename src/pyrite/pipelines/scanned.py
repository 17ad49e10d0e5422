"""A raw table after its one reading: digests and lengths by shard, texts on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.engine import Done, Engine, Shard, digest_of
from pyrite.pipelines.benchmark_stages import SIGN, Piece
from pyrite.preparation import Numbered, Passages, Signatures, read_signatures


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

    def number(self, passages: Passages, engine: Engine, near: float | None) -> list[Numbered]:
        """What became of every row, shard by shard: passages that are not there yet are added."""
        if near is not None:
            shards = [Shard(done.shard, done.digest, done.path) for done in self.done]
            signed = engine.run(SIGN, shards, {"near": near, "seed": 0})
        numbered = []
        for index in range(len(self.done)):
            signatures = () if near is None else read_signatures(signed[index].path)
            numbered.append(passages.number(*self.digests(index), signatures))
        return numbered

    def signed(self, rows: NDArray[np.int64], near: float, engine: Engine) -> Iterator[Signatures]:
        """The signatures of these table rows (ascending), in parts."""
        shards = [Shard(done.shard, done.digest, done.path) for done in self.done]
        start = 0
        for done in engine.run(SIGN, shards, {"near": near, "seed": 0}):
            for part in read_signatures(done.path):
                mine = rows[(rows >= start) & (rows < start + len(part))] - start
                if len(mine):
                    yield part.take(mine)
                start += len(part)

    def pieces(
        self, rows: NDArray[np.int64], places: NDArray[np.int64], *, prefix: str, numbers: NDArray[np.int64]
    ) -> list[Piece]:
        """Table rows, in any order, as pieces of the shards that hold them.

        Args:
            rows: int64. places: int64, aligned: where in the corpus each one goes.
            prefix: of the documents' ids. numbers: int64, aligned: the rest of each id.
        """
        order = np.argsort(rows, kind="stable")
        cuts = np.searchsorted(rows[order], self.offsets)
        return [
            Piece(self.done[index].path, rows[mine] - self.offsets[index], places[mine], prefix, numbers[mine])
            for index, mine in enumerate(np.split(order, cuts[1:-1]))
            if len(mine)
        ]

    def sizes(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The bytes of the passages at these table rows, in their order."""
        shards = np.searchsorted(self.offsets, rows, side="right") - 1
        sizes = np.empty(len(rows), np.int64)
        for index in np.unique(shards).tolist():
            lengths = self.column(index, "bytes").to_numpy()
            mine = shards == index
            sizes[mine] = lengths[rows[mine] - self.offsets[index]]
        return sizes

    def digest(self) -> str:
        """What the table said, whatever file it came in."""
        return digest_of([done.digest for done in self.done])
