"""How long texts are: the numbers of a table and the bars of a histogram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS = 6
"""Bars for each doubling of the length, where lengths are whole numbers that far apart."""


@dataclass(frozen=True)
class TextLengths:
    """The lengths of some texts in characters (Unicode code points).

    Attributes:
        texts: which ("documents", "queries"). of: of which set, or "".
        count: how many. mean, p5, median, p95, longest: percentiles are lengths that occur (nearest rank).
        bins: (from, to, texts) of each bar, `to` left out; their widths grow with the length.

    >>> TextLengths.of_lengths("queries", np.array([1, 2, 3, 4]))  # doctest: +NORMALIZE_WHITESPACE
    TextLengths(texts='queries', of='', count=4, mean=2.5, p5=1, median=2, p95=4, longest=4,
                bins=((1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1)))
    """

    texts: str
    of: str
    count: int
    mean: float
    p5: int
    median: int
    p95: int
    longest: int
    bins: tuple[tuple[int, int, int], ...]

    @classmethod
    def of_lengths(cls, texts: str, lengths: NDArray[np.integer], *, of: str = "") -> TextLengths:
        """The statistics of these lengths; all zero where there are none."""
        if not len(lengths):
            return cls(texts, of, 0, 0.0, 0, 0, 0, 0, ())
        low, middle, high = np.percentile(lengths, [5, 50, 95], method="inverted_cdf")
        longest = int(lengths.max())
        edges = _edges(longest)
        counts, _ = np.histogram(lengths, bins=[*edges[:-1], edges[-1] - 0.5])
        bins = [(a, b, int(n)) for a, b, n in zip(edges, edges[1:], counts.tolist(), strict=False)]
        first = next(place for place, one in enumerate(bins) if one[2])
        return cls(
            texts,
            of,
            len(lengths),
            float(lengths.mean()),
            int(low),
            int(middle),
            int(high),
            longest,
            tuple(bins[first:]),
        )


def _edges(longest: int) -> list[int]:
    """0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, ... past the longest."""
    edges = [0, 1]
    step = 1
    while edges[-1] <= longest:
        edge = round(2 ** (step / STEPS))
        if edge > edges[-1]:
            edges.append(edge)
        step += 1
    return edges
