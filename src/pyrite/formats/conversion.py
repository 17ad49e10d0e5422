"""A column of a file, of whatever type, becomes what is wanted inside; or the first value that is not fit is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import DataError
from pyrite.formats.columns import TEXT, Column, Kind, Origin, shown
from pyrite.formats.numbers import integers, integers_one_by_one, numbers, numbers_one_by_one

_NAMES = {bool: "boolean", int: "integer", float: "number", dict: "object", list: "list", str: "string"}


def convert(values: pa.Array, kind: Kind, origin: Origin) -> pa.Array:
    """A column as its kind wants it, values checked; DataError at the first value that is not fit.

    >>> origin = Origin("c.parquet", "_id", "c.parquet, row {}".format)
    >>> convert(pa.array(["001", "1e3"]), "id", origin).to_pylist()
    ['001', '1e3']
    >>> convert(pa.array([1.0]), "id", origin)
    Traceback (most recent call last):
    pyrite.core.errors.DataError: c.parquet, row 0: column '_id' holds the number 1.0; write it as a string.
    """
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if kind == "integer":
        return integers(values, origin)
    if kind == "number":
        return numbers(values, origin)
    texts = _lists(values, origin) if _is_list(values.type) else _strings(values, origin)
    return _filled(texts, kind, origin)


def converted(values: pa.Array | Sequence[Any], column: Column, origin: Origin) -> pa.Array:
    """A column of Arrow or JSON values as `column` wants it; a list where it wants one value is a DataError.

    >>> origin = Origin("c.jsonl", "text", "c.jsonl, line {}".format)
    >>> converted([["a"]], Column("text", ("text",), single=True), origin)
    Traceback (most recent call last):
    pyrite.core.errors.DataError: c.jsonl, line 0: column 'text' holds the list ['a']; write one string a row.
    """
    if isinstance(values, pa.Array):
        made = convert(values, column.kind, origin)
    else:
        made = convert_python(values, column.kind, origin)
    if not column.single or not _is_list(made.type):
        return made
    if made.null_count == len(made):
        return pa.nulls(len(made), TEXT)
    index = pc.index(made.is_valid(), True).as_py()
    raise origin.refuse(index, f"holds the list {shown(made[index].as_py())}", "write one string a row")


def convert_python(values: Sequence[Any], kind: Kind, origin: Origin) -> pa.Array:
    """The same for values as JSON has them: str, int, float, bool, None, or a list of these.

    >>> convert_python(["1", "02"], "integer", Origin("q.tsv", "score", str)).to_pylist()
    [1, 2]
    """
    try:
        typed = pa.array(values) if kind in ("integer", "number") else pa.array(values, TEXT)
    except (pa.ArrowException, TypeError, ValueError):
        # Not all strings, or of several types: look at each value, to cast it or to name it.
        return _one_by_one(values, kind, origin)
    return convert(typed, kind, origin)


def _is_list(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(kind)
        or pa.types.is_large_list(kind)
        or pa.types.is_fixed_size_list(kind)
        or pa.types.is_list_view(kind)
        or pa.types.is_large_list_view(kind)
    )


def _strings(values: pa.Array, origin: Origin) -> pa.Array:
    kind = values.type
    if pa.types.is_integer(kind):
        if values.null_count < len(values):
            origin.tell_cast()
        return values.cast(TEXT)
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    if text or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        try:
            texts = values.cast(TEXT)
            # Arrow does not check strings that it reads from Parquet.
            texts.validate(full=True)
        except pa.ArrowInvalid as error:
            raise _not_utf8(values, origin) from error
        return texts
    if values.null_count == len(values):
        return pa.nulls(len(values), TEXT)
    index = pc.index(values.is_valid(), True).as_py()
    raise _not_a_string(values[index].as_py(), index, origin)


def _not_a_string(value: Any, index: int, origin: Origin) -> DataError:
    name = _NAMES.get(type(value), type(value).__name__)
    return origin.refuse(index, f"holds the {name} {shown(value)}", "write it as a string")


def _not_utf8(values: pa.Array, origin: Origin) -> DataError:
    for index, value in enumerate(values.cast(pa.large_binary()).to_pylist()):
        try:
            (value or b"").decode()
        except UnicodeDecodeError as error:
            shown = value[max(error.start - 8, 0) : error.start + 8]
            return origin.refuse(index, f"is not valid UTF-8 near {shown!r}", "write the file as UTF-8")
    raise AssertionError("every value is UTF-8")


def _lists(values: pa.Array, origin: Origin) -> pa.Array:
    lists = values.cast(pa.large_list(values.type.value_type))
    lengths = np.asarray(pc.fill_null(pc.list_value_length(lists), 0).to_numpy(), dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    inner = Origin(origin.file, origin.column, _place_of_item(origin.place, offsets), origin.told)
    # flatten() leaves out what lies under a null list, as `lengths` does.
    items = _strings(lists.flatten(), inner)
    if items.null_count:
        raise inner.refuse(pc.index(items.is_null(), True).as_py(), "holds a list with a missing item", "leave it out")
    mask = lists.is_null() if lists.null_count else None
    return pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), items, mask=mask)


def _place_of_item(place: Callable[[int], str], offsets: Any) -> Callable[[int], str]:
    return lambda item: place(int(np.searchsorted(offsets, item, side="right")) - 1)


def _filled(texts: pa.Array, kind: Kind, origin: Origin) -> pa.Array:
    if kind == "text":
        return texts
    if texts.null_count:
        raise origin.refuse(pc.index(texts.is_null(), True).as_py(), "has no value", "give it one")
    if kind == "id":
        items, place = texts, origin.place
        if _is_list(texts.type):
            items, place = texts.flatten(), _place_of_item(place, np.asarray(texts.offsets))
        empty = pc.index(items, pa.scalar("", TEXT)).as_py()
        if empty >= 0:
            raise Origin(origin.file, origin.column, place).refuse(empty, "holds an empty id", "give it one")
    return texts


def _one_by_one(values: Sequence[Any], kind: Kind, origin: Origin) -> pa.Array:
    if kind == "integer":
        return integers_one_by_one(values, origin)
    if kind == "number":
        return numbers_one_by_one(values, origin)
    first = next((value for value in values if value is not None), None)
    if isinstance(first, list):
        texts = _python_lists(values, origin)
    else:
        texts = pa.array([_string(value, index, origin) for index, value in enumerate(values)], TEXT)
    return _filled(texts, kind, origin)


def _python_lists(values: Sequence[Any], origin: Origin) -> pa.Array:
    lists: list[list[str | None] | None] = []
    for index, value in enumerate(values):
        if value is not None and not isinstance(value, list):
            raise origin.refuse(index, f"holds {shown(value)} where other rows hold a list", "write a list")
        if value is not None and None in value:
            raise origin.refuse(index, "holds a list with a missing item", "leave it out")
        lists.append(None if value is None else [_string(item, index, origin) for item in value])
    return pa.array(lists, pa.large_list(TEXT))


def _string(value: Any, index: int, origin: Origin) -> str | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        origin.tell_cast()
        return str(value)
    if not isinstance(value, str):
        raise _not_a_string(value, index, origin)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        what = f"holds half of a surrogate pair, {value[error.start]!r}, which is no character"
        raise origin.refuse(index, what, "write the whole character") from error
    return value
