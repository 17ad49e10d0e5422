"""Which texts have the normal form of their characters, one by one, and so need no call of `normalise`."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from pyrite.preparation.word_characters import COMPOSED, FIRST, HARD, KIND_SHIFT, MARK, MAYBE


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator]
def decoded(data: Any, at: Any) -> Any:
    """The character at a byte of 128 or more, and where the next one starts."""
    byte = np.int64(data[at])
    if byte < 0xE0:
        return ((byte & 31) << 6) | np.int64(data[at + 1] & 63), at + 2
    code = (np.int64(data[at + 1] & 63) << 6) | np.int64(data[at + 2] & 63)
    if byte < 0xF0:
        return ((byte & 15) << 12) | code, at + 3
    return ((byte & 7) << 18) | (code << 6) | np.int64(data[at + 3] & 63), at + 4


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def needs_neighbours(data: Any, offsets: Any, table: Any, hard: Any) -> None:
    """Mark the texts whose normal form is not that of their characters, one by one."""
    for text in range(len(offsets) - 1):
        at, stop = offsets[text], offsets[text + 1]
        beyond_ascii = np.uint8(0)
        for byte in data[at:stop]:
            beyond_ascii |= byte
        hard[text] = False
        if beyond_ascii < 128:
            continue
        before_class, before = np.int64(0), np.uint32(0)
        while at < stop:
            if data[at] < 128:
                before_class, before = np.int64(0), table.entries[data[at]]
                at += 1
                continue
            code, at = decoded(data, at)
            entry = table.entries[code]
            kind = (entry >> np.uint32(KIND_SHIFT)) & np.uint32(7)
            if kind < MARK:
                before_class, before = np.int64(table.classes[code]), entry
                continue
            own_class = np.int64(table.classes[code])
            if kind == HARD or (kind == MARK and before_class > own_class):
                hard[text] = True
                break
            if kind == MAYBE:
                # Nothing composes over a mark with a character of class 0; other cases are left to `normalise`.
                forbidden = np.uint32(FIRST) if own_class == 0 else np.uint32(FIRST | COMPOSED)
                if (before_class > 0 and own_class > 0) or (before_class == 0 and before & forbidden):
                    hard[text] = True
                    break
                if own_class == 0:
                    before = entry
            before_class = own_class
