"""Which pairs of texts are compared: MinHash signatures cut into bands, and how likely a band is shared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pyrite.core import RecipeError
from pyrite.preparation.shingle_hashes import mixed

RECALL = 0.995
"""The least share of pairs exactly at the threshold that become candidates."""

LOWEST = 0.2
_MOST_BANDS, _MOST_HASHES = 40, 120


@dataclass(frozen=True)
class Bands:
    """How signatures are cut: two texts are compared where all `rows` minima of one of `bands` bands are equal.

    A band of r rows is shared with probability J^r by texts of Jaccard likeness J, so that b bands find a pair with
    probability 1 - (1 - J^r)^b (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 3.4).

    Attributes:
        bands, rows: how many bands, of how many minima each.
        seed: of the hash functions.

    >>> cut = Bands.of(0.8)
    >>> cut.bands, cut.rows, round(cut.recall(0.8), 4), round(cut.recall(0.2), 4)
    (18, 6, 0.9958, 0.0012)
    """

    bands: int
    rows: int
    seed: int = 0

    @classmethod
    def of(cls, threshold: float, seed: int = 0) -> Bands:
        """The cut with the most rows, so the fewest needless candidates, that finds 0.995 of pairs at the threshold.

        At most 40 bands, which decide the memory, and 120 minima, which decide the time; two rows at least.
        """
        if not LOWEST <= threshold <= 1:
            raise RecipeError(
                f"a near-duplicate threshold of {threshold:g} is not accepted", fix=f"use {LOWEST} to 1, as in 0.8"
            )
        cut = cls(_bands_for(threshold, 2), 2, seed)
        for rows in range(3, 17):
            bands = _bands_for(threshold, rows)
            if bands <= _MOST_BANDS and bands * rows <= _MOST_HASHES:
                cut = cls(bands, rows, seed)
        return cut

    def recall(self, likeness: float) -> float:
        """The probability that a pair of this Jaccard likeness becomes a candidate."""
        return 1 - (1 - likeness**self.rows) ** self.bands

    def keys(self, sizes: NDArray[np.int32], hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """One 32-bit key for each text and band, shape (texts, bands): equal where the band's minima are.

        Args:
            sizes, hashes: as `shingle_hashes` gives them. A text without shingles has keys that mean nothing.
        """
        keys = np.zeros((len(sizes), self.bands), np.uint32)
        _fill_keys(sizes, hashes, _multipliers(self), keys)
        return keys


def _bands_for(threshold: float, rows: int) -> int:
    missed = 1 - threshold**rows
    return 1 if missed <= 0 else math.ceil(math.log(1 - RECALL) / math.log(missed))


@cache
def _multipliers(cut: Bands) -> NDArray[np.uint32]:
    """Two odd 32-bit numbers for each minimum, shape (bands, rows, 2), by SplitMix64 from the seed."""
    state, numbers = cut.seed % 2**64, []
    for _ in range(cut.bands * cut.rows):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        value = int(mixed(np.uint64(state)))
        numbers.append((value & 0xFFFFFFFF | 1, value >> 32 | 1))
    return np.array(numbers, np.uint32).reshape(cut.bands, cut.rows, 2)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _fill_keys(sizes: Any, hashes: Any, multipliers: Any, keys: Any) -> None:
    """A shingle's place in each order is a sum of its two halves, times two odd numbers, modulo 2^32."""
    bands, rows = multipliers.shape[0], multipliers.shape[1]
    longest = 0
    for text in range(len(sizes)):
        longest = max(longest, sizes[text])
    low, high = np.empty(longest, np.uint32), np.empty(longest, np.uint32)
    start = 0
    for text in range(len(sizes)):
        size = sizes[text]
        if size == 0:
            continue
        for place in range(size):
            low[place] = np.uint32(hashes[start + place])
            high[place] = np.uint32(hashes[start + place] >> np.uint64(32))
        start += size
        for band in range(bands):
            key = np.uint64(band)
            for row in range(rows):
                first, second = multipliers[band, row, 0], multipliers[band, row, 1]
                least = np.uint32(0xFFFFFFFF)
                for place in range(size):
                    least = min(least, np.uint32(low[place] * first + high[place] * second))
                key = mixed(key ^ np.uint64(least))
            keys[text, band] = np.uint32(key)
