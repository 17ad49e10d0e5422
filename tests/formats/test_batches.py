"""Rows of plain values in batches."""

from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.formats.batches import BATCH_BYTES, BATCH_ROWS, batches_of_rows
from pyrite.formats.columns import Column, DataWarning

CHOSEN = [(Column("id", ("_id",), "id"), "_id"), (Column("text", ("t",)), "t")]


def batches(rows, chosen=CHOSEN):
    return list(batches_of_rows(rows, chosen, Path("f.csv"), lambda number: f"f.csv, line {number}"))


def test_a_batch_is_full_by_its_bytes_or_its_rows():
    half = BATCH_BYTES // 2
    assert [len(one) for one in batches((n, half, ("a", "b")) for n in range(5))] == [2, 2, 1]
    assert [len(one) for one in batches((n, 1, ("a", "b")) for n in range(BATCH_ROWS + 1))] == [BATCH_ROWS, 1]
    assert batches([]) == []


def test_an_error_names_the_rows_own_number_in_a_later_batch():
    rows = [(10, BATCH_BYTES, ("a", "x")), (20, 1, ("b", "y")), (30, 1, (None, "z"))]
    with pytest.raises(DataError, match=r"f\.csv, line 30: column '_id' has no value"):
        batches(rows)


def test_integers_are_told_of_once_over_all_batches():
    rows = [(n, BATCH_BYTES, (n, "x")) for n in range(3)]
    with pytest.warns(DataWarning, match=r"f\.csv: column '_id' holds integers") as caught:
        found = batches(rows)
    assert len(caught) == 1
    assert [one.column("id").to_pylist() for one in found] == [["0"], ["1"], ["2"]]
    silent = [(Column("id", ("_id",), "id", told=True), "_id"), CHOSEN[1]]
    assert len(batches(rows, silent)) == 3
