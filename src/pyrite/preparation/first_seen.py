"""Numbers for digests in the order in which they first appear."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def _insert_all(  # type: ignore[no-untyped-def]
    digests, slots, known, count, numbers
):
    """Look each digest up by linear probing; a new one takes the next number. The table is at most half full."""
    mask = np.uint64(len(slots) - 1)
    for row in range(len(digests)):
        low, high = digests[row, 0], digests[row, 1]
        slot = (low ^ (high >> np.uint64(17))) & mask
        while True:
            number = slots[slot]
            if number < 0:
                slots[slot] = count
                known[count, 0], known[count, 1] = low, high
                numbers[row] = count
                count += 1
                break
            if known[number, 0] == low and known[number, 1] == high:
                numbers[row] = number
                break
            slot = (slot + np.uint64(1)) & mask
    return count


@numba.njit(cache=True, nogil=True)
def _place_all(known, slots):  # type: ignore[no-untyped-def]
    """Put the numbers of distinct digests into an empty table."""
    mask = np.uint64(len(slots) - 1)
    for number in range(len(known)):
        slot = (known[number, 0] ^ (known[number, 1] >> np.uint64(17))) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number


class FirstSeen:
    """Dense numbers for digests: 0 for the first one seen, 1 for the next new one, and so on.

    Memory is 24 to 40 bytes a distinct digest; texts are never held.

    >>> seen = FirstSeen()
    >>> seen.number(np.array([[1, 1], [2, 2], [1, 1]], dtype=np.uint64)).tolist()
    [0, 1, 0]
    >>> seen.number(np.array([[3, 3], [2, 2]], dtype=np.uint64)).tolist(), len(seen)
    ([2, 1], 3)
    """

    def __init__(self) -> None:
        self._known = np.empty((1024, 2), dtype=np.uint64)
        self._slots = np.full(2048, -1, dtype=np.int32)
        self._count = 0

    def __len__(self) -> int:
        """How many distinct digests were seen."""
        return self._count

    def number(self, digests: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of each digest (shape (n, 2)), new ones numbered in row order."""
        self._make_room(self._count + len(digests))
        numbers = np.empty(len(digests), dtype=np.int64)
        self._count = int(_insert_all(digests, self._slots, self._known, self._count, numbers))
        return numbers

    def find(self, digests: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of each digest, -1 for one that was never seen; nothing is added."""
        numbers = np.empty(len(digests), dtype=np.int64)
        _find_all(digests, self._slots, self._known, numbers)
        return numbers

    def known(self) -> NDArray[np.uint64]:
        """The digests by number, shape (len(self), 2)."""
        return self._known[: self._count]

    def _make_room(self, wanted: int) -> None:
        if wanted > len(self._known):
            grown = np.empty((max(wanted, len(self._known) * 3 // 2), 2), dtype=np.uint64)
            grown[: self._count] = self._known[: self._count]
            self._known = grown
        if wanted * 2 > len(self._slots):
            # The old table goes before the new one comes.
            del self._slots
            kind = np.int32 if wanted < 1 << 31 else np.int64
            self._slots = np.full(1 << int(wanted * 2 - 1).bit_length(), -1, dtype=kind)
            _place_all(self._known[: self._count], self._slots)


@numba.njit(cache=True, nogil=True)
def _find_all(digests, slots, known, numbers):  # type: ignore[no-untyped-def]
    mask = np.uint64(len(slots) - 1)
    for row in range(len(digests)):
        low, high = digests[row, 0], digests[row, 1]
        slot = (low ^ (high >> np.uint64(17))) & mask
        numbers[row] = -1
        while slots[slot] >= 0:
            number = slots[slot]
            if known[number, 0] == low and known[number, 1] == high:
                numbers[row] = number
                break
            slot = (slot + np.uint64(1)) & mask
