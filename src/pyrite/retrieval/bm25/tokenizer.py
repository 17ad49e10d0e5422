"""From columns of text to word ids, exactly by the folding rule, at the speed of the compiled loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.retrieval.bm25.analyzers import Analyzer
from pyrite.retrieval.bm25.folding import character_table, fold, folded_table
from pyrite.retrieval.bm25.scan import Texts, nothing_found, scan
from pyrite.retrieval.bm25.vocabulary import Words, no_words, word_lines

_NO_BYTES = np.zeros(0, np.uint8)


class WordIds(NamedTuple):
    """The words of some texts: those of text i are ids[starts[i]:ends[i]], int32."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class Tokenizer:
    """Cuts texts into words and numbers them in the order in which it first sees them; not for two threads at once.

    Args:
        analyzer: whose words; stemming is not done here, see `Analyzer.stems`.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._turkic = analyzer.turkic
        self._table = character_table(turkic=analyzer.turkic)
        self._words: Words = no_words()
        self._told = 1  # the place in the pool up to which `fresh_words` has told

    def __len__(self) -> int:
        """How many distinct words it has seen."""
        return int(self._words.sizes[0])

    def word_ids(self, texts: pa.Array) -> WordIds:
        """The ids of the words of each text; `texts` is large_string without nulls, and is not copied."""
        found = nothing_found(len(texts), _bytes(texts) // 6)
        rows = np.arange(len(texts), dtype=np.int64)
        self._words, found = scan(Texts(*_buffers(texts), rows), self._table, self._words, found)
        hard = np.flatnonzero(found.hard)
        if len(hard):
            folded = [fold(text, turkic=self._turkic) for text in texts.take(pa.array(hard)).to_pylist()]
            buffers = _buffers(pa.array(folded, pa.large_string()))
            self._words, found = scan(Texts(*buffers, hard), folded_table(), self._words, found)
        return WordIds(found.ids[: found.used[0]], found.starts, found.ends)

    def fresh_words(self) -> list[str]:
        """The distinct words that were first seen since this was last asked, in the order of their ids."""
        lines = word_lines(self._words, self._told)
        self._told = int(self._words.sizes[1])
        return lines.tobytes().decode().split("\n")[:-1]

    def words_of(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text as strings; for a few texts, and the first thing that is asked of a tokenizer."""
        found = self.word_ids(pa.array(texts, pa.large_string()))
        words = self.fresh_words()
        return [
            [words[word] for word in found.ids[start:end].tolist()]
            for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True)
        ]


def _buffers(texts: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return (np.frombuffer(data, np.uint8) if data is not None and data.size else _NO_BYTES), bounds


def _bytes(texts: pa.Array) -> int:
    bounds = _buffers(texts)[1]
    return int(bounds[-1] - bounds[0]) if len(bounds) > 1 else 0


_NO_BYTES.flags.writeable = False
