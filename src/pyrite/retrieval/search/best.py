"""The best documents of each query out of blocks of scores that come by; nothing of queries x corpus is ever held.

A score may be approximate, off by at most a margin that is known. What is then dropped is provably not among the best,
and what is left is scored again before it is ranked. Each query has a buffer; a full one is settled, never cut short.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, Run, rank_order
from pyrite.retrieval.search.compiled import compiled

Rescore = Callable[[int, NDArray[np.int32]], NDArray[np.float32]]
"""(query, positions) -> the true scores of these documents."""
_STEP = 128
_SMALL = 1 << 16
"""Scores in a block below which threads cost more than they bring."""


@dataclass(frozen=True)
class Hits:
    """What a search found: row i of `scores` (float32) and `positions` (int32) has the counts[i] hits of query i."""

    scores: NDArray[np.float32]
    positions: NDArray[np.int32]
    counts: NDArray[np.int64]

    @classmethod
    def stacked(cls, parts: Sequence[Hits]) -> Hits:
        """The hits of several parts of the queries, one after another."""
        width = max(part.scores.shape[1] for part in parts)
        padded = [np.pad(part.scores, ((0, 0), (0, width - part.scores.shape[1]))) for part in parts]
        places = [np.pad(part.positions, ((0, 0), (0, width - part.positions.shape[1]))) for part in parts]
        return cls(np.concatenate(padded), np.concatenate(places), np.concatenate([part.counts for part in parts]))

    def run(self, system: str, query_ids: pa.ChunkedArray | pa.Array, doc_ids: pa.ChunkedArray | pa.Array) -> Run:
        """The run of a system; positions are rows of `doc_ids`."""
        kept = np.arange(self.scores.shape[1]) < self.counts[:, None]
        return Run(
            system,
            query_ids=query_ids,
            offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(self.counts)]),
            positions=self.positions[kept],
            doc_ids=doc_ids,
            scores=self.scores[kept],
        )


class Found(NamedTuple):
    """The buffers: query i holds scores[i, :counts[i]] at positions[i, :counts[i]].

    `floors` are float64: the depth-th best true score of query i is at least floors[i].
    """

    scores: NDArray[np.float32]
    positions: NDArray[np.int32]
    counts: NDArray[np.int64]
    floors: NDArray[np.float64]


@compiled
def sift(scores: Any, least: Any, base: int, found: Found, start: int, stop: int) -> None:
    """Append what reaches its query's `least` to the buffers of queries [start, stop); column j is base + j."""
    width = scores.shape[1]
    for query in range(start, stop):
        bound = least[query]
        at = found.counts[query]
        for first in range(0, width, _STEP):
            part = scores[query, first : min(first + _STEP, width)]
            # A plain bit, so that the compiler compares many at once.
            reached = np.int32(0)
            for column in range(len(part)):
                reached |= np.int32(part[column] >= bound)
            if reached:
                for column in range(len(part)):
                    if part[column] >= bound:
                        found.scores[query, at] = part[column]
                        found.positions[query, at] = base + first + column
                        at += 1
        found.counts[query] = at


@compiled
def _ordered(bits: Any) -> Any:
    """The bits of a float as an integer that ascends with it."""
    return np.int16(bits ^ ((bits >> np.int16(15)) & np.int16(0x7FFF)))


@compiled
def thin(found: Found, margins: Any, sizes: tuple[int, int], start: int, stop: int) -> None:
    """Raise the floors of queries with more than `room` entries, and drop what provably stays below.

    sizes: (depth, room).
    """
    depth, room = sizes
    for query in range(start, stop):
        count = found.counts[query]
        if count <= room:
            continue
        own, places = found.scores[query], found.positions[query]
        reached = np.partition(own[:count], count - depth)[count - depth]
        found.floors[query] = max(found.floors[query], np.float64(reached) - margins[query])
        least = found.floors[query] - margins[query]
        kept = 0
        for at in range(count):
            score, place = own[at], places[at]
            own[kept], places[kept] = score, place
            kept += np.float64(score) >= least
        found.counts[query] = kept


@compiled
def sift_short(scores: Any, least: Any, base: int, found: Found, start: int, stop: int) -> None:
    """The same for bfloat16 scores, given as their int16 bits; `least` are float32."""
    width = scores.shape[1]
    word = np.empty(1, np.uint32)
    number = word.view(np.float32)
    for query in range(start, stop):
        number[0] = least[query]
        # Cut to bfloat16 downwards: towards 0 for a bound above it, away from 0 for one below.
        bits = np.int64(word[0])
        high = (bits + (0xFFFF if bits >> 31 else 0)) >> 16
        bound = _ordered(np.int16(high if high < 0x8000 else high - 0x10000))
        at = found.counts[query]
        for first in range(0, width, _STEP):
            part = scores[query, first : min(first + _STEP, width)]
            reached = np.int16(0)
            for column in range(len(part)):
                reached |= np.int16(_ordered(part[column]) >= bound)
            if reached:
                for column in range(len(part)):
                    if _ordered(part[column]) >= bound:
                        word[0] = np.uint32(np.int64(part[column]) & 0xFFFF) << np.uint32(16)
                        found.scores[query, at] = number[0]
                        found.positions[query, at] = base + first + column
                        at += 1
        found.counts[query] = at


