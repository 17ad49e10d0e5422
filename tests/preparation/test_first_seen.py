"""Numbers for digests in order of first appearance, against a dictionary."""

import numpy as np

from pyrite.preparation import FirstSeen


def test_numbers_equal_those_of_a_dictionary_through_many_growths() -> None:
    chance = np.random.default_rng(7)
    # Few distinct values in one half make long probe runs; the other half tells them apart.
    rows = np.stack([chance.integers(0, 3, 20_000), chance.integers(0, 9_000, 20_000)], axis=1).astype(np.uint64)
    expected: dict[tuple[int, int], int] = {}
    wanted = [expected.setdefault((int(a), int(b)), len(expected)) for a, b in rows]
    seen = FirstSeen()
    numbers = np.concatenate([seen.number(part) for part in np.array_split(rows, 17)])
    assert numbers.tolist() == wanted
    assert len(seen) == len(expected)
    assert [tuple(row) for row in seen.known().tolist()] == list(expected)


def test_finding_adds_nothing() -> None:
    seen = FirstSeen()
    seen.number(np.array([[1, 2]], dtype=np.uint64))
    assert seen.find(np.array([[1, 2], [2, 1]], dtype=np.uint64)).tolist() == [0, -1]
    assert len(seen) == 1
