"""How long the texts of a dataset are, and how large it is as the hub counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.publishing.word_counts import count_words


@dataclass(frozen=True)
class Lengths:
    """The mean and percentiles of lengths; each percentile is a length that occurs (nearest rank).

    >>> Lengths.of(np.array([1, 2, 3, 4]))
    Lengths(mean=2.5, p5=1, median=2, p95=4, longest=4)
    """

    mean: float
    p5: int
    median: int
    p95: int
    longest: int

    @classmethod
    def of(cls, lengths: NDArray[np.integer]) -> Lengths:
        """The statistics of these lengths; all zero where there are none."""
        if not len(lengths):
            return cls(0.0, 0, 0, 0, 0)
        low, middle, high = np.percentile(lengths, [5, 50, 95], method="inverted_cdf")
        return cls(float(lengths.mean()), int(low), int(middle), int(high), int(lengths.max()))


@dataclass(frozen=True)
class TextStatistics:
    """How long texts are, in words and in characters (Unicode code points)."""

    words: Lengths
    characters: Lengths


class TextMeter:
    """Measures texts batch by batch; it holds 8 bytes a text (12 with titles), never the text.

    A word is a run of characters between white space; in a script without spaces each character is one. A missing
    text has length 0.

    >>> meter = TextMeter()
    >>> meter.add(pa.array(["Fool's gold is pyrite.", "黄鉄鉱 FeS2"]))
    >>> meter.statistics().words.mean, meter.statistics().characters.longest
    (4.0, 22)
    """

    def __init__(self) -> None:
        nothing = np.empty(0, np.int32)
        self._words, self._characters, self._apart = [nothing], [nothing], [nothing]

    def add(self, texts: pa.Array) -> None:
        """The next texts."""
        words, characters = count_words(texts)
        self._append(words, characters, characters)

    def add_titled(self, titles: pa.Array, texts: pa.Array, template: str) -> None:
        """The next documents, title and text joined by the template as `core.join_title` does."""
        title_words, title_characters = count_words(titles)
        words, characters = count_words(texts)
        # What is only white space has no word, and is not joined.
        titled, texted = title_words > 0, words > 0
        # What the template itself adds between the two.
        added = len(template.replace("{title}", "").replace("{text}", ""))
        joined = title_characters + np.where(texted, characters + added, 0)
        self._append(title_words + words, np.where(titled, joined, characters), title_characters + characters)

    def _append(self, words: NDArray[np.integer], characters: NDArray[np.integer], apart: NDArray[np.integer]) -> None:
        for held, more in ((self._words, words), (self._characters, characters), (self._apart, apart)):
            held.append(more.astype(np.int32, copy=False))

    def statistics(self) -> TextStatistics:
        """The lengths of everything that was added."""
        return TextStatistics(Lengths.of(np.concatenate(self._words)), Lengths.of(np.concatenate(self._characters)))

    def characters(self) -> NDArray[np.int32]:
        """The characters of each text; of a document with a title those of both, without what a template adds."""
        return np.concatenate(self._apart)

    @classmethod
    def joined(cls, meters: Iterable[TextMeter]) -> TextMeter:
        """What several have measured, one after the other."""
        whole = cls()
        for meter in meters:
            whole._words += meter._words
            whole._characters += meter._characters
            whole._apart += meter._apart
        return whole


def size_category(rows: int) -> str:
    """The hub's size category of a number of rows.

    >>> [size_category(rows) for rows in (999, 1_000, 205_000, 4_400_000)]
    ['n<1K', '1K<n<10K', '100K<n<1M', '1M<n<10M']
    """
    bounds = [10**power for power in range(3, 13)]
    names = ["1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"]
    if rows < bounds[0]:
        return "n<1K"
    for place in range(1, len(bounds)):
        if rows < bounds[place]:
            return f"{names[place - 1]}<n<{names[place]}"
    return "n>1T"
