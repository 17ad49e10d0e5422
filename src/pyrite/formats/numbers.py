"""Columns of numbers: grades, ranks and scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pyrite.formats.columns import TEXT, Origin, shown

_GREATEST = (1 << 31) - 1
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf")


def integers(values: pa.Array, origin: Origin) -> pa.Array:
    """Whole numbers within 32 bits as int64: integers, floats without a fraction, digits in a string; none missing."""
    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_string(kind) or kind == TEXT:
        try:
            whole = values.cast(pa.int64())
        except pa.ArrowInvalid:
            return integers_one_by_one(values.to_pylist(), origin)
        if not whole.null_count and not pc.any(pc.greater(pc.abs(whole), _GREATEST)).as_py():
            return whole
    return integers_one_by_one(values.to_pylist(), origin)


def numbers(values: pa.Array, origin: Origin) -> pa.Array:
    """Numbers as float64, from numbers or strings; none missing, none NaN."""
    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_string(kind) or kind == TEXT:
        try:
            cast = values.cast(pa.float64(), safe=False)
        except pa.ArrowInvalid:
            return numbers_one_by_one(values.to_pylist(), origin)
        if not cast.null_count and not pc.any(pc.is_nan(cast)).as_py():
            return cast
    return numbers_one_by_one(values.to_pylist(), origin)


def integers_one_by_one(values: Sequence[Any], origin: Origin) -> pa.Array:
    """The same, value by value; DataError at the first that is not fit."""
    return pa.array([_integer(value, index, origin) for index, value in enumerate(values)], pa.int64())


def numbers_one_by_one(values: Sequence[Any], origin: Origin) -> pa.Array:
    """The same, value by value; DataError at the first that is not fit."""
    return pa.array([_number(value, index, origin) for index, value in enumerate(values)], pa.float64())


def _integer(value: Any, index: int, origin: Origin) -> int:
    # Python's int() also takes "1_000" and the digits of other scripts, which no other reader of the file would.
    whole = (
        _WHOLE.fullmatch(value) is not None
        if isinstance(value, str)
        else isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0
    )
    if not whole or abs(int(value)) > _GREATEST:
        raise origin.refuse(index, f"holds {shown(value)}", "write a whole number")
    return int(value)


def _number(value: Any, index: int, origin: Origin) -> float:
    fit = (
        _NUMBER.fullmatch(value) is not None
        if isinstance(value, str)
        else isinstance(value, int | float) and not isinstance(value, bool) and value == value
    )
    if not fit:
        raise origin.refuse(index, f"holds {shown(value)}", "write a number")
    return float(value)
