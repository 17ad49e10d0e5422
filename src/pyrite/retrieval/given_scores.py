"""Logits that were made elsewhere, as a scorer like any other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, TextPairs
from pyrite.retrieval.given import told_file


@dataclass(frozen=True)
class GivenScores:
    """A table of logits (query-id, corpus-id, logit) that scores the pairs it holds.

    Attributes:
        path: the file; it is read when pairs are scored.
    """

    path: Path

    @property
    def name(self) -> str:
        """The file's name without its ending ("scores:teacher")."""
        return f"scores:{self.path.stem}"

    @property
    def family(self) -> str:
        """Always "scores"."""
        return "scores"

    def settings(self) -> dict[str, Any]:
        """The file's name, and the digest of what it says."""
        return told_file(self.path)

    def score(self, pairs: TextPairs) -> NDArray[np.float32]:
        """The file's logits, by the ids of query and document; DataError that counts the pairs which it lacks."""
        from pyrite.formats import read_scores

        held = read_scores(self.path)
        logits = matched_logits(
            (pairs.queries.positions(held.query_ids), pairs.corpus.positions(held.doc_ids)),
            held.logits,
            (pairs.query_positions, pairs.doc_positions),
        )
        self.must_hold_all(logits, pairs)
        return logits

    def must_hold_all(self, logits: NDArray[np.float32], pairs: TextPairs) -> None:
        """DataError where a pair has no logit (NaN); it counts them and names the first."""
        missing = np.flatnonzero(np.isnan(logits))
        if len(missing):
            query = pairs.queries.ids[int(pairs.query_positions[missing[0]])].as_py()
            document = pairs.corpus.ids[int(pairs.doc_positions[missing[0]])].as_py()
            raise DataError(
                f"{len(missing):,} of {len(pairs):,} pairs are not in it, the first is query '{query}' with document "
                f"'{document}'",
                where=str(self.path),
                fix="score them too",
            )


def matched_logits(
    held: tuple[NDArray[np.integer], NDArray[np.integer]],
    logits: NDArray[np.float32],
    wanted: tuple[NDArray[np.integer], NDArray[np.integer]],
) -> NDArray[np.float32]:
    """The logit of each wanted pair, float32, NaN for one that is not held.

    Args:
        held: query and document of each logit, as numbers; -1 for one that is of no interest. Of two logits for one
            pair the first counts.
        logits: float32.
        wanted: query and document of each pair.

    >>> held = np.array([0, 1]), np.array([5, -1])
    >>> matched_logits(held, np.array([2.5, 9.0], np.float32), (np.array([0, 1]), np.array([5, 5]))).tolist()
    [2.5, nan]
    """
    known = np.flatnonzero((held[0] >= 0) & (held[1] >= 0))
    size = int(max(held[1].max(initial=0), wanted[1].max(initial=0))) + 1
    keys = held[0][known].astype(np.int64) * size + held[1][known]
    distinct, first = np.unique(keys, return_index=True)
    asked = wanted[0].astype(np.int64) * size + wanted[1]
    found = np.full(len(asked), np.nan, dtype=np.float32)
    if len(distinct):
        places = np.minimum(np.searchsorted(distinct, asked), len(distinct) - 1)
        there = distinct[places] == asked
        found[there] = logits[known[first[places[there]]]]
    return found
