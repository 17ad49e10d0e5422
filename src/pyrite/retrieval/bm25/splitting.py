"""The compiled loop that folds a text and splits it into words, byte by byte."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.folding import COMPOSED, COMPOSES, EXPANDS, HARD, KIND_SHIFT, MARK, TOKEN

# Unsigned throughout: numba makes a signed number of a mixture.
_ZERO, _BYTE, _FULL, _HALF = np.uint64(0), np.uint64(8), np.uint64(64), np.uint64(32)
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_CODE, _TOKEN, _SHIFT = np.uint32(TOKEN - 1), np.uint32(TOKEN), np.uint32(KIND_SHIFT)


class Split(NamedTuple):
    """The words of one text, one after the other: their UTF-8, eight bytes a number, little end first, the last
    number padded with zeros; their hashes; how many numbers each takes.
    """

    numbers: NDArray[np.uint64]
    hashes: NDArray[np.uint64]
    lengths: NDArray[np.int32]


@compiled
def mixed(h: Any, number: Any) -> Any:
    """The hash of what was hashed so far and a further number."""
    both = (h ^ number) * _PRIME
    return both ^ (both >> _HALF)


@compiled
def _composes(table: Any, before: Any, mark: Any) -> Any:
    """Whether the mark may become one with the character before it, or slip into it; -2 stands for "not known"."""
    if before < 0:
        return before == -2
    if table.composition[before] & COMPOSED:
        return True
    wanted = (before << 21) | mark
    low, high = 0, len(table.pairs)
    while low < high:
        middle = (low + high) // 2
        if table.pairs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < len(table.pairs) and table.pairs[low] == wanted


@compiled
def split(data: Any, begin: Any, stop: Any, table: Any, into: Any) -> Any:
    """Fold data[begin:stop] and split it into words: how many; -1 where a character's neighbours decide its folding.

    At most MOST_PER_BYTE numbers are written for each byte of the text; `into` has room for them.
    """
    by_byte, entries, expansions = table.by_byte, table.entries, table.expansions
    numbers, hashes, lengths = into.numbers, into.hashes, into.lengths
    words, used, first = 0, 0, 0
    number, bits, h = _ZERO, _ZERO, _ZERO
    # The folded character that ends at byte `known`, and its combining class.
    before: Any = -1
    before_class: Any = 0
    known = begin
    expansion: Any = -1  # where we are in what a character expands to
    at = begin
    folded = np.uint8(0)
    while True:
        is_token = False
        code = np.int64(0)
        if expansion >= 0:
            value = expansions[expansion]
            expansion += 1
            if value < 0:
                expansion = -1
                before, before_class, known = np.int64(-2), 0, at
                continue
            code = np.int64(value & (TOKEN - 1))
            is_token = value & TOKEN != 0
        else:
            while at < stop:
                folded = by_byte[data[at]]
                if folded < 2:
                    break
                at += 1
                number |= np.uint64(folded) << bits
                bits += _BYTE
                if bits == _FULL:
                    numbers[used] = number
                    used += 1
                    h = mixed(h, number)
                    number, bits = _ZERO, _ZERO
            start = at
            if at < stop and folded == 1:
                byte = np.int64(data[at])
                if byte < 0x80:
                    code = byte
                    at += 1
                elif byte < 0xE0:
                    code = ((byte & 31) << 6) | np.int64(data[at + 1] & 63)
                    at += 2
                elif byte < 0xF0:
                    code = ((byte & 15) << 12) | (np.int64(data[at + 1] & 63) << 6) | np.int64(data[at + 2] & 63)
                    at += 3
                else:
                    code = ((byte & 7) << 18) | (np.int64(data[at + 1] & 63) << 12)
                    code |= (np.int64(data[at + 2] & 63) << 6) | np.int64(data[at + 3] & 63)
                    at += 4
                entry = entries[code]
                kind = entry >> _SHIFT
                code = np.int64(entry & _CODE)
                if kind == EXPANDS:
                    expansion = code
                    continue
                if kind == HARD:
                    return -1
                if kind == MARK:
                    if known != start:  # a character of ASCII stands before, or none
                        before_class = 0
                        before = np.int64(entries[data[start - 1]] & _CODE) if start > begin else np.int64(-1)
                    this_class = np.int64(table.combining[code])
                    if this_class != 0 and this_class < before_class:
                        return -1
                    if table.composition[code] & COMPOSES and (before_class != 0 or _composes(table, before, code)):
                        return -1
                    before_class = this_class
                else:
                    before_class = 0
                before, known = code, at
                is_token = entry & _TOKEN != 0
            else:
                at += 1
        if is_token:
            if code < 0x80:
                part, width = np.uint64(code), np.uint64(8)
            elif code < 0x800:
                part, width = np.uint64(0x80C0 | (code >> 6) | ((code & 63) << 8)), np.uint64(16)
            elif code < 0x10000:
                part = np.uint64(0x8080E0 | (code >> 12) | (((code >> 6) & 63) << 8) | ((code & 63) << 16))
                width = np.uint64(24)
            else:
                high = (code >> 18) | (((code >> 12) & 63) << 8)
                part = np.uint64(0x808080F0 | high | (((code >> 6) & 63) << 16) | ((code & 63) << 24))
                width = np.uint64(32)
            number |= part << bits
            bits += width
            if bits >= _FULL:
                numbers[used] = number
                used += 1
                h = mixed(h, number)
                bits -= _FULL
                number = part >> (width - bits)
            continue
        if bits != _ZERO:
            numbers[used] = number
            used += 1
            h = mixed(h, number)
            number, bits = _ZERO, _ZERO
        if used > first:
            hashes[words], lengths[words] = h, used - first
            words += 1
            first, h = used, _ZERO
        if at > stop:
            return words
