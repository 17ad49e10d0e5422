"""The terms of an index: sorted, in one buffer that can lie in a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled


class Terms(NamedTuple):
    """Distinct terms in the order of their UTF-8 (which is that of their characters).

    Attributes:
        text: uint8, all of them in a row. bounds: int64, one more than terms.

    >>> terms = Terms.of(["gold", "pyrite"])
    >>> terms.find(["pyrite", "iron"]).tolist(), terms.to_list()
    ([1, -1], ['gold', 'pyrite'])
    """

    text: NDArray[np.uint8]
    bounds: NDArray[np.int64]

    @classmethod
    def of(cls, terms: Sequence[str]) -> Terms:
        """The terms, which are sorted and distinct."""
        encoded = [term.encode() for term in terms]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        text = np.frombuffer(b"".join(encoded) + b"\0", np.uint8)[:-1]
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        bounds.flags.writeable = False
        return cls(text, bounds)

    def find(self, terms: Sequence[str]) -> NDArray[np.int32]:
        """The row of each of these terms, -1 where it is not here."""
        return _find(self, Terms.of(terms))

    def to_list(self) -> list[str]:
        """All terms."""
        text, bounds = self.text.tobytes(), self.bounds.tolist()
        return [text[start:stop].decode() for start, stop in pairwise(bounds)]


@compiled
def _compared(terms: Any, row: Any, wanted: Any, place: Any) -> Any:
    """Below, at or above 0 as a term comes before, is, or comes after another."""
    start, length = terms.bounds[row], terms.bounds[row + 1] - terms.bounds[row]
    begin, size = wanted.bounds[place], wanted.bounds[place + 1] - wanted.bounds[place]
    for at in range(min(length, size)):
        if terms.text[start + at] != wanted.text[begin + at]:
            return -1 if terms.text[start + at] < wanted.text[begin + at] else 1
    return length - size


@compiled
def _find(terms: Terms, wanted: Terms) -> NDArray[np.int32]:
    rows = np.full(len(wanted.bounds) - 1, -1, np.int32)
    for place in range(len(rows)):
        low, high = 0, len(terms.bounds) - 1
        while low < high:
            middle = (low + high) // 2
            if _compared(terms, middle, wanted, place) < 0:
                low = middle + 1
            else:
                high = middle
        if low < len(terms.bounds) - 1 and _compared(terms, low, wanted, place) == 0:
            rows[place] = low
    return rows
