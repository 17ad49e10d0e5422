"""A raw table after its one reading: digests and lengths by shard, texts on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.engine import Done, Engine, Shard, digest_of
from pyrite.pipelines.benchmark_stages import SIGN, Piece
from pyrite.preparation import Numbered, Passages, Signatures, digest_numbers, read_signatures


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
        return digest_numbers(column), np.asarray(column.is_null().to_numpy(zero_copy_only=False), dtype=np.bool_)

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
                low, high = np.searchsorted(rows, [start, start + len(part)])
                if high > low:
                    yield part.take(rows[low:high] - start)
                start += len(part)

    def pieces(self, rows: NDArray[np.int64], *, prefix: str, start: int = 0, by_row: bool = False) -> Iterator[Piece]:
        """The documents at these table rows, in any order, as pieces of the shards that hold them.

        Args:
            rows: int64; the first goes to the place `start` of the corpus, the next to the one after it.
            prefix: of the documents' ids; it is followed by the table row (`by_row`), or by the place from `start` on.
        """
        for index, mine in self._by_shard(rows):
            first = int(self.offsets[index])
            yield Piece(
                self.done[index].path,
                (rows[mine] - first).astype(np.int32),
                start + (np.arange(mine.start, mine.stop) if isinstance(mine, slice) else mine),
                prefix,
                first if by_row else -start,
                by_row,
            )

    def sizes(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The bytes of the passages at these table rows, in their order."""
        sizes = np.empty(len(rows), np.int64)
        for index, mine in self._by_shard(rows):
            sizes[mine] = self.column(index, "bytes").to_numpy()[rows[mine] - self.offsets[index]]
        return sizes

    def _by_shard(self, rows: NDArray[np.int64]) -> Iterator[tuple[int, slice | NDArray[np.int64]]]:
        """Each shard that has some of these rows, and where they stand among them, by ascending row."""
        order = None if (rows[1:] > rows[:-1]).all() else np.argsort(rows, kind="stable")
        cuts = np.searchsorted(rows, self.offsets, sorter=order)
        for index, (low, high) in enumerate(pairwise(cuts.tolist())):
            if high > low:
                yield index, slice(low, high) if order is None else order[low:high]

    def digest(self) -> str:
        """What the table said, whatever file it came in."""
        return digest_of([done.digest for done in self.done])
