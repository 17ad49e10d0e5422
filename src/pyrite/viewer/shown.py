"""How texts are shown: cut where they are long, with the query's terms marked and nothing in them that acts."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from pyrite.core import PyriteError
from pyrite.retrieval import Analyzer, analyzer_for

CUT = 480
"""Characters of a passage that a list shows."""
COMMON_SHARE = 0.1
"""A term that so many of the queries have is marked faintly: it is a question word more often than not."""
MARKED = 100_000
"""Terms are marked in so many characters: a page of a million marks is no help to anyone."""
_SAMPLE = 500
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\ufeff\ufff9-\ufffb]")
_CONTROL_NAMES = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI"),
    *("DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"),
)
_TURNS = {0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x7F: "DEL"}
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_KANA = "\u3040-\u309f"
_EAST = "\u3005\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003fffd"
_SOUTH = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_GRAM = {"east": 2, "kana": 4, "south": 4}


@dataclass(frozen=True)
class Segment:
    """A piece of a text. kind: "" (plain), "term", "common" (a term of many queries) or "control" (made visible)."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Shown:
    """A text as a page has it.

    Attributes:
        segments: its pieces. length: characters of the whole text. cut: whether some of them are left out.
    """

    segments: tuple[Segment, ...]
    length: int
    cut: bool


@dataclass(frozen=True)
class Terms:
    """What is marked in a text.

    Words are compared by their stem where the language has one. Where words are not set apart by spaces, a run of
    characters counts that the query has too: two of Chinese, Korean, or Japanese but for hiragana, else four.

    Attributes:
        keys: what the query has: stems, or runs of characters. common: those that many queries have.
        language: an ISO code, or "".
    """

    keys: frozenset[str] = frozenset()
    common: frozenset[str] = field(default_factory=frozenset)
    language: str = ""

    @classmethod
    def of(cls, query: str, language: str = "", common: frozenset[str] = frozenset()) -> Terms:
        """The terms of a query.

        >>> terms = Terms.of("Which minerals shine?", "en")
        >>> [segment.text for segment in show("A mineral shines.", terms).segments if segment.kind]
        ['mineral', 'shines']
        """
        keys = frozenset(key for _, _, key in _keys(query, language))
        return cls(keys, common & keys, language)


def show(text: str, terms: Terms | None = None, *, cut: int | None = None) -> Shown:
    r"""A text in pieces that a page can escape and mark.

    Args:
        text: whatever a corpus holds. terms: what is marked, if anything. cut: characters at most; None: all.

    A control character and a mark that turns the direction of what follows become visible and lose their force.

    >>> [piece.text for piece in show("gold\x00\u202e!", Terms.of("gold")).segments]
    ['gold', 'NUL', 'RLO', '!']
    """
    shown = text if cut is None or len(text) <= cut + cut // 4 else text[:cut].rstrip()
    segments: list[Segment] = []
    for piece in _pieces(_LINE_ENDS.sub("\n", shown[:MARKED])):
        segments += [piece] if piece.kind or terms is None else _marked(piece.text, terms)
    segments += _pieces(_LINE_ENDS.sub("\n", shown[MARKED:]))
    return Shown(tuple(segments), len(text), len(shown) < len(text))


def common_terms(queries: Sequence[str], language: str = "") -> frozenset[str]:
    """The terms that a tenth of the queries have, by the first 500; none where there are fewer than 20.

    >>> sorted(common_terms([f"what is q{number}?" for number in range(30)], "en"))
    ['is', 'what']
    """
    sample = queries[:_SAMPLE]
    if len(sample) < 20:
        return frozenset()
    counts = Counter(key for query in sample for key in {key for _, _, key in _keys(query, language)})
    return frozenset(key for key, count in counts.items() if count >= COMMON_SHARE * len(sample))


def analyzer_of(language: str) -> Analyzer | None:
    """The analyzer of a language code; None where there is none, or its packages are not installed.

    >>> analyzer_of("de").language, analyzer_of("test"), analyzer_of("")
    ('de', None, None)
    """
    try:
        return analyzer_for(language) if language else None
    except PyriteError:
        return None


def _pieces(text: str) -> Iterator[Segment]:
    start = 0
    for found in _CONTROLS.finditer(text):
        if found.start() > start:
            yield Segment(text[start : found.start()])
        yield Segment(_visible(found[0]), "control")
        start = found.end()
    if start < len(text):
        yield Segment(text[start:])


def _visible(character: str) -> str:
    code = ord(character)
    return _CONTROL_NAMES[code] if code < 0x20 else _TURNS.get(code, f"U+{code:04X}")


def _marked(text: str, terms: Terms) -> Iterator[Segment]:
    start, stop, kind = 0, 0, ""
    for at, end, key in _keys(text, terms.language) if terms.keys else ():
        if key not in terms.keys:
            continue
        this = "common" if key in terms.common else "term"
        if at <= stop and kind == this and stop > start:
            stop = max(stop, end)
            continue
        # Runs of characters overlap where a common one ends: what is marked already stays.
        at = max(at, stop)
        if at >= end:
            continue
        if kind:
            yield Segment(text[start:stop], kind)
        if at > stop:
            yield Segment(text[stop:at])
        start, stop, kind = at, end, this
    if kind:
        yield Segment(text[start:stop], kind)
    if stop < len(text):
        yield Segment(text[stop:])


def _keys(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and key of everything in a text that may be a term, in order."""
    found = list(_word().finditer(text))
    words = [unicodedata.normalize("NFKC", one[0]).casefold() for one in found if one.lastgroup == "word"]
    stems = iter(_stems(words, language))
    for one in found:
        kind = str(one.lastgroup)
        if kind == "word":
            yield one.start(), one.end(), next(stems)
        else:
            yield from _grams(one, _GRAM[kind])


def _grams(run: re.Match[str], size: int) -> Iterator[tuple[int, int, str]]:
    # A few letters of hiragana are an ending or a particle nearly everywhere.
    if len(run[0]) <= size and run.lastgroup != "kana":
        yield run.start(), run.end(), run[0]
        return
    for at in range(len(run[0]) - size + 1):
        yield run.start() + at, run.start() + at + size, run[0][at : at + size]


def _stems(words: Iterable[str], language: str) -> list[str]:
    listed = list(words)
    analyzer = _analyzer(language)
    return listed if analyzer is None else list(analyzer.stems(listed))


@lru_cache(maxsize=64)
def _analyzer(language: str) -> Analyzer | None:
    return analyzer_of(language)


@cache
def _word() -> re.Pattern[str]:
    # Vowel signs and other marks belong to a word, which \w does not know.
    marks = [code for code in range(min(sys.maxunicode, 0x1FFFF)) if unicodedata.category(chr(code))[0] == "M"]
    spans: list[list[int]] = []
    for code in marks:
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    of_words = "".join(f"{chr(first)}-{chr(last)}" for first, last in spans)
    plain = rf"(?:(?![{_EAST}{_KANA}{_SOUTH}])[^\W_]|[{of_words}])+"
    return re.compile(rf"(?P<east>[{_EAST}]+)|(?P<kana>[{_KANA}]+)|(?P<south>[{_SOUTH}]+)|(?P<word>{plain})")
