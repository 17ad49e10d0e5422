"""Which source documents are the same text, from digests alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, LedgerEntry
from pyrite.preparation.first_seen import FirstSeen
from pyrite.preparation.identity import Identical, blank, digests
from pyrite.preparation.nano.account import account


@dataclass(frozen=True)
class DocumentMap:
    """For every source document, the one that stands for it.

    Attributes:
        kept: int64, one a source row: the first row with the same text, or -1 where the text is empty.
        digests: uint64 of shape (source rows, 2), as `pyrite.preparation.digests` gives them.
        entries: what was left out, for the ledger.
    """

    kept: NDArray[np.int64]
    digests: NDArray[np.uint64]
    entries: tuple[LedgerEntry, ...]

    @property
    def documents(self) -> NDArray[np.int64]:
        """The rows that stay, in source order."""
        return np.flatnonzero(self.kept == np.arange(len(self.kept)))


def map_documents(digests: NDArray[np.uint64], empty: NDArray[np.bool_]) -> DocumentMap:
    """The map of duplicates: the first in source order stays for all that share its digest.

    Args:
        digests: one a source row, uint64 of shape (rows, 2), as `pyrite.preparation.digests` gives them.
        empty: one a source row; an empty text stands for nothing and is left out.

    >>> found = map_documents(np.array([[1, 1], [2, 2], [1, 1], [3, 3]], np.uint64), np.array([False] * 3 + [True]))
    >>> found.kept.tolist(), found.documents.tolist(), [entry.rows_out for entry in found.entries]
    ([0, 1, 0, -1], [0, 1], [3, 2])
    """
    if len(digests) != len(empty):
        raise DataError(f"{len(digests)} digests and {len(empty)} marks of empty texts do not align")
    numbers = FirstSeen().number(digests)
    _, first = np.unique(numbers, return_index=True)
    kept = np.where(empty, -1, first[numbers])
    texts, stay = int(np.count_nonzero(~empty)), int(np.count_nonzero(kept == np.arange(len(kept))))
    return DocumentMap(
        kept.astype(np.int64),
        digests,
        (
            account(
                "empty documents",
                "documents",
                rows_in=len(kept),
                rows_out=texts,
                dropped={"empty text": len(kept) - texts},
            ),
            account(
                "duplicate texts",
                "documents",
                rows_in=texts,
                rows_out=stay,
                dropped={"same text as an earlier one": texts - stay},
            ),
        ),
    )


def map_corpus(corpus: Corpus, identical: Identical = "exact") -> DocumentMap:
    """The map of a corpus in memory, by what a system reads of each document (title and text joined)."""
    texts = corpus.contents().combine_chunks()
    return map_documents(digests(texts, identical), blank(texts))
