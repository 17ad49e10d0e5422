"""Which rows of a training table leak from a protected collection: its documents or queries, the same or nearly so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import LedgerEntry
from pyrite.preparation.first_seen import FirstSeen
from pyrite.preparation.identity import Identical, blank, digests
from pyrite.preparation.near import NearIndex
from pyrite.preparation.shingle_hashes import joined
from pyrite.preparation.signatures import Signatures, read_signatures, signatures, write_signatures

Role = Literal["document", "query"]

REASONS = (
    "",
    "the same as a document",
    "the same as a query",
    "the same as a document, normalised",
    "the same as a query, normalised",
    "near-duplicate of a document",
    "near-duplicate of a query",
)
"""Why a row leaks, strongest first; a row's reason is its number here, 0 for a row that does not leak."""

_LEVELS = ("exact", "normalised", "near")
_BATCH = 4096
_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Leaks:
    """Which rows of a batch leak, and why.

    Attributes:
        reasons: int8, one a row: a place in `REASONS`, 0 for a row that does not leak.
        protected: int64, one a row: which protected text it leaks, by the order of their coming; -1 for none.
    """

    reasons: NDArray[np.int8]
    protected: NDArray[np.int64]

    @property
    def rows(self) -> NDArray[np.bool_]:
        """True for each row that leaks."""
        return self.reasons > 0

    def texts(self) -> list[str]:
        """The reason of every row in words, "" for a row that does not leak."""
        return [REASONS[reason] for reason in self.reasons.tolist()]


class Protection:
    """The texts of a protected collection, by which a training table is searched for leaks, batch by batch.

    The protected side is only read: it never loses a row. Each of its texts counts, however alike they are.

    Args:
        identical: "exact" compares bytes only, "normalised" also what `normalise` gives.
        near: a Jaccard threshold of 5-word shingles (see `NearIndex`), or None for no near-duplicates.
        seed: of the MinHash functions.
        work: a folder for the shingles of the protected texts (about 1.3 times their size); None: in memory.

    >>> protection = Protection(near=0.8)
    >>> protection.add(pa.array(["Fool's gold is pyrite."]), "document")
    >>> leaks = protection.leaks([pa.array(["what is gold?", "gold"]), pa.array(["fool's gold: is pyrite", None])])
    >>> leaks.rows.tolist(), leaks.texts(), leaks.protected.tolist()
    ([True, False], ['near-duplicate of a document', ''], [0, -1])
    """

    def __init__(
        self, *, identical: Identical = "normalised", near: float | None = None, seed: int = 0, work: Path | None = None
    ) -> None:
        same: tuple[Identical, ...] = ("exact",) if identical == "exact" else ("exact", "normalised")
        self._known = {level: FirstSeen() for level in same}
        self._index = None if near is None else _NearTexts(near, seed, work)
        self._roles = np.empty(0, np.int8)  # by protected text, in the order of their coming
        self._firsts = {level: np.empty(0, np.int64) for level in _LEVELS}  # of each number, the first such text
        self._counts = np.zeros(len(REASONS), np.int64)

    def add(self, texts: pa.Array | pa.ChunkedArray, role: Role) -> None:
        """Protect more texts; blank ones protect nothing. A text that is there already keeps its role."""
        for start in range(0, len(texts), _BATCH):
            column = joined(texts.slice(start, _BATCH))
            rows = np.flatnonzero(~blank(column))
            batch = column.take(pa.array(rows))
            places = len(self._roles) + rows
            for level, known in self._known.items():
                before = len(known)
                numbers, first = np.unique(known.number(digests(batch, level)), return_index=True)
                self._firsts[level] = np.append(self._firsts[level], places[first[numbers >= before]])
            if self._index is not None:
                self._index.add(batch)
                self._firsts["near"] = np.append(self._firsts["near"], places)
            self._roles = np.append(self._roles, np.full(len(column), role == "query", np.int8))

    def leaks(self, columns: Sequence[pa.Array | pa.ChunkedArray]) -> Leaks:
        """Which of the next rows leak: those with a text, in any column, that is one of the protected ones.

        A row with several leaks has the strongest as its reason: the same, then the same normalised, then near;
        documents before queries.

        Args:
            columns: one array a column, of equal lengths, of strings or of lists of strings.
        """
        # Reason and protected text as one number, so that the least is the strongest and the earliest.
        strongest = np.full(len(columns[0]) if columns else 0, _NONE)
        for column in columns:
            rows, texts = _flat(column)
            for start in range(0, len(texts), _BATCH):
                found = self._search(texts.slice(start, _BATCH))
                np.minimum.at(strongest, rows[start : start + _BATCH], found)
        leaking = strongest < _NONE
        reasons = np.where(leaking, strongest >> 48, 0).astype(np.int8)
        self._counts += np.bincount(reasons, minlength=len(REASONS))
        return Leaks(reasons, np.where(leaking, strongest & ((1 << 48) - 1), -1))

    def _search(self, texts: pa.Array) -> NDArray[np.int64]:
        """For each text, reason << 48 | protected text, or _NONE."""
        found = np.full(len(texts), _NONE)
        rest = np.flatnonzero(~blank(texts))
        for place, level in enumerate(_LEVELS):
            asked = texts.take(pa.array(rest))
            if level == "near":
                numbers = self._index.find(asked) if self._index is not None else np.full(len(rest), -1)
            elif level in self._known:
                numbers = self._known[level].find(digests(asked, level))
            else:
                continue
            protected = self._firsts[level][numbers[numbers >= 0]]
            found[rest[numbers >= 0]] = (1 + 2 * place + self._roles[protected].astype(np.int64)) << 48 | protected
            rest = rest[numbers < 0]
        return found

    def entry(self) -> LedgerEntry:
        """The account of the training rows asked about so far."""
        dropped = {reason: n for reason, n in zip(REASONS[1:], self._counts[1:].tolist(), strict=True) if n}
        notes = self._index.index.notes() if self._index is not None else ()
        return LedgerEntry(
            "leaks of the protected collection", "rows", int(self._counts.sum()), int(self._counts[0]), dropped, notes
        )


class _NearTexts:
    """A NearIndex with its signatures, whose shingles lie in files where there is a folder for them."""

    def __init__(self, threshold: float, seed: int, work: Path | None) -> None:
        self.index = NearIndex(threshold, seed)
        self._threshold, self._seed, self._work, self._files = threshold, seed, work, 0

    def _signed(self, texts: pa.Array) -> Signatures:
        return signatures(texts, threshold=self._threshold, seed=self._seed)

    def add(self, texts: pa.Array) -> None:
        """Keep these texts, all of them."""
        made = self._signed(texts)
        if self._work is not None:
            path = self._work / f"protected-{self._files:06d}.npy"
            self._files += 1
            write_signatures(path, [made])
            (made,) = read_signatures(path)
        self.index.keep(made)

    def find(self, texts: pa.Array) -> NDArray[np.int64]:
        """For each text the number of the earliest kept one that it is a near-duplicate of, or -1."""
        return self.index.find(self._signed(texts))


def _flat(column: pa.Array | pa.ChunkedArray) -> tuple[NDArray[np.int64], pa.Array]:
    """The texts of a column, and the row of each."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        lists = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return pc.list_parent_indices(lists).to_numpy(), joined(lists.flatten())
    return np.arange(len(column)), joined(column)
