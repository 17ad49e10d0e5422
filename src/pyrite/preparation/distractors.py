"""Which training passages join the corpus: distinct, not gold, in a stated order."""

from __future__ import annotations

from typing import Literal

import numba
import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, LedgerEntry
from pyrite.preparation.first_seen import FirstSeen

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

    Args:
        seen: the gold passages' digests; training digests are added to it.
        count: how many distinct passages are wanted, or "all".
        choose: "first" in source order, or a "random" sample decided by `seed`.

    >>> seen = FirstSeen()
    >>> gold = seen.number(np.array([[1, 0]], dtype=np.uint64))
    >>> choice = DistractorChoice(seen, count=1)
    >>> choice.add(np.array([[1, 0], [2, 0], [2, 0], [3, 0]], dtype=np.uint64), np.zeros(4, dtype=bool))
    >>> choice.in_corpus().tolist(), choice.first_rows().tolist()
    ([0, 1, 1, -1], [1])
    """

    def __init__(
        self, seen: FirstSeen, *, count: Count, choose: Literal["first", "random"] = "first", seed: int = 0
    ) -> None:
        self._seen, self._count, self._choose, self._seed = seen, count, choose, seed
        self._gold = len(seen)
        self._numbers: list[NDArray[np.int64]] = []
        self._empty = 0

    def add(self, digests: NDArray[np.uint64], empty: NDArray[np.bool_]) -> None:
        """The next rows of the table, in order; an empty passage gets the number -1."""
        numbers = np.full(len(digests), -1, dtype=np.int64)
        numbers[~empty] = self._seen.number(digests[~empty])
        self._numbers.append(numbers)
        self._empty += int(empty.sum())

    @property
    def found(self) -> int:
        """How many distinct passages that are not gold were seen."""
        return len(self._seen) - self._gold

    def threshold(self) -> int | None:
        """What a later passage must beat to be chosen, as a bound on `priorities`.

        None: any new passage may be chosen; 0: no later one can. It only ever falls, so that a reader may leave
        out the texts of passages above it.
        """
        if self._count == "all" or self.found < self._count:
            return None
        if self._choose == "first" or self._count == 0:
            return 0
        fresh = priorities(self._seen.known()[self._gold :], self._seed)
        return int(np.partition(fresh, self._count - 1)[self._count - 1])

    def _chosen(self) -> NDArray[np.int64]:
        """Distractor number of every digest number, in order of appearance; -1 where it is none."""
        marks = np.zeros(self.found, dtype=np.bool_)
        if self._count == "all":
            marks[:] = True
        elif self.found < self._count:
            raise DataError(
                f"{self._count:,} distractors are wanted and the training table has {self.found:,} distinct passages "
                "that are not gold",
                fix='lower distractors.count, or set it to "all"',
            )
        elif self._choose == "first":
            marks[: self._count] = True
        else:
            fresh = priorities(self._seen.known()[self._gold :], self._seed)
            # Equal priorities are broken by order of appearance.
            marks[np.argsort(fresh, kind="stable")[: self._count]] = True
        places = np.full(len(self._seen), -1, dtype=np.int64)
        places[: self._gold] = np.arange(self._gold)
        places[self._gold :][marks] = self._gold + np.arange(int(marks.sum()))
        return places

    def in_corpus(self) -> NDArray[np.int64]:
        """For each training row, the corpus position of its passage (gold first), or -1 where it is not in it."""
        numbers = np.concatenate(self._numbers) if self._numbers else np.empty(0, np.int64)
        return np.where(numbers >= 0, self._chosen()[numbers], -1)

    def first_rows(self) -> NDArray[np.int64]:
        """The training row that each distractor's text is taken from, in corpus order."""
        positions = self.in_corpus()
        rows = np.flatnonzero(positions >= self._gold)
        _, first = np.unique(positions[rows], return_index=True)
        return rows[first]

    def entry(self) -> LedgerEntry:
        """The account of the training rows."""
        numbers = np.concatenate(self._numbers) if self._numbers else np.empty(0, np.int64)
        chosen = len(self.first_rows())
        gold = int(((numbers >= 0) & (numbers < self._gold)).sum())
        repeats = len(numbers) - self._empty - gold - self.found
        reasons = {
            "empty passage": self._empty,
            "identical to a gold passage": gold,
            "identical to an earlier passage": repeats,
            "beyond the count" if self._choose == "first" else "not in the sample": self.found - chosen,
        }
        return LedgerEntry(
            "distractors", "rows", len(numbers), chosen, {reason: n for reason, n in reasons.items() if n}
        )
