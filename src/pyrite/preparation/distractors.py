"""Which training passages join the corpus: distinct, not gold, in a stated order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numba
import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, LedgerEntry
from pyrite.preparation.passages import Numbered, Passages

Count = int | Literal["all"]


@numba.njit(cache=True)
def _priorities(digests, seed):  # type: ignore[no-untyped-def]
    """SplitMix64 over the two halves of a digest: a seeded, uniform 64-bit number a text."""
    out = np.empty(len(digests), dtype=np.uint64)
    for row in range(len(digests)):
        value = digests[row, 0] ^ np.uint64(seed)
        for half in range(2):
            value = value + np.uint64(0x9E3779B97F4A7C15)
            value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            value = value ^ (value >> np.uint64(31))
            if half == 0:
                value = value ^ digests[row, 1]
        out[row] = value
    return out


def priorities(digests: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """A seeded uniform number for each digest (uint64); the sample is the `count` smallest.

    Deciding by the text's own digest needs one pass, no memory of the rows, and gives the same sample for the
    same seed whatever the order or the number of workers.
    """
    numbers: NDArray[np.uint64] = _priorities(digests, seed)
    return numbers


class DistractorChoice:
    """Takes the training passages shard by shard, in source order, and says which of them are distractors.

    The pool is every kept passage that is not gold, numbered from 0 in the order of first appearance.

    Args:
        passages: the gold passages are in it; training passages are numbered after them.
        count: how many distractors are wanted, or "all".
        choose: "first" in source order, or a "random" sample decided by `seed`; `take` decides otherwise.

    >>> passages = Passages()
    >>> gold = passages.number(np.array([[1, 0]], np.uint64), np.zeros(1, bool))
    >>> choice = DistractorChoice(passages, count=1)
    >>> rows = np.array([[1, 0], [2, 0], [2, 0], [3, 0]], np.uint64)
    >>> choice.add(passages.number(rows, np.zeros(4, bool)))
    >>> choice.in_corpus().tolist(), choice.rows().tolist()
    ([0, 1, 1, -1], [1])
    """

    def __init__(
        self, passages: Passages, *, count: Count, choose: Literal["first", "random"] = "first", seed: int = 0
    ) -> None:
        self._passages, self._count, self._choose, self._seed = passages, count, choose, seed
        self._gold = len(passages)
        self._added: list[Numbered] = []
        self._taken: tuple[NDArray[np.int64], dict[str, int]] | None = None

    def add(self, rows: Numbered) -> None:
        """The next rows of the table, in order."""
        self._added.append(rows)

    @property
    def found(self) -> int:
        """How many passages are in the pool so far."""
        return len(self._passages) - self._gold

    def threshold(self) -> int | None:
        """What a later passage must beat to be chosen, as a bound on `priorities`.

        None: any new passage may be chosen; 0: no later one can. It only ever falls, so that a reader may leave
        out the texts of passages above it.
        """
        if self._count == "all" or self.found < self._count:
            return None
        if self._choose == "first" or self._count == 0:
            return 0
        fresh = priorities(self._passages.digests()[self._gold :], self._seed)
        return int(np.partition(fresh, self._count - 1)[self._count - 1])

    def take(self, pool: NDArray[np.int64], left_out: dict[str, int]) -> None:
        """Decide from outside: these pool numbers are the distractors, in this order; why others are not, counted."""
        self._taken = (np.asarray(pool, np.int64), left_out)

    def _order(self) -> NDArray[np.int64]:
        """Pool numbers of the distractors, in corpus order."""
        if self._taken is not None:
            return self._taken[0]
        if self._count == "all":
            return np.arange(self.found)
        if self.found < self._count:
            raise too_few(self._count, self.found, "distinct passages that are not gold")
        if self._choose == "first":
            return np.arange(self._count)
        fresh = priorities(self._passages.digests()[self._gold :], self._seed)
        # Equal priorities are broken by order of appearance.
        return np.sort(np.argsort(fresh, kind="stable")[: self._count])

    def _numbers(self) -> NDArray[np.integer]:
        return _joined([rows.numbers for rows in self._added], np.int64)

    def in_corpus(self) -> NDArray[np.integer]:
        """For each training row, the corpus position of its passage (gold first), or -1 where it is not in it."""
        order, numbers = self._order(), self._numbers()
        places = np.full(len(self._passages) + 1, -1, dtype=numbers.dtype)
        places[: self._gold] = np.arange(self._gold)
        places[self._gold :][order] = np.arange(self._gold, self._gold + len(order), dtype=places.dtype)
        # An empty passage is -1: the last place, which no passage has.
        return np.asarray(places[numbers])

    def near(self) -> NDArray[np.bool_]:
        """For each training row, whether its passage was merged into another as a near-duplicate."""
        return _joined([rows.near for rows in self._added], np.bool_)

    def texts(self) -> NDArray[np.integer]:
        """For each training row, the number of its text, -1 for an empty one (see `Numbered.texts`)."""
        return _joined([rows.texts for rows in self._added], np.int64)

    def pool_rows(self) -> NDArray[np.int64]:
        """The training row that each pool passage's text is taken from, by pool number; ascending."""
        first = _joined([rows.first for rows in self._added], np.bool_)
        return np.flatnonzero(first)

    def rows(self) -> NDArray[np.int64]:
        """The training row that each distractor's text is taken from, in corpus order."""
        pool = self.pool_rows()
        return pool if self._taken is None and self._count == "all" else pool[self._order()]

    def entry(self) -> LedgerEntry:
        """The account of the training rows."""
        numbers, near, order = self._numbers(), self.near(), self._order()
        gold = (numbers >= 0) & (numbers < self._gold)
        fresh = numbers >= self._gold
        near_repeats = int((fresh & near).sum())
        left_out = self._taken[1] if self._taken is not None else {}
        reasons = {
            "empty passage": int((numbers < 0).sum()),
            "identical to a gold passage": int((gold & ~near).sum()),
            "near-duplicate of a gold passage": int((gold & near).sum()),
            "identical to an earlier passage": int(fresh.sum()) - near_repeats - self.found,
            "near-duplicate of an earlier passage": near_repeats,
            **left_out,
        }
        rest = {"first": "beyond the count", "random": "not in the sample"}[self._choose]
        reasons[rest if self._taken is None else "not among the hardest"] = (
            len(numbers) - len(order) - sum(reasons.values())
        )
        return LedgerEntry(
            "distractors",
            "rows",
            len(numbers),
            len(order),
            {reason: count for reason, count in reasons.items() if count},
            self._passages.notes(),
        )


def too_few(wanted: int, found: int, of_what: str) -> DataError:
    """The error of a pool that holds fewer passages than are wanted."""
    return DataError(
        f"{wanted:,} distractors are wanted and the training table has {found:,} {of_what}",
        fix='lower distractors.count, or set it to "all"',
    )


def _joined(parts: Sequence[NDArray], dtype: type) -> NDArray:  # type: ignore[type-arg]
    return np.concatenate(parts) if parts else np.empty(0, dtype)
