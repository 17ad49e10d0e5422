import warnings
from collections.abc import Callable

import pytest

from pyrite.core import Corpus
from pyrite.retrieval.bm25.analyzers import Analyzer, analyzer_for
from pyrite.retrieval.bm25.scripts import unspaced_share, warn_unspaced

CHINESE = ["我们在北京大学学习中文", "黄铁矿是一种矿物"]


def test_the_share_counts_letters_only() -> None:
    assert unspaced_share(["ก 1234 !", "abc"]) == 0.25
    assert unspaced_share([]) == unspaced_share(["123"]) == 0.0
    assert unspaced_share(["한국어 हिन्दी русский"]) == 0.0


@pytest.mark.parametrize("analyzer", [Analyzer("whitespace", "en"), analyzer_for("en")], ids=lambda a: a.name)
@pytest.mark.parametrize("texts", [CHINESE, ["東京都に住む"], ["ฉันฟังวิทยุ"]], ids=["zh", "ja", "th"])
def test_trust_in_spaces_where_there_are_none_is_warned_of(
    analyzer: Analyzer, texts: list[str], corpus_of: Callable[[list[str]], Corpus]
) -> None:
    """O48."""
    with pytest.warns(UserWarning, match=r"are in a script without spaces between words, which .* cannot cut"):
        warn_unspaced(corpus_of(texts), analyzer)


def test_a_segmenter_and_a_few_quotations_are_no_reason(corpus_of: Callable[[list[str]], Corpus]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_unspaced(corpus_of(CHINESE), analyzer_for("zh"))
        warn_unspaced(corpus_of(["the word 黄铁矿 means pyrite"] * 3), analyzer_for("en"))
        warn_unspaced(corpus_of([]), analyzer_for("en"))
