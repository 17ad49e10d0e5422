"""The kept documents by the MinHash keys of their signatures: who may be like whom, in bounded time and memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

BUCKET = 256
"""Documents that share one key of one band and are found by it; later ones are found by other bands."""

CANDIDATES = 1024
"""Kept documents that one text is compared with: those that share the most bands with it."""


class Buckets(NamedTuple):
    """Kept documents by number, and for each band a table of chains from a key to the documents that have it.

    Attributes:
        heads: int32, shape (bands, slots): the document at the head of a slot's chain, -1 for none.
        next: int32, shape (documents, bands): the next document in the chain.
        keys: uint32, shape (documents, bands).
        sizes: int32, distinct shingles of each document; one that has none is in no chain.
    """

    heads: NDArray[np.int32]
    next: NDArray[np.int32]
    keys: NDArray[np.uint32]
    sizes: NDArray[np.int32]


class Search(NamedTuple):
    """Where a search puts what it finds.

    Attributes:
        found: int32: candidates, ascending.
        outcome: int64 [3]: how many were found; 1 if others may have been left out; texts so far that are like
            none of those found, and of which that is true.
    """

    found: NDArray[np.int32]
    outcome: NDArray[np.int64]


def no_search(bands: int) -> Search:
    """Room for a search over so many bands."""
    return Search(np.empty(bands * BUCKET, np.int32), np.zeros(3, np.int64))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def link(buckets: Buckets, first: Any, stop: Any) -> None:
    """Put documents first ... stop - 1, whose keys and sizes are there, into their chains, in order."""
    heads, following, keys = buckets.heads, buckets.next, buckets.keys
    mask = np.uint32(heads.shape[1] - 1)
    for document in range(first, stop):
        if buckets.sizes[document] == 0:
            continue
        for band in range(keys.shape[1]):
            key = keys[document, band]
            slot = key & mask
            same, other = 0, heads[band, slot]
            while other >= 0:
                same += keys[other, band] == key
                other = following[other, band]
            if same < BUCKET:
                following[document, band] = heads[band, slot]
                heads[band, slot] = document


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def search(buckets: Buckets, own: Any, size: Any, threshold: Any, result: Search) -> Any:
    """Find the documents that share a key with a text of these keys, and whose size allows the likeness.

    At most CANDIDATES of them: first those that share the most bands, then the earliest.
    """
    heads, following, keys, found = buckets.heads, buckets.next, buckets.keys, result.found
    mask = np.uint32(heads.shape[1] - 1)
    count, full = 0, False
    for band in range(len(own)):
        same, other = 0, heads[band, own[band] & mask]
        while other >= 0:
            if keys[other, band] == own[band]:
                same += 1
                fewer, more = min(size, buckets.sizes[other]), max(size, buckets.sizes[other])
                # The same division as of the verification, so that no pair is lost to rounding.
                if fewer / more >= threshold:
                    found[count] = other
                    count += 1
            other = following[other, band]
        full |= same >= BUCKET
    result.outcome[0] = 0
    result.outcome[1] = full
    if count == 0:
        return 0
    documents = np.sort(found[:count])
    ranked = np.empty(count, np.int64)
    distinct, shared = 0, 0
    for place in range(count):
        shared += 1
        if place + 1 == count or documents[place + 1] != documents[place]:
            ranked[distinct] = (np.int64(len(own) - shared) << 32) | np.int64(documents[place])
            distinct, shared = distinct + 1, 0
    if distinct > CANDIDATES:
        result.outcome[1] = 1
        ranked[:distinct] = np.sort(ranked[:distinct])
        distinct = CANDIDATES
    chosen = np.sort(ranked[:distinct] & np.int64(0xFFFFFFFF))
    for place in range(distinct):
        found[place] = np.int32(chosen[place])
    result.outcome[0] = distinct
    return distinct


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def skip_to_candidates(buckets: Buckets, batch: Any, place: Any, threshold: Any, result: Search) -> Any:
    """Go through a batch (keys, sizes) up to a text with candidates, which are left in `result`.

    `place` is the row to start at and the number of documents; where that is not negative, the texts passed become
    documents. Returns the row reached and the number of documents then.
    """
    keys, sizes = batch
    row, count = place
    while row < len(sizes):
        if sizes[row] > 0:
            if search(buckets, keys[row], sizes[row], threshold, result) > 0:
                break
            result.outcome[2] += result.outcome[1]
        if count >= 0:
            put(buckets, keys[row], sizes[row], count)
            count += 1
        row += 1
    return row, count


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def put(buckets: Buckets, own: Any, size: Any, document: Any) -> None:
    """Make a text the document of this number."""
    buckets.keys[document] = own
    buckets.sizes[document] = size
    link(buckets, document, document + 1)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def lookup(hashes: Any) -> Any:
    """Distinct numbers, none of them 0, as a table for `likeness_reaches`."""
    slots = 4
    while slots < 3 * len(hashes):
        slots *= 2
    table, mask = np.zeros(slots, np.uint64), np.uint64(slots - 1)
    for value in hashes:
        slot = value & mask
        while table[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = value
    return table


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def likeness_reaches(table: Any, size: Any, other: Any, threshold: Any) -> Any:
    """Whether the Jaccard of the `size` numbers of a table and of another array of distinct numbers is enough."""
    mask = np.uint64(len(table) - 1)
    both, shared = size + len(other), 0
    for start in range(0, len(other), 64):
        rest = len(other) - start
        # Were all the rest shared, would it be enough? Most needless candidates end here.
        if (shared + rest) / (both - shared - rest) < threshold:
            return False
        for value in other[start : start + 64]:
            slot = value & mask
            while table[slot] != 0 and table[slot] != value:
                slot = (slot + np.uint64(1)) & mask
            shared += table[slot] == value
    return len(other) > 0 and shared / (both - shared) >= threshold
