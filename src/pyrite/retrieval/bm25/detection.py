"""Which language some texts are in, taken together; undecided is an error, never English."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any

from pyrite.core import MissingExtraError, RecipeError
from pyrite.retrieval.bm25.languages import LANGUAGES, language_of

_SAMPLE = 500
"""At most so many texts are looked at, evenly spaced."""
_HEAD_START = 20.0
"""Log-odds by which a widely written language goes ahead of a small neighbour (Spanish of Galician): names alone say
little, and where there are sentences the differences are in the hundreds."""
_MARGIN = 3.0
"""Log-odds of the first over the second below which nothing is decided."""
_WIDE = frozenset(
    "ar bn de en es fa fi fr hi id it ja ko ms nl pl pt ru sv sw te th tr uk vi yo zh".split()  # noqa: SIM905
)
_FON_LETTER = "ɖ"


@cache
def _identifier() -> Any:
    if find_spec("py3langid") is None:
        raise MissingExtraError.of("languages", needed_for="detecting a language")
    from py3langid.langid import LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file("data/model.npz.xz")
    ours = {language.code for language in LANGUAGES} | {"nn"}
    identifier.set_languages([label for label in identifier.labels if label in ours])
    return identifier


def detect_language(texts: Iterable[str]) -> str:
    """The code of the language of these texts, one of those that have an analyzer.

    Args:
        texts: such as the queries of a collection; twenty sentences are plenty.

    Texts that do not decide it are a RecipeError; without the extra `languages` it is a MissingExtraError.

    >>> detect_language(["wie hoch ist der Berg?", "wer schrieb das Buch?", "wo liegt die Stadt?"])
    'de'
    """
    given = [text for text in texts if text.strip()]
    sample = given[:: max(1, -(-len(given) // _SAMPLE))]
    joined = "\n".join(sample)
    ranked = _ranked(joined) if any(c.isalpha() for c in joined) else []
    if not ranked or ranked[0][0] - ranked[1][0] < _MARGIN:
        raise RecipeError(
            f"the language of {len(given)} texts cannot be told",
            fix="give the language, or name the analyzer, as in bm25:en",
        )
    return ranked[0][1]


def _ranked(text: str) -> list[tuple[float, str]]:
    letters = sum(map(str.isalpha, text))
    # The model lacks Fon, which alone among the accepted languages writes this letter.
    if text.casefold().count(_FON_LETTER) * 300 > letters:
        return [(_MARGIN, "fon"), (0.0, "")]
    scores: dict[str, float] = {}
    for label, score in _identifier().rank(text):
        code = language_of(label).code
        scores[code] = max(scores.get(code, -float("inf")), score + (_HEAD_START if code in _WIDE else 0.0))
    # A text with none of the model's features has the same lowest score for all, head start or not.
    ranked = sorted(((score, code) for code, score in scores.items()), reverse=True)
    return ranked if ranked[0][0] > -1e30 else []
