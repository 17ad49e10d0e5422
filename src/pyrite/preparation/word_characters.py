"""What each character becomes when text is normalised, and whether it makes words, as tables for a compiled loop."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# An entry is the character after folding (21 bits), its part in words (2 bits), its kind (3 bits) and two marks.
CODE = (1 << 21) - 1
PART_SHIFT, KIND_SHIFT = 21, 23
SEPARATES, JOINS, ALONE = 0, 1, 2  # ends a word; belongs into a run; is a word of its own
PLAIN = 0  # becomes one character, whatever stands around it
EXPANDS = 1  # becomes several; the entry's character is where they start in `expansions`
MARK = 2  # stays itself, if it stands in canonical order
MAYBE = 3  # stays itself, if what stands before does not compose with it
HARD = 4  # its neighbours decide in ways that are left to `normalise`
FIRST = 1 << 26  # ends with what can be the first of a composition
COMPOSED = 1 << 27  # ends with what is itself composed, so that a mark may find its way into it

# Scripts that are written without spaces: Thai and Lao, Burmese with its extensions, Khmer, Han, kana.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)
_JAMO_FIRST = range(0x1100, 0x1113)
_JAMO_SECOND = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
_SYLLABLES_WITHOUT_FINAL = range(0xAC00, 0xD7A4, 28)


class CharacterTable(NamedTuple):
    """Unicode, as `normalise` and the rule of words see it.

    Attributes:
        by_byte: uint8 [256]: for a byte of UTF-8, the ASCII character of a word that it becomes, 0 for what ends a
            word, 1 for "look the character up in `entries`".
        entries: uint32 [0x110000]: what each character becomes; see the constants of this module.
        classes: uint8 [0x110000]: canonical combining class of what it ends with.
        expansions: int32: runs of (part in words << 21 | character), each ended by -1.
    """

    by_byte: NDArray[np.uint8]
    entries: NDArray[np.uint32]
    classes: NDArray[np.uint8]
    expansions: NDArray[np.int32]


def part_in_words(character: str) -> int:
    """SEPARATES, JOINS or ALONE: words are runs of letters, digits and marks; Han, kana, Thai ... stand alone.

    >>> [part_in_words(character) for character in "a٣_ก黄"] == [JOINS, JOINS, SEPARATES, ALONE, ALONE]
    True
    """
    if unicodedata.category(character)[0] not in "LNM":
        return SEPARATES
    code = ord(character)
    return ALONE if any(first <= code <= last for first, last in _UNSPACED) else JOINS


@cache
def normalising_table() -> CharacterTable:
    """The table that gives `normalise(text)` character by character; built once a process, in half a second.

    A character is PLAIN or EXPANDS where its normal form starts with one of combining class 0 that composes with
    nothing before it. A text of such characters, and of others that pass the checks of their kind, is normalised
    one by one (the quick check of Unicode Standard Annex 15).
    """
    characters = _assigned()
    firsts, seconds = _compositions(characters)
    entries = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    classes = np.zeros(sys.maxunicode + 1, np.uint8)
    expansions: list[int] = []
    for character in characters:
        code = ord(character)
        normal = unicodedata.normalize("NFKC", character)
        folded = normal.casefold()
        classes[code] = unicodedata.combining(normal[-1])
        free = not unicodedata.combining(normal[0]) and normal[0] not in seconds
        if free and len(folded) == 1:
            entry = _entry(folded, PLAIN)
        elif free:
            entry = len(expansions) | EXPANDS << KIND_SHIFT
            expansions += [ord(one) | part_in_words(one) << PART_SHIFT for one in folded] + [-1]
        elif normal == character and len(folded) == 1:
            entry = _entry(folded, MAYBE if character in seconds else MARK)
        else:
            entry = HARD << KIND_SHIFT
        last = normal[-1]
        entry |= FIRST * (last in firsts) | COMPOSED * (unicodedata.normalize("NFD", last) != last)
        entries[code] = entry
    return _table(entries, classes, np.array([*expansions, -1], np.int32))


@cache
def normalised_table() -> CharacterTable:
    """The table for text that is normalised already: every character is itself."""
    entries = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    for character in _assigned():
        entries[ord(character)] = _entry(character, PLAIN)
    return _table(entries, np.zeros(1, np.uint8), np.array([-1], np.int32))


def _entry(character: str, kind: int) -> int:
    return ord(character) | part_in_words(character) << PART_SHIFT | kind << KIND_SHIFT


def _assigned() -> list[str]:
    """Every character that Unicode has assigned, in order; the others are themselves and separate words."""
    return [one for one in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(one) not in ("Cn", "Co", "Cs")]


def _compositions(characters: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The characters that can be the first, and those that can be the second, of two that NFC makes one of."""
    firsts, seconds = set(map(chr, _JAMO_FIRST)), set(map(chr, _JAMO_SECOND))
    firsts |= set(map(chr, _SYLLABLES_WITHOUT_FINAL))
    for character, parts in zip(characters, map(unicodedata.decomposition, characters), strict=True):
        if parts and parts[0] != "<" and " " in parts and unicodedata.normalize("NFC", character) == character:
            first, second = parts.split()
            firsts.add(chr(int(first, 16)))
            seconds.add(chr(int(second, 16)))
    return frozenset(firsts), frozenset(seconds)


def _table(entries: NDArray[np.uint32], classes: NDArray[np.uint8], expansions: NDArray[np.int32]) -> CharacterTable:
    by_byte = np.ones(256, np.uint8)
    parts = (entries[:128] >> np.uint32(PART_SHIFT)) & np.uint32(3)
    by_byte[:128] = np.where(parts == JOINS, entries[:128] & np.uint32(CODE), 0)
    table = CharacterTable(by_byte, entries, classes, expansions)
    for column in table:
        column.flags.writeable = False
    return table
