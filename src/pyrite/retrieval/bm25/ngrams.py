"""Character n-grams: pieces of words, for any language, with nothing to install."""

from __future__ import annotations

from collections.abc import Sequence

UNSPACED = ("ja", "ko", "th", "zh")
"""Languages whose segments the default analyzer looks up in a dictionary; two of their characters are about a word."""


def ngrams(words: Sequence[str], size: int) -> list[str]:
    """All pieces of `size` characters of each word, overlapping, in order; a shorter word is its only piece.

    The way of McNamee and Mayfield, Character N-Gram Tokenization for European Language Text Retrieval (2004); of a
    text without spaces, a word is all that stands between two marks of punctuation.

    >>> ngrams(["gold", "is", "黄鉄鉱"], 2)
    ['go', 'ol', 'ld', 'is', '黄鉄', '鉄鉱']
    """
    return [word[start : start + size] for word in words for start in range(max(1, len(word) - size + 1))]


def default_size(language: str) -> int:
    """How many characters serve where a name does not say: 2 for languages without spaces and Korean, else 4."""
    return 2 if language in UNSPACED else 4
