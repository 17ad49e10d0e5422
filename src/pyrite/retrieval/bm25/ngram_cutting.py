"""Cutting columns of text into character n-grams, as `segmenting` cuts them into segments."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from pyrite.retrieval.bm25.analyzers import Analyzer
from pyrite.retrieval.bm25.ngrams import ngrams
from pyrite.retrieval.bm25.tokenizer import Tokenizer


@dataclass(frozen=True)
class NgramCutter:
    """Cuts texts as an analyzer of kind "ngram" says; for several threads at once.

    Attributes:
        analyzer: whose words, and how many characters of them.
    """

    analyzer: Analyzer

    def __enter__(self) -> NgramCutter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is held."""

    def cut(self, texts: list[str]) -> list[str]:
        """The n-grams of each text with spaces between them, in order."""
        words = Tokenizer(self.analyzer).words_of(texts)
        return [" ".join(ngrams(found, self.analyzer.size)) for found in words]
