"""How long the texts of a dataset are, and how large it is as the hub counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import TEMPLATE

UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts that are written without spaces between words."""

WORD = rf"[{UNSPACED}]|[^\s{UNSPACED}]+"


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
    """Measures texts batch by batch; it holds 16 bytes a text, never the text.

    A word is a run of characters between white space; in a script without spaces each character is one. A missing
    text has length 0.

    >>> meter = TextMeter()
    >>> meter.add(pa.array(["Fool's gold is pyrite.", "黄鉄鉱 FeS2"]))
    >>> meter.statistics().words.mean, meter.statistics().characters.longest
    (4.0, 22)
    """

    def __init__(self) -> None:
        self._words = [np.empty(0, np.int64)]
        self._characters = [np.empty(0, np.int64)]

    def add(self, texts: pa.Array) -> None:
        """The next texts."""
        series = _series(texts)
        self._words.append(_words(series))
        self._characters.append(_characters(series))

    def add_titled(self, titles: pa.Array, texts: pa.Array, template: str) -> None:
        """The next documents, title and text joined by the template as `core.join_title` does."""
        title, text = _series(titles), _series(texts)
        titled = (title.str.strip_chars() != "").to_numpy()
        texted = (text.str.strip_chars() != "").to_numpy()
        # What the template itself adds between the two.
        added = len(template.replace("{title}", "").replace("{text}", ""))
        # A title without text is the title alone; a text without title is the text alone.
        own = np.where(titled & ~texted, 0, _words(text))
        self._words.append(np.where(titled, _words(title), 0) + own)
        joined = _characters(title) + np.where(texted, _characters(text) + added, 0)
        self._characters.append(np.where(titled, joined, _characters(text)))

    def statistics(self) -> TextStatistics:
        """The lengths of everything that was added."""
        return TextStatistics(Lengths.of(np.concatenate(self._words)), Lengths.of(np.concatenate(self._characters)))


def text_statistics(batches: Iterable[pa.RecordBatch], *, template: str = TEMPLATE) -> TextStatistics:
    """The lengths of the `text` column, in one pass; with a `title` column, of the two joined by the template."""
    meter = TextMeter()
    for batch in batches:
        if "title" in batch.schema.names:
            meter.add_titled(batch.column("title"), batch.column("text"), template)
        else:
            meter.add(batch.column("text"))
    return meter.statistics()


def _series(texts: pa.Array) -> pl.Series:
    series = pl.from_arrow(texts.cast(pa.large_string()))
    assert isinstance(series, pl.Series)
    return series.fill_null("")


def _words(texts: pl.Series) -> NDArray[np.int64]:
    return texts.str.count_matches(WORD).to_numpy().astype(np.int64)


def _characters(texts: pl.Series) -> NDArray[np.int64]:
    return texts.str.len_chars().to_numpy().astype(np.int64)


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
