"""In which order unjudged documents are offered to a corpus that has room left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrite.preparation.distractors import priorities


def shuffled(rows: NDArray[np.int64], digests: NDArray[np.uint64], seed: int) -> NDArray[np.int64]:
    """The rows in a seeded order that their texts decide, not their places; a prefix of it is a random sample.

    Args:
        rows: int64, in any order.
        digests: uint64 of shape (rows, 2), of their texts, aligned with rows.
        seed: 0 to 2**63 - 1; two seeds give independent orders.

    >>> digests = np.array([[5, 1], [6, 2], [7, 3]], np.uint64)
    >>> ahead = shuffled(np.array([10, 20, 30]), digests, seed=3)
    >>> bool((ahead == shuffled(np.array([30, 20, 10]), digests[::-1], seed=3)).all())
    True
    """
    return rows[np.argsort(priorities(digests, seed), kind="stable")]


def round_robin(lists: Sequence[Sequence[int]]) -> Iterator[int]:
    """The i-th entry of every list in round i, in the order of the lists.

    >>> list(round_robin([[1, 2, 3], [], [4]]))
    [1, 4, 2, 3]
    """
    for turn in range(max(map(len, lists), default=0)):
        yield from (entries[turn] for entries in lists if turn < len(entries))


def hard_rows(rankings: Mapping[str, Sequence[int]], blocked: frozenset[int] | set[int]) -> Iterator[int]:
    """In each round, every query's next ranked document that no query has taken yet.

    Args:
        rankings: query id -> rows, best first, in the order of the queries.
        blocked: rows that are never offered.

    >>> list(hard_rows({"q1": [7, 8, 9], "q2": [7, 5]}, blocked={8}))
    [7, 5, 9]
    """
    taken = set(blocked)
    waiting = [iter(rows) for rows in rankings.values()]
    while waiting:
        still: list[Iterator[int]] = []
        for rows in waiting:
            row = next((row for row in rows if row not in taken), None)
            if row is not None:
                taken.add(row)
                still.append(rows)
                yield row
        waiting = still
