"""Word shingles of a text, and how alike two texts are by them."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache

from pyrite.preparation.identity import normalise

SIZE = 5
"""Words in a shingle."""

# Scripts that are written without spaces: Thai, Lao, Burmese, Khmer, kana, Han. Each character is a word of its own.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)


@cache
def _word() -> re.Pattern[str]:
    r"""A character of an unspaced script, or a run of others that are letters, digits or combining marks.

    \w leaves the marks out, which would cut a Hindi or a Tamil word in two.
    """
    marks = "".join(chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "M")
    return re.compile(f"[{_UNSPACED}]|(?:(?![{_UNSPACED}_])[\\w{marks}])+")


def shingles(text: str) -> frozenset[str]:
    """The sets of 5 successive words of a text; a shorter text is one shingle, a text without words has none.

    >>> sorted(shingles("One two, THREE four five six"))
    ['one two three four five', 'two three four five six']
    >>> shingles("cat"), shingles("?!")
    (frozenset({'cat'}), frozenset())
    """
    words = _word().findall(normalise(text))
    if not words:
        return frozenset()
    return frozenset(" ".join(words[start : start + SIZE]) for start in range(max(1, len(words) - SIZE + 1)))


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard's share of common shingles, 0 to 1; a text without words is like nothing.

    >>> likeness(shingles("a b c d e f"), shingles("a b c d e g")), likeness(frozenset(), frozenset())
    (0.3333333333333333, 0.0)
    """
    union = len(first | second)
    return len(first & second) / union if union else 0.0
