"""Passages numbered in the order of their coming, each distinct one once: by digest, and by likeness where asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.preparation.first_seen import FirstSeen
from pyrite.preparation.near import NearIndex
from pyrite.preparation.signatures import Signatures


@dataclass(frozen=True)
class Numbered:
    """What became of some rows.

    Attributes:
        numbers: the kept passage that each row's passage is, or is merged into; -1 for an empty passage. int32, or
            int64 where there are too many.
        near: bool, whether it was merged as a near-duplicate, not as the same text.
        first: bool, whether the row is the one that a kept passage's text is taken from.
        texts: the same number for the same text, by first appearance; -1 for an empty passage. The array `numbers`
            itself, where likeness does not count.
    """

    numbers: NDArray[np.integer]
    near: NDArray[np.bool_]
    first: NDArray[np.bool_]
    texts: NDArray[np.integer]


class Passages:
    """The kept passages: 0 for the first that came, 1 for the next that is not one of those before it, and so on.

    Args:
        near: a Jaccard threshold above which a passage is merged into a kept one (see `NearIndex`); None: only equal
            digests are.
        seed: of the MinHash functions.

    >>> passages = Passages()
    >>> rows = passages.number(np.array([[1, 1], [2, 2], [1, 1]], np.uint64), np.array([False, False, False]))
    >>> rows.numbers.tolist(), rows.first.tolist(), len(passages)
    ([0, 1, 0], [True, True, False], 2)
    """

    def __init__(self, *, near: float | None = None, seed: int = 0) -> None:
        self._seen = FirstSeen()
        self._index = None if near is None else NearIndex(near, seed)
        # By digest number: the kept passage, and whether it was merged by likeness; nothing where each is kept.
        self._kept = np.empty(0, np.int64)
        self._near = np.empty(0, np.bool_)
        self._count = 0

    def __len__(self) -> int:
        """How many passages are kept."""
        return self._count

    def number(
        self,
        digests: NDArray[np.uint64],
        empty: NDArray[np.bool_],
        signatures: Iterable[Signatures] = (),
    ) -> Numbered:
        """The next rows of a table, in order.

        Args:
            digests: uint64 of shape (rows, 2).
            empty: bool, rows without a passage.
            signatures: of every row, in parts; needed, and only looked at, where likeness counts.
        """
        before = len(self._seen)
        kind: type[np.integer[Any]] = np.int32 if before + len(digests) < 1 << 31 else np.int64
        numbers: NDArray[np.integer[Any]] = np.full(len(digests), -1, kind)
        numbers[~empty] = self._seen.number(digests[~empty])
        _, first_rows = np.unique(numbers[numbers >= before], return_index=True)
        fresh = np.flatnonzero(numbers >= before)[first_rows]
        first, near = np.zeros(len(digests), np.bool_), np.zeros(len(digests), np.bool_)
        if self._index is None:
            self._count += len(fresh)
            first[fresh] = True
            return Numbered(numbers, near, first, numbers)
        targets = _targets(self._index, fresh, signatures)
        own = targets < 0
        targets[own] = self._count + np.arange(int(own.sum()))
        self._count += int(own.sum())
        self._make_room(len(self._seen))
        self._kept[before : len(self._seen)] = targets
        self._near[before : len(self._seen)] = ~own
        first[fresh[own]] = True
        texts, held = numbers.copy(), numbers >= 0
        near[held] = self._near[numbers[held]]
        numbers[held] = self._kept[numbers[held]]
        return Numbered(numbers, near, first, texts)

    def _make_room(self, wanted: int) -> None:
        if wanted > len(self._kept):
            # By half as much again, so that what is there is not copied for every part of a table.
            more = max(wanted, len(self._kept) * 3 // 2) - len(self._kept)
            self._kept = np.concatenate([self._kept, np.empty(more, np.int64)])
            self._near = np.concatenate([self._near, np.empty(more, np.bool_)])

    def digests(self) -> NDArray[np.uint64]:
        """The digests of the kept passages, shape (len(self), 2)."""
        known = self._seen.known()
        return known if self._index is None else known[~self._near[: len(known)]]

    def notes(self) -> tuple[str, ...]:
        """What a ledger should say of the search for near-duplicates; empty where there is nothing to say."""
        return () if self._index is None else self._index.notes()


def _targets(index: NearIndex, fresh: NDArray[np.int64], signatures: Iterable[Signatures]) -> NDArray[np.int64]:
    """For each new digest's row, the kept passage that it is a near-duplicate of, or -1."""
    targets = [np.empty(0, np.int64)]
    start = 0
    for part in signatures:
        mine = fresh[(fresh >= start) & (fresh < start + len(part))]
        targets.append(index.add(part.take(mine - start)))
        start += len(part)
    return np.concatenate(targets)
