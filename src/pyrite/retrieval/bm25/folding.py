"""How text is normalised before it is cut into tokens, and the same rule as tables for a compiled loop."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RULE_VERSION = 1
"""Goes into every analyzer's fingerprint; raised when the rule of folding or of tokens changes."""

# A table entry is a character after folding (21 bits), whether it belongs into a token, and how it behaves.
TOKEN = 1 << 21
KIND_SHIFT = 22
PLAIN = 0  # one character, whatever stands around it
EXPANDS = 1  # several characters, whatever stands around it
MARK = 2  # may be moved or composed with what stands before it: to be checked against that
HARD = 3  # its neighbours decide in ways that the compiled loop leaves to `fold`

MOST_PER_BYTE = 6
"""No character folds to more characters than this for each byte of its UTF-8 (U+FDFA: 18 for 3)."""

COMPOSES = 1  # can be the second character of a composition
COMPOSED = 2  # comes from a character that is itself a composition, so that a mark may find its way into it

_SIZE = 0x110000
_JAMO = [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]  # vowels and final consonants of Hangul
_TURKIC = {ord("I"): "ı", ord("İ"): "i"}


def fold(text: str, *, turkic: bool = False) -> str:
    """The text in NFKC, case-folded (full folding), and in NFKC again, since folding can take characters apart.

    Args:
        text: any text.
        turkic: fold I to dotless ı and İ to i, as Turkish and Azerbaijani do (status T in Unicode's CaseFolding.txt).

    >>> fold("ＡＢＣ Straße"), fold("IĞDIR", turkic=True)
    ('abc strasse', 'ığdır')
    """
    normal = unicodedata.normalize("NFKC", text)
    if turkic:
        normal = normal.translate(_TURKIC)
    return unicodedata.normalize("NFKC", normal.casefold())


class CharacterTable(NamedTuple):
    """The folding rule by code point.

    Attributes:
        by_byte: uint8 [256]: for a byte of UTF-8, the folded ASCII letter or digit, 0 for what ends a token,
            1 for "look the character up in `entries`".
        entries: uint32 [0x110000]: folded character (or an index into `expansions`), TOKEN, kind.
        combining: uint8 [0x110000]: canonical combining class of MARK characters.
        expansions: int32: runs of folded characters with TOKEN where they make tokens; each run ends with -1.
        pairs: int64, sorted: (character << 21 | mark) that compose, before or after case folding.
        composition: uint8 [0x110000], by folded character: COMPOSES and COMPOSED.
    """

    by_byte: NDArray[np.uint8]
    entries: NDArray[np.uint32]
    combining: NDArray[np.uint8]
    expansions: NDArray[np.int32]
    pairs: NDArray[np.int64]
    composition: NDArray[np.uint8]


# Unified ideographs, Hangul syllables, surrogates and private use: what folds to itself and composes with nothing
# that is not HARD. The newline separates characters in `_each`. Planes 4 to 13 and the rest of 14 are not assigned.
_THE_SAME = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xF900), (0x20000, 0x2F800), (0x30000, 0x40000))
_ASSIGNED = 0x40000
_SPECIAL = range(0xE0000, 0xE1000)


def _characters() -> list[str]:
    """Every character whose folding needs a look."""
    bounds = [0x0B, *(bound for span in _THE_SAME for bound in span), _ASSIGNED]
    codes = [*range(0x0A), *_SPECIAL]
    for start, stop in zip(bounds[::2], bounds[1::2], strict=True):
        codes += range(start, stop)
    return list(map(chr, codes))


def _each(folding: Callable[[str], str], characters: list[str]) -> list[str]:
    """Every character folded on its own: in one pass over one text, since a newline never composes with anything."""
    return folding("\n".join(characters)).split("\n")


def _compositions(characters: list[str]) -> list[tuple[int, int]]:
    """The pairs of characters that NFC makes one of (Hangul apart)."""
    found = []
    for character, parts in zip(characters, map(unicodedata.decomposition, characters), strict=True):
        if parts and parts[0] != "<" and " " in parts and unicodedata.normalize("NFC", character) == character:
            first, second = parts.split()
            found.append((int(first, 16), int(second, 16)))
    return found


