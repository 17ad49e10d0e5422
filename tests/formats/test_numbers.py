"""Columns of numbers."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats.columns import Origin
from pyrite.formats.conversion import convert, convert_python


def origin() -> Origin:
    return Origin("c.parquet", "score", lambda index: f"c.parquet, row {index}")


def test_whole_numbers_come_from_integers_floats_and_digits():
    for values in ([2, -1], [2.0, -1.0], ["2", "-1"]):
        assert convert_python(values, "integer", origin()).to_pylist() == [2, -1]
        assert convert(pa.array(values), "integer", origin()).to_pylist() == [2, -1]
    assert convert(pa.array(["+2"]), "integer", origin()).to_pylist() == [2]


@pytest.mark.parametrize("value", [1.5, None, True, "1.0", "1_0", "x", "", 1 << 40, float("nan"), "\u0662"])
def test_what_is_no_whole_number_is_named(value):
    with pytest.raises(DataError, match=r"row 1: column 'score' holds .*; write a whole number"):
        convert_python([1, value], "integer", origin())


def test_numbers_are_floats_and_never_nan():
    assert convert_python(["1e-3", "-inf", "2"], "number", origin()).to_pylist() == [0.001, -np.inf, 2.0]
    assert convert(pa.array([1, 2], pa.int32()), "number", origin()).to_pylist() == [1.0, 2.0]
    for value in ("nan", "1_0", None, True, "abc"):
        with pytest.raises(DataError, match=r"row 1: column 'score' holds .*; write a number"):
            convert_python(["1", value], "number", origin())
