"""Signatures in memory and in files."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.preparation.signatures import read_signatures, signatures, signed_parts, write_signatures

TEXTS = pa.array(["fool's gold is pyrite and not gold", "?!", None, "gold", "one two three four five six seven"])


def test_a_signature_is_that_of_the_text_whatever_stands_beside_it() -> None:
    whole = signatures(TEXTS, threshold=0.8, seed=2)
    for row in range(len(TEXTS)):
        alone = signatures(TEXTS.slice(row, 1), threshold=0.8, seed=2)
        assert np.array_equal(alone.shingles(0), whole.shingles(row))
        assert whole.sizes[row] == 0 or np.array_equal(alone.keys[0], whole.keys[row])


def test_what_is_written_is_read_back_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    parts = [signatures(TEXTS, threshold=0.8), signatures(TEXTS.slice(3), threshold=0.8)]
    for name in ("one", "two"):
        assert write_signatures(tmp_path / name, parts) == 7
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    back = list(read_signatures(tmp_path / "one"))
    assert [len(part) for part in back] == [5, 2]
    for part, stored in zip(parts, back, strict=True):
        assert np.array_equal(part.keys, stored.keys)
        assert np.array_equal(part.sizes, stored.sizes)
        for row in range(len(part)):
            assert np.array_equal(part.shingles(row), stored.shingles(row))


def test_rows_that_were_taken_are_written_without_the_others(tmp_path: Path) -> None:
    made = signatures(TEXTS, threshold=0.8)
    taken = made.take(np.array([4, 0, 1]))
    write_signatures(tmp_path / "taken", [taken])
    write_signatures(tmp_path / "again", [next(read_signatures(tmp_path / "taken")).take(np.array([2, 1]))])
    (back,) = read_signatures(tmp_path / "again")
    assert back.sizes.tolist() == [0, 4]
    assert np.array_equal(back.shingles(1), made.shingles(0))
    assert (tmp_path / "again").stat().st_size < (tmp_path / "taken").stat().st_size


def test_a_file_that_lost_its_end_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cut"
    write_signatures(path, [signatures(TEXTS, threshold=0.8)])
    (stored,) = read_signatures(path)
    path.write_bytes(path.read_bytes()[:-8])
    assert len(stored.shingles(0)) == 4
    with pytest.raises(DataError, match="cut: the file ends before its shingle hashes do"):
        stored.shingles(4)


def test_parts_are_bounded_in_bytes_and_lose_no_text() -> None:
    texts = pa.array(["a b c " * 500_000, "x", "d e f " * 1_500_000, None, "g"], pa.string())
    parts = list(signed_parts(texts, threshold=0.8))
    assert [len(part) for part in parts] == [2, 1, 2]
    wanted = np.array([False, True, False, True, True])
    assert [part.sizes.tolist() for part in signed_parts(texts, threshold=0.8, wanted=wanted)] == [[0, 1], [0], [0, 1]]
    assert list(signed_parts(pa.array([], pa.string()), threshold=0.8)) == []