@cache
def _token_bits() -> NDArray[np.uint32]:
    """TOKEN for every code point whose character belongs into a token: letters, digits and combining marks."""
    bits = np.zeros(_SIZE, np.uint32)
    for span in (range(_ASSIGNED), _SPECIAL):
        categories = "".join(map(unicodedata.category, map(chr, span))).encode()
        kinds = np.frombuffer(categories, np.uint8)[::2]
        bits[span.start : span.stop] = np.where(np.isin(kinds, np.frombuffer(b"LNM", np.uint8)), TOKEN, 0)
    return bits


@cache
def character_table(*, turkic: bool = False) -> CharacterTable:
    """The folding rule as arrays, from Python's own Unicode data; built once a process (about a tenth of a second).

    A character is PLAIN or EXPANDS if its folding is the same in every text: nothing that it turns into at any
    step can compose with what stands before, and all of it has combining class 0. Then the folding of a text of
    such characters is the row of their foldings (the quick check of Unicode Standard Annex 15).
    """
    characters = _characters()
    token = _token_bits()
    codes = np.fromiter(map(ord, characters), np.int64, len(characters))
    classes = np.zeros(_SIZE, np.uint8)
    classes[codes] = np.fromiter(map(unicodedata.combining, characters), np.uint8, len(characters))
    compositions = _compositions(characters)
    composition = np.zeros(_SIZE, np.uint8)
    composition[[second for _, second in compositions] + _JAMO] = COMPOSES

    normal = _each(partial(unicodedata.normalize, "NFKC"), characters)
    folded = _each(partial(fold, turkic=turkic), characters)
    entries = np.arange(_SIZE, dtype=np.uint32)
    kinds = np.zeros(_SIZE, np.uint32)
    expansions: list[int] = []
    changed = np.fromiter((a != b for a, b in zip(characters, folded, strict=True)), np.bool_, len(characters))
    # The others are PLAIN and stay as they are.
    for row in np.flatnonzero(changed | (classes[codes] > 0) | (composition[codes] > 0)).tolist():
        code, after = int(codes[row]), [ord(c) for c in folded[row]]
        steps = [ord(c) for c in normal[row] + normal[row].casefold()] + after
        if not (composition[steps] & COMPOSES).any() and not classes[steps].any():
            if len(after) == 1:
                entries[code] = after[0]
            else:
                kinds[code], entries[code] = EXPANDS, len(expansions)
                expansions += [c | int(token[c]) for c in after] + [-1]
        elif len(after) == 1 and normal[row] == folded[row] and after[0] not in _JAMO:
            kinds[code], entries[code] = MARK, after[0]
        else:
            kinds[code] = HARD
    parts = _each(partial(unicodedata.normalize, "NFKD"), characters)
    composed = codes[[len(part) > 1 for part in parts]]
    composition[entries[composed[kinds[composed] != EXPANDS]]] |= COMPOSED
    single = (kinds == PLAIN) | (kinds == MARK)
    entries[single] |= token[entries[single]]
    last = {(ord(fold(chr(first), turkic=turkic)[-1]) << 21) | second for first, second in compositions}
    pairs = sorted(last | {(first << 21) | second for first, second in compositions})
    return _frozen(
        CharacterTable(
            _by_byte(entries, kinds),
            entries | (kinds << np.uint32(KIND_SHIFT)),
            classes,
            np.array([*expansions, -1], np.int32),
            np.array(pairs, np.int64),
            composition,
        )
    )


def _by_byte(entries: NDArray[np.uint32], kinds: NDArray[np.uint32]) -> NDArray[np.uint8]:
    ascii_entries = entries[:128]
    by_byte = np.ones(256, np.uint8)
    by_byte[:128] = np.where(ascii_entries & TOKEN, ascii_entries & 0x7F, 0)
    by_byte[:128][(kinds[:128] != PLAIN) | ((ascii_entries & (TOKEN - 1)) > 0x7F)] = 1
    return by_byte


@cache
def folded_table() -> CharacterTable:
    """The table for text that `fold` has already been through: every character is itself."""
    entries = np.arange(_SIZE, dtype=np.uint32) | _token_bits()
    kinds = np.zeros(_SIZE, np.uint32)
    return _frozen(character_table()._replace(by_byte=_by_byte(entries, kinds), entries=entries))


def _frozen(table: CharacterTable) -> CharacterTable:
    for column in table:
        column.flags.writeable = False
    return table