class Best:
    """The best `depth` of each query: by score, then by corpus position.

    Args:
        queries: how many. depth: hits a query at most.
        width: the most columns of a block.
        rescore: the true scores, where the blocks have approximate ones.
        threads: None: all cores. The result does not depend on it, nor on the order of the blocks.

    >>> best = Best(1, 2, 4)
    >>> best.add(np.array([[0.5, 0.9, 0.5, 0.1]], np.float32), base=10)
    >>> best.finish().positions.tolist()
    [[11, 10]]
    """

    def __init__(
        self, queries: int, depth: int, width: int, *, rescore: Rescore | None = None, threads: int | None = None
    ) -> None:
        if depth < 1:
            raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
        self.depth, self._rescore = depth, rescore
        self._threads = threads or cores()
        self._room = max(4 * depth, 1024)
        shape = (queries, self._room + width)
        self._found = Found(
            np.empty(shape, np.float32),
            np.empty(shape, np.int32),
            np.zeros(queries, np.int64),
            np.full(queries, -np.inf),
        )
        self._margins = np.zeros(queries)
        self._pool = ThreadPoolExecutor(self._threads)

    @staticmethod
    def bytes_a_query(depth: int, width: int) -> int:
        """Memory of one query's buffer."""
        return 8 * (max(4 * depth, 1024) + width)

    def least(self, margins: NDArray[np.float64]) -> NDArray[np.float32]:
        """Below which score a document of the next block is out, whatever its true score; float32, one a query."""
        # Rounded down: a bound must not rise by being written in fewer bits.
        bound: NDArray[np.float32] = np.nextafter(
            (self._found.floors - margins).astype(np.float32), np.float32(-np.inf), dtype=np.float32
        )
        return bound

    def add(self, scores: NDArray[Any], base: int, margins: NDArray[np.float64] | None = None) -> None:
        """Take a block in: scores[i, j] is that of query i and document base + j, off by margins[i] at most.

        Scores are float32, or int16: the bits of bfloat16. Where blocks have different margins, each is given with the
        greatest so far.
        """
        if margins is not None:
            self._margins = margins
        least = self.least(self._margins)
        kernel = sift if scores.dtype == np.float32 else sift_short
        self._each(scores.size, lambda rows: kernel(scores, least, base, self._found, *rows))
        self._make_room()

    def add_some(
        self,
        queries: NDArray[np.int64],
        positions: NDArray[np.int64],
        scores: NDArray[np.float32],
        margins: NDArray[np.float64],
    ) -> None:
        """Take single scores in, ordered by query: what a device has sifted out of a block by `least`."""
        found = self._found
        counts = np.bincount(queries, minlength=len(found.counts))
        starts = np.cumsum(counts) - counts
        places = found.counts[queries] + np.arange(len(queries)) - starts[queries]
        found.scores[queries, places] = scores
        found.positions[queries, places] = positions
        found.counts[:] += counts
        self._margins = margins
        self._make_room()

    def finish(self) -> Hits:
        """The hits, ranked."""
        found = self._found
        self._thin(self.depth)
        self._settle(np.arange(len(found.counts)))
        self._pool.shutdown()
        width = int(found.counts.max(initial=0))
        return Hits(found.scores[:, :width].copy(), found.positions[:, :width].copy(), found.counts.copy())

    def _thin(self, room: int) -> None:
        found, margins = self._found, self._margins
        self._each(int(found.counts.sum()), lambda rows: thin(found, margins, (self.depth, room), *rows))

    def _make_room(self) -> None:
        found = self._found
        if not (found.counts > self._room).any():
            return
        self._thin(self._room)
        # Still too many are within the margin of the last place, or tie with it: only true scores tell.
        self._settle(np.flatnonzero(found.counts > self._room))

    def _settle(self, queries: NDArray[np.int64]) -> None:
        """Score again, rank and cut the entries of these queries."""
        rows = queries.tolist()

        def settle(part: tuple[int, int]) -> None:
            for query in rows[part[0] : part[1]]:
                self._settle_one(query)

        self._each(_SMALL if len(rows) > self._threads else 0, settle, len(rows))

    def _settle_one(self, query: int) -> None:
        found = self._found
        count = int(found.counts[query])
        positions = found.positions[query, :count].copy()
        scores = found.scores[query, :count].copy() if self._rescore is None else self._rescore(query, positions)
        order = rank_order(scores, positions)[: self.depth]
        found.scores[query, : len(order)] = scores[order]
        found.positions[query, : len(order)] = positions[order]
        found.counts[query] = len(order)
        if len(order) == self.depth:
            found.floors[query] = max(found.floors[query], float(scores[order[-1]]))

    def _each(self, work: int, task: Callable[[tuple[int, int]], None], rows: int | None = None) -> None:
        """Run a task on parts of the queries (or of so many rows), by threads where the work is worth it."""
        total = len(self._found.counts) if rows is None else rows
        if work < _SMALL or self._threads == 1:
            task((0, total))
            return
        bounds = np.linspace(0, total, self._threads + 1).astype(int).tolist()
        list(self._pool.map(task, pairwise(bounds)))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
