"""From columns of UTF-8 to word ids, in one compiled loop over the texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.folding import MOST_PER_BYTE, CharacterTable
from pyrite.retrieval.bm25.splitting import Split, split
from pyrite.retrieval.bm25.vocabulary import TURN, Words, longer, look_up, with_room


class Texts(NamedTuple):
    """UTF-8 texts as Arrow holds them: text i is data[offsets[i]:offsets[i + 1]] and the result's row rows[i]."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int64]


class Found(NamedTuple):
    """The words of some texts: those of text i are ids[starts[i]:ends[i]].

    Attributes:
        ids: int32, `used[0]` of them in use.
        starts, ends: int64, one a text.
        hard: bool, one a text: it needs `fold` first, and has no words yet.
        used: int64 [1].
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    hard: NDArray[np.bool_]
    used: NDArray[np.int64]


def nothing_found(texts: int, room: int) -> Found:
    """What `scan` fills for so many texts, with room for so many ids; it grows."""
    return Found(
        np.empty(room, np.int32),
        np.zeros(texts, np.int64),
        np.zeros(texts, np.int64),
        np.zeros(texts, np.bool_),
        np.zeros(1, np.int64),
    )


@compiled
def scan(texts: Texts, table: CharacterTable, words: Words, found: Found) -> tuple[Words, Found]:
    """Cut texts into words and number them; new words enter the vocabulary.

    A text with a character whose neighbours decide about its folding is marked hard and has no words: fold it and
    scan it with `folded_table`. The last two arguments are used up; what is returned takes their place.
    """
    ids, starts, ends, hard, used = found
    longest = 0
    for text in range(len(texts.offsets) - 1):
        longest = max(longest, texts.offsets[text + 1] - texts.offsets[text])
    # Room for the worst case; memory that is not written to is not taken.
    room = MOST_PER_BYTE * longest + 1
    one = Split(np.empty(room, np.uint64), np.empty(room, np.uint64), np.empty(room, np.int32))
    for text in range(len(texts.offsets) - 1):
        row = texts.rows[text]
        count = split(texts.data, texts.offsets[text], texts.offsets[text + 1], table, one)
        hard[row] = count < 0
        count = max(count, 0)
        if used[0] + count > len(ids):
            ids = longer(ids, used[0] + count)
        starts[row] = used[0]
        at = np.int64(0)
        for start in range(0, count, TURN):
            turn = start, min(start + TURN, count), at
            words = with_room(one, turn, words)
            at = look_up(one, turn, words, ids, used[0] + start)
        used[0] += count
        ends[row] = used[0]
    return words, Found(ids, starts, ends, hard, used)
