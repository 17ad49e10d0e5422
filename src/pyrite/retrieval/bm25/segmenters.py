"""Word segmentation of languages that do not put spaces between words, or glue particles to them (Korean)."""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Literal

from pyrite.core import MissingExtraError

Segment = Callable[[str], str]


@dataclass(frozen=True)
class Segmenter:
    """How a language is cut.

    Attributes:
        packages: what decides the result, as on the package index. modules: the same as imported.
        load: makes the function from a normalised text to its segments with spaces between them.
        form: the Unicode form that it is given. For Thai it is NFC: NFKC takes SARA AM apart, which the dictionary
            needs whole.
        speed: characters a second of one process, roughly; decides whether more processes pay.
    """

    packages: tuple[str, ...]
    modules: tuple[str, ...]
    load: Callable[[], Segment]
    form: Literal["NFC", "NFKC"]
    speed: int


def _japanese() -> Segment:
    import fugashi

    tagger = fugashi.Tagger("-Owakati")  # surfaces, with the dictionary of unidic-lite

    def segment(text: str) -> str:
        return str(tagger.parse(text))

    return segment


def _chinese() -> Segment:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba imports pkg_resources and has old escapes in its patterns
        import jieba

    tokenizer = jieba.Tokenizer()
    # Its own loading would read whatever lies in the shared temporary folder under its cache's name.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True

    def segment(text: str) -> str:
        return " ".join(tokenizer.cut(text))

    return segment


def _thai() -> Segment:
    # Without this it makes a folder in the user's home, for downloads of which newmm needs none.
    if "PYTHAINLP_READ_MODE" not in os.environ:
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    from pythainlp.tokenize import word_tokenize

    def segment(text: str) -> str:
        return " ".join(word for part in _parts(text) for word in word_tokenize(part, engine="newmm"))

    return segment


def _parts(text: str, size: int = 10_000) -> list[str]:
    """A long text in parts of about `size` characters that end at white space; the time newmm takes is quadratic."""
    if len(text) <= size:
        return [text]
    parts, start = [], 0
    for gap in re.finditer(r"\s+", text):
        if gap.end() - start >= size:
            parts.append(text[start : gap.end()])
            start = gap.end()
    return [*parts, text[start:]]


def _korean() -> Segment:
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1)

    def segment(text: str) -> str:
        # Morphemes in their dictionary form, so that a noun is found whatever particle it carries.
        return " ".join(token.form for token in kiwi.tokenize(text))

    return segment


SEGMENTERS: dict[str, Segmenter] = {
    "ja": Segmenter(("fugashi", "unidic-lite"), ("fugashi", "unidic_lite"), _japanese, "NFKC", 800_000),
    "ko": Segmenter(("kiwipiepy", "kiwipiepy-model"), ("kiwipiepy", "kiwipiepy_model"), _korean, "NFKC", 60_000),
    "th": Segmenter(("pythainlp",), ("pythainlp",), _thai, "NFC", 500_000),
    "zh": Segmenter(("jieba",), ("jieba",), _chinese, "NFKC", 250_000),
}


def require(language: str) -> None:
    """Raise a MissingExtraError where the language's packages are not installed."""
    if any(find_spec(module) is None for module in SEGMENTERS[language].modules):
        raise MissingExtraError.of("languages", needed_for=f"the analyzer wordseg:{language}")


@cache
def segmenter(language: str) -> Segment:
    """The function from a text to its segments with spaces between them, loaded once a process."""
    require(language)
    kind = SEGMENTERS[language]
    segment = kind.load()

    def normalised(text: str) -> str:
        # MeCab ends a text at a NUL; to every segmenter it is a space.
        return segment(unicodedata.normalize(kind.form, text).replace("\0", " "))

    return normalised
