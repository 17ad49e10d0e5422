"""Whether a corpus is written in a script without spaces, on which words between spaces are whole sentences."""

from __future__ import annotations

import re
import warnings

from pyrite.core import Corpus
from pyrite.retrieval.bm25.analyzers import Analyzer

_SAMPLE = 200
# Thai, Lao, Tibetan, Burmese, Khmer, kana, and Chinese characters.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
)


def unspaced_share(texts: list[str]) -> float:
    """The share of letters that belong to a script without spaces, 0 to 1.

    >>> unspaced_share(["黄铁矿 FeS2"])
    0.5
    """
    letters = sum(sum(map(str.isalpha, text)) for text in texts)
    unspaced = sum(c.isalpha() for text in texts for c in _UNSPACED.findall(text))
    return unspaced / letters if letters else 0.0


def warn_unspaced(corpus: Corpus, analyzer: Analyzer) -> None:
    """Warn where an analyzer that trusts in spaces meets a corpus that is mostly without; looks at a sample."""
    if analyzer.kind in ("wordseg", "ngram") or not len(corpus):
        return
    step = max(1, -(-len(corpus) // _SAMPLE))
    share = unspaced_share([corpus.texts[row].as_py() for row in range(0, len(corpus), step)])
    if share > 0.5:
        warnings.warn(
            f"{share:.0%} of the corpus's letters are in a script without spaces between words, which {analyzer.name} "
            f"cannot cut: take wordseg:ja, wordseg:th or wordseg:zh, or ngram:{analyzer.language}/2",
            stacklevel=3,
        )
