"""The distinct word shingles of many texts as 64-bit numbers, in one pass over their UTF-8."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.preparation.identity import normalise
from pyrite.preparation.normal_form import decoded, needs_neighbours
from pyrite.preparation.shingles import SIZE
from pyrite.preparation.word_characters import (
    ALONE,
    CODE,
    EXPANDS,
    JOINS,
    KIND_SHIFT,
    PART_SHIFT,
    normalised_table,
    normalising_table,
)

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_START = np.uint64(0xCBF29CE484222325)


class _Texts(NamedTuple):
    """UTF-8 as Arrow holds it: text i is data[offsets[i]:offsets[i + 1]]; `done` says that it is normalised."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    done: NDArray[np.bool_]


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator]
def mixed(value: Any) -> Any:
    """A 64-bit number stirred by SplitMix64's last step, which maps no two numbers to one."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _longer(array: Any, wanted: Any) -> Any:
    grown = np.empty(max(wanted, 2 * len(array)), array.dtype)
    grown[: len(array)] = array
    return grown


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _words(data: Any, start: Any, stop: Any, table: Any, words: Any) -> Any:
    """The words of one text as mixed 64-bit numbers, in order; `words` may have grown."""
    count = 0
    word, inside = _START, False
    at, expansion = start, np.int64(-1)
    while True:
        if expansion >= 0:
            value = np.int64(table.expansions[expansion])
            expansion = expansion + 1 if value >= 0 else np.int64(-1)
            if value < 0:
                continue
            code, part = value & CODE, value >> PART_SHIFT
        elif at < stop:
            if count + stop - at + 2 > len(words):
                words = _longer(words, count + stop - at + 2)
            letter = table.by_byte[data[at]]
            while letter != 1 and at < stop:
                # Without branches: where words end can't be foretold. The number stays if the word ends here.
                words[count] = word
                joins = letter > 1
                count += inside & ~joins
                word = (word ^ np.uint64(letter)) * _PRIME if joins else _START
                inside = joins
                at += 1
                letter = table.by_byte[data[at]] if at < stop else np.uint8(0)
            if at >= stop:
                continue
            code, at = decoded(data, at)
            entry = np.int64(table.entries[code])
            code, part = entry & CODE, (entry >> PART_SHIFT) & 3
            if (entry >> KIND_SHIFT) & 7 == EXPANDS:
                expansion = code
                continue
        else:
            break
        if part == JOINS:
            word, inside = (word ^ np.uint64(code)) * _PRIME, True
            continue
        if count + 3 > len(words):
            words = _longer(words, count + 3)
        words[count] = word
        count += inside
        word, inside = _START, False
        if part == ALONE:
            words[count] = (_START ^ np.uint64(code)) * _PRIME
            count += 1
    if inside:
        words[count] = word
        count += 1
    for place in range(count):
        words[place] = mixed(words[place])
    return words, count


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _distinct_shingles(words: Any, count: Any, slots: Any, hashes: Any, used: Any) -> Any:
    """Put the distinct shingles of `count` words behind the first `used` hashes, in order; returns the new end."""
    if count == 0:
        return used
    # A polynomial in the words, rolled from shingle to shingle.
    length = min(count, SIZE)
    value, leaving = np.uint64(0), np.uint64(1)
    for place in range(length):
        value = value * _PRIME + words[place]
        leaving *= _PRIME
    shingles = count - length + 1
    mask = np.uint64(1)
    while mask < 2 * shingles:
        mask *= np.uint64(2)
    slots[:mask] = 0
    mask -= np.uint64(1)
    for first in range(shingles):
        if first > 0:
            value = value * _PRIME + words[first + SIZE - 1] - leaving * words[first - 1]
        # With the number of words in it: a short text is equal to no part of a longer one.
        shingle = max(mixed(value + np.uint64(length)), np.uint64(1))
        slot = shingle & mask
        while slots[slot] != 0 and slots[slot] != shingle:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == 0:
            slots[slot] = shingle
            hashes[used] = shingle
            used += 1
    return used


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _all_shingles(texts: Any, normalising: Any, normalised: Any, wanted: Any, sizes: Any) -> Any:
    offsets = texts.offsets
    words = np.empty(1024, np.uint64)
    slots = np.empty(4096, np.uint64)
    hashes = np.empty(max((offsets[-1] - offsets[0]) // 5, 16), np.uint64)
    used = 0
    for text in range(len(offsets) - 1):
        sizes[text] = 0
        if not wanted[text]:
            continue
        table = normalised if texts.done[text] else normalising
        words, count = _words(texts.data, offsets[text], offsets[text + 1], table, words)
        if 4 * count > len(slots):
            slots = np.empty(8 * count, np.uint64)
        if used + count > len(hashes):
            hashes = _longer(hashes, used + count)
        end = _distinct_shingles(words, count, slots, hashes, used)
        sizes[text] = end - used
        used = end
    return hashes[:used]


def shingle_hashes(
    texts: pa.Array | pa.ChunkedArray, wanted: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """How many distinct shingles each text has (int32), and their hashes (uint64), text after text.

    The shingles are those of `shingles`: 5 successive words of the normalised text; a text of fewer words is one
    shingle; one without words has none, as has a missing text and one that is not `wanted`.

    Two shingles of two texts have equal hashes by accident once in 2^64 pairs; see docs/decisions.

    >>> sizes, hashes = shingle_hashes(pa.array(["One, two three four five six", "cat", "?!", "CAT"]))
    >>> sizes.tolist(), bool(hashes[2] == hashes[3])
    ([2, 1, 0, 1], True)
    """
    column = joined(texts)
    if column.null_count:
        column = pc.fill_null(column, "")
    if wanted is None:
        wanted = np.ones(len(column), dtype=np.bool_)
    sizes = np.zeros(len(column), np.int32)
    if not len(column):
        return sizes, np.empty(0, np.uint64)
    table = normalising_table()
    plain = _view(column, np.zeros(len(column), np.bool_))
    hard = np.empty(len(column), np.bool_)
    needs_neighbours(plain.data, plain.offsets, table, hard)
    hard &= wanted
    if hard.any():
        rows = pa.array(hard)
        normal = pa.array([normalise(text) for text in column.filter(rows).to_pylist()], pa.large_string())
        plain = _view(pc.replace_with_mask(column, rows, normal), hard)
    hashes = _all_shingles(plain, table, normalised_table(), wanted, sizes)
    return sizes, hashes


def joined(texts: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Texts as one array of large strings, copied only where they are not that."""
    column = texts.cast(pa.large_string())
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _view(column: pa.Array, done: NDArray[np.bool_]) -> _Texts:
    _, offsets, data = column.buffers()
    numbers = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    texts = _Texts(np.frombuffer(data or b"", np.uint8), numbers, done)
    # Some of Arrow's buffers are writable and some are not; the loops are compiled for one kind.
    texts.data.flags.writeable = texts.offsets.flags.writeable = False
    return texts
