"""Which BM25."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VARIANTS = ("lucene", "robertson")


@dataclass(frozen=True)
class Formula:
    """Which BM25: score = idf * tf / (k1 * (1 - b + b * length / average length) + tf), summed over query words.

    The idf of "lucene" is ln(1 + (N - df + 0.5) / (df + 0.5)); that of "robertson" lacks the 1, and is not below 0.
    Source: Kamphuis et al., "Which BM25 do you mean?", ECIR 2020. The factor k1 + 1 is left out of both, which
    changes no ranking.

    >>> Formula("lucene", 1.5, 0.75).idf(3, np.array([1, 2])).round(3)
    array([0.981, 0.47 ], dtype=float32)
    """

    variant: str
    k1: float
    b: float

    def idf(self, documents: int, frequencies: NDArray[np.int64]) -> NDArray[np.float32]:
        """The idf of terms that occur in so many of the documents, float32."""
        distinct, rows = np.unique(frequencies, return_inverse=True)
        # By math.log, as bm25s does it: numpy's logarithm may differ in the last bit.
        odds = [(documents - df + 0.5) / (df + 0.5) for df in distinct.tolist()]
        if self.variant == "lucene":
            values = [math.log(1 + ratio) for ratio in odds]
        else:
            values = [math.log(max(ratio, 1.0)) for ratio in odds]
        found: NDArray[np.float32] = np.array(values, np.float32)[rows]
        return found
