"""Distinct words by number: a hash table over their bytes, as compiled loops. Two words are one if their bytes are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.splitting import mixed

TURN = 4096
"""At most so many words are looked up at a time."""
_ZERO, _ONE, _BYTE, _HALF = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TAG = np.uint64(0xFFFFFF0000000000)
_PLACE = np.uint64(0x000000FFFFFFFFFF)


class Words(NamedTuple):
    """Distinct words, numbered in the order in which they were first seen.

    Attributes:
        slots: uint64, open addressing: 24 bits of the hash and the word's place in the pool, or 0.
        pool: uint64: for each word a header (number << 32 | length), then its UTF-8, eight bytes a number, little
            end first, padded with zeros; the first entry of the pool is unused.
        sizes: int64: how many words, how much of the pool.
    """

    slots: NDArray[np.uint64]
    pool: NDArray[np.uint64]
    sizes: NDArray[np.int64]


def no_words(capacity: int = 1 << 14) -> Words:
    """An empty vocabulary with so many slots (a power of two); it grows."""
    return Words(np.zeros(capacity, np.uint64), np.zeros(2 * capacity, np.uint64), np.array([0, 1], np.int64))


@compiled
def _same(pool: Any, place: Any, numbers: Any, at: Any, length: Any) -> Any:
    """Whether the pool has this word at this place."""
    if np.int64(pool[place] & _LOW) != length:
        return False
    step = 0
    while step < length and pool[place + 1 + step] == numbers[at + step]:
        step += 1
    return step == length


@compiled
def look_up(split: Any, turn: Any, words: Any, ids: Any, out: Any) -> Any:
    """Number some words of a split text into ids[out:]; new ones are added.

    `turn` is the first of them, the one after the last, and where the first is in the text's numbers; the third for
    the next turn is returned.

    First all slots are read, then all the pool's headers: the memory answers many independent questions at once.
    """
    slots, pool, sizes = words.slots, words.pool, words.sizes
    numbers, hashes, lengths = split.numbers, split.hashes, split.lengths
    mask = np.uint64(len(slots) - 1)
    start, stop, at = turn
    likely = np.empty(TURN, np.uint64)
    headers = np.empty(TURN, np.uint64)
    for word in range(start, stop):
        likely[word - start] = slots[np.int64(hashes[word] & mask)]
    for word in range(start, stop):
        headers[word - start] = pool[np.int64(likely[word - start] & _PLACE)]
    for word in range(start, stop):
        h, length = hashes[word], np.int64(lengths[word])
        entry = likely[word - start]
        if (
            entry != _ZERO
            and (entry ^ h) & _TAG == _ZERO
            and np.int64(headers[word - start] & _LOW) == length
            and _same(pool, np.int64(entry & _PLACE), numbers, at, length)
        ):
            ids[out + word - start] = np.int64(headers[word - start] >> _HALF)
            at += length
            continue
        slot = h & mask
        while True:
            entry = slots[np.int64(slot)]
            if entry == _ZERO:
                place = sizes[1]
                slots[np.int64(slot)] = (h & _TAG) | np.uint64(place)
                pool[place] = (np.uint64(sizes[0]) << _HALF) | np.uint64(length)
                for step in range(length):
                    pool[place + 1 + step] = numbers[at + step]
                ids[out + word - start] = sizes[0]
                sizes[0] += 1
                sizes[1] += 1 + length
                break
            if (entry ^ h) & _TAG == _ZERO and _same(pool, np.int64(entry & _PLACE), numbers, at, length):
                ids[out + word - start] = np.int64(pool[np.int64(entry & _PLACE)] >> _HALF)
                break
            slot = (slot + _ONE) & mask
        at += length
    return at


@compiled
def longer(array: Any, needed: Any) -> Any:
    """A copy of the array with room for at least so many, the rest of it 0."""
    grown = np.zeros(max(2 * len(array), needed), array.dtype)
    for at in range(len(array)):  # an assignment of slices takes seconds to compile
        grown[at] = array[at]
    return grown


@compiled
def with_room(split: Any, turn: Any, words: Any) -> Any:
    """The vocabulary with room for the words of a turn, were they all new; a copy of what has to grow."""
    slots, pool, sizes = words.slots, words.pool, words.sizes
    start, stop, _ = turn
    while 2 * (sizes[0] + stop - start) > len(slots):
        slots = _rehashed(slots, pool, sizes[1])
    needed = sizes[1] + stop - start
    for word in range(start, stop):
        needed += split.lengths[word]
    if needed > len(pool):
        pool = longer(pool, needed)
    return Words(slots, pool, sizes)


@compiled
def _rehashed(slots: Any, pool: Any, used: Any) -> Any:
    grown = np.zeros(4 * len(slots), np.uint64)
    mask = np.uint64(len(grown) - 1)
    place: Any = 1
    while place < used:
        length = np.int64(pool[place] & _LOW)
        h = _ZERO
        for step in range(length):
            h = mixed(h, pool[place + 1 + step])
        slot = h & mask
        while grown[np.int64(slot)] != _ZERO:
            slot = (slot + _ONE) & mask
        grown[np.int64(slot)] = (h & _TAG) | np.uint64(place)
        place += 1 + length
    return grown


@compiled
def word_lines(words: Words, first: int) -> NDArray[np.uint8]:
    """The UTF-8 of every word that lies in the pool from place `first` on, a newline after each."""
    pool, used = words.pool, words.sizes[1]
    place: Any = first
    lines = np.empty(9 * (used - place), np.uint8)
    length = 0
    while place < used:
        stop = place + 1 + np.int64(pool[place] & _LOW)
        for at in range(place + 1, stop):
            number = pool[at]
            while number != _ZERO:  # the padding is NUL, which is in no word
                lines[length] = np.uint8(number & np.uint64(0xFF))
                number >>= _BYTE
                length += 1
        lines[length] = 0x0A
        length += 1
        place = stop
    return lines[:length]
