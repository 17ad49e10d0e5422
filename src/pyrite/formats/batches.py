"""Rows of plain values become record batches of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.formats.columns import Column, Origin
from pyrite.formats.conversion import converted

BATCH_BYTES = 16 << 20
BATCH_ROWS = 1 << 16


def batches_of_rows(
    rows: Iterable[tuple[int, int, Sequence[Any]]],
    chosen: Sequence[tuple[Column, str]],
    path: Path,
    place: Callable[[int], str],
) -> Iterator[pa.RecordBatch]:
    """Batches of about 16 MB, columns named and converted as `chosen` says.

    Args:
        rows: (number, size in bytes, one value a chosen column).
        chosen: the columns, each with its name in the file.
        path: the file, for warnings.
        place: a row's number -> "FILE, line 4", called only for an error.
    """
    told = {theirs for column, theirs in chosen if column.told}
    numbers: list[int] = []
    values: list[Sequence[Any]] = []
    held = 0
    for number, size, row in rows:
        numbers.append(number)
        values.append(row)
        held += size
        if held >= BATCH_BYTES or len(numbers) == BATCH_ROWS:
            yield _batch(values, chosen, path, partial(_place_of, place, numbers), told)
            numbers, values, held = [], [], 0
    if numbers:
        yield _batch(values, chosen, path, partial(_place_of, place, numbers), told)


def _place_of(place: Callable[[int], str], numbers: Sequence[int], index: int) -> str:
    return place(numbers[index])


def _batch(
    rows: Sequence[Sequence[Any]],
    chosen: Sequence[tuple[Column, str]],
    path: Path,
    place: Callable[[int], str],
    told: set[str],
) -> pa.RecordBatch:
    arrays = [
        converted(values, column, Origin(str(path), theirs, place, told))
        for (column, theirs), values in zip(chosen, zip(*rows, strict=True), strict=True)
    ]
    return pa.record_batch(arrays, names=[column.name for column, _ in chosen])
