"""Analyzers: what is a word of a language, by name, and with everything that decides it in a fingerprint."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version

import Stemmer

from pyrite.core import RecipeError
from pyrite.retrieval.bm25.folding import RULE_VERSION
from pyrite.retrieval.bm25.languages import Language, language_of
from pyrite.retrieval.bm25.ngrams import default_size, ngrams
from pyrite.retrieval.bm25.segmenters import SEGMENTERS, require, segmenter

KINDS = ("stemmer", "whitespace", "wordseg", "ngram")
_TURKIC = ("tr", "az")


@dataclass(frozen=True)
class Analyzer:
    """How the texts of a language become words.

    Text is brought to NFKC and case-folded; words are the maximal runs of letters, digits and combining marks, so
    punctuation falls away and single characters stay. `stemmer` then takes each distinct word to its Snowball
    stem; `wordseg` cuts the text into segments before; `ngram` takes all pieces of so many characters of each word, and
    a shorter word whole, which needs no package for any language. There are no stop words.

    Attributes:
        kind: "stemmer", "whitespace", "wordseg" or "ngram".
        language: its code.
        algorithm: the Snowball algorithm of a stemmer, "" otherwise.
        size: characters of an n-gram, 0 otherwise.

    >>> analyzer_for("pt-BR").name, analyzer_for("english").tokens("The ponies' hooves, 1½ inches")
    ('stemmer:pt/portuguese', ['the', 'poni', 'hoov', '11', '2', 'inch'])
    """

    kind: str
    language: str
    algorithm: str = ""
    size: int = 0

    @property
    def name(self) -> str:
        """Its full name ("stemmer:de/german", "whitespace:bn", "wordseg:ja", "ngram:ja/2")."""
        detail = self.algorithm or self.size
        return f"{self.kind}:{self.language}" + (f"/{detail}" if detail else "")

    @property
    def turkic(self) -> bool:
        """Whether I folds to dotless ı."""
        return self.language in _TURKIC

    @cached_property
    def versions(self) -> dict[str, str]:
        """Version of everything that decides the words."""
        found = {"rules": str(RULE_VERSION), "unicode": unicodedata.unidata_version}
        packages = SEGMENTERS[self.language].packages if self.kind == "wordseg" else ()
        for package in ("PyStemmer",) if self.kind == "stemmer" else packages:
            found[package] = version(package)
        return found

    @property
    def fingerprint(self) -> str:
        """A digest (16 hex digits) of the name and the versions."""
        content = json.dumps([self.name, self.versions], sort_keys=True)
        return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()

    def stems(self, words: Sequence[str]) -> Sequence[str]:
        """What is indexed for each word: its stem, or the word itself."""
        if not self.algorithm:
            return words
        stemmer = Stemmer.Stemmer(self.algorithm, 0)
        stems: list[str] = stemmer.stemWords(words)
        return stems

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order, repeats included."""
        from pyrite.retrieval.bm25.tokenizer import Tokenizer

        cut = segmenter(self.language)(text) if self.kind == "wordseg" else text
        words = Tokenizer(self).words_of([cut])[0]
        if self.kind == "ngram":
            return ngrams(words, self.size)
        distinct = list(dict.fromkeys(words))
        stem_of = dict(zip(distinct, self.stems(distinct), strict=True))
        return [stem_of[word] for word in words]


def analyzer_for(name: str, *, language: str = "", texts: Iterable[str] = ()) -> Analyzer:
    """The analyzer that a language or a full name stands for.

    Args:
        name: a code or name ("ja", "jpn", "pt-BR", "portuguese"), a full name ("stemmer:de/german",
            "whitespace:bn", "wordseg:ja", "ngram:ja/2"), or "auto".
        language: what "auto" takes, where it is known.
        texts: what "auto" detects the language from, where it is not: queries, as many as there are.

    An unknown name, and an "auto" with nothing to go by, is a RecipeError.

    >>> [analyzer_for(name).name for name in ("de", "whitespace:de", "tel", "stemmer:en/porter")]
    ['stemmer:de/german', 'whitespace:de', 'whitespace:te', 'stemmer:en/porter']
    """
    if name == "auto":
        return _automatic(language, texts)
    kind, colon, rest = name.partition(":")
    if not colon:
        return _default(language_of(name))
    code, _, algorithm = rest.partition("/")
    if kind not in KINDS:
        raise RecipeError(f"unknown kind of analyzer '{kind}' in '{name}'", fix=f"take one of {', '.join(KINDS)}")
    found = language_of(code)
    if kind == "whitespace" and not algorithm:
        return Analyzer("whitespace", found.code)
    if kind == "wordseg" and not algorithm:
        if found.stemmer != "wordseg":
            raise RecipeError(f"'{name}' has no word segmenter", fix="take ja, ko, th or zh")
        return _default(found)
    if kind == "ngram":
        size = algorithm or str(default_size(found.code))
        if not size.isdecimal() or not 1 <= int(size) <= 9:
            raise RecipeError(f"'{name}' has no size of n-grams from 1 to 9", fix=f"write ngram:{found.code}/3")
        return Analyzer("ngram", found.code, size=int(size))
    if kind == "stemmer":
        if not algorithm and found.stemmer in ("", "wordseg"):
            raise RecipeError(
                f"'{found.code}' has no Snowball algorithm", fix=f"name one, as in stemmer:{found.code}/english"
            )
        return _stemmer(found.code, algorithm or found.stemmer, name)
    raise RecipeError(f"'{name}' is not an analyzer", fix=f"write {kind}:{found.code}")


def is_default(analyzer: Analyzer) -> bool:
    """Whether it is what its language's code alone stands for; no segmenter has to be installed to say so.

    >>> is_default(analyzer_for("de")), is_default(analyzer_for("ngram:ja/2"))
    (True, False)
    """
    language = language_of(analyzer.language)
    return analyzer.kind == "wordseg" if language.stemmer == "wordseg" else analyzer == _default(language)


def _default(language: Language) -> Analyzer:
    if language.stemmer == "wordseg":
        require(language.code)
        return Analyzer("wordseg", language.code)
    if language.stemmer:
        return _stemmer(language.code, language.stemmer, language.analyzer)
    return Analyzer("whitespace", language.code)


def _stemmer(code: str, algorithm: str, name: str) -> Analyzer:
    known = Stemmer.algorithms()
    if algorithm not in known:
        raise RecipeError(
            f"PyStemmer {version('PyStemmer')} has no algorithm '{algorithm}', which '{name}' asks for",
            fix=f"take one of {', '.join(known)}",
        )
    return Analyzer("stemmer", code, algorithm)


def _automatic(language: str, texts: Iterable[str]) -> Analyzer:
    if language:
        return _default(language_of(language))
    from pyrite.retrieval.bm25.detection import detect_language

    return _default(language_of(detect_language(texts)))
