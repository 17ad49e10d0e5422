"""Foreign values at the door: what a column may hold, and what it becomes inside."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from pyrite.core import DataError

TEXT = pa.large_string()
Kind = Literal["text", "given", "id", "integer", "number"]
_SEPARATORS = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}


class DataWarning(UserWarning):
    """Data were read, in a way that their owner should know of: ids cast, repeated rows counted once."""


@dataclass(frozen=True)
class Column:
    """A wanted column.

    Attributes:
        name: what it is called inside. theirs: the names it may have in the file, the best first.
        kind: "text" (large_string, or a list of them; nulls kept), "given" (the same, nothing missing), "id" (nothing
            missing or empty), "integer" (int64) or "number" (float64).
        optional: left out of the batches where the file lacks it.
        told: no warning where integers are cast; it was given before.
        single: one value a row; a list is refused.
    """

    name: str
    theirs: tuple[str, ...]
    kind: Kind = "text"
    optional: bool = False
    told: bool = False
    single: bool = False


@dataclass(frozen=True)
class Origin:
    """Where one batch of a column's values stands.

    Attributes:
        file: path, for warnings. column: its name in the file.
        place: index in the batch -> "FILE, row 17" or "FILE, line 4".
        told: the columns of this file whose integers were cast with a warning; it grows.
    """

    file: str
    column: str
    place: Callable[[int], str]
    told: set[str] = field(default_factory=set)

    def refuse(self, index: int, what: str, fix: str = "") -> DataError:
        """The error for one value."""
        return DataError(f"column '{self.column}' {what}", where=self.place(index), fix=fix)

    def tell_cast(self) -> None:
        """Warn, once a column and file, that integers became strings."""
        if self.column not in self.told:
            self.told.add(self.column)
            warnings.warn(cast_warning(self.file, self.column), DataWarning, stacklevel=2)


def cast_warning(file: str, column: str) -> str:
    """What is said once a file and column."""
    return f"{file}: column '{column}' holds integers; they are cast to strings"


def choose_columns(
    wanted: Sequence[Column], there: Sequence[str], file: str, *, advise: Callable[[str], str] | None = None
) -> list[tuple[Column, str]]:
    """Each wanted column with its name in the file; DataError that names the file, the column, and those there are.

    `advise` says, for the name of a column that is missing, how the right one is named; default: in the file.

    >>> title = Column("title", ("title",), optional=True)
    >>> [(column.name, theirs) for column, theirs in choose_columns([Column("id", ("_id", "id")), title], ["id"], "c")]
    [('id', 'id')]
    """
    chosen = []
    for column in wanted:
        found = next((name for name in column.theirs if name in there), None)
        if found is None and column.optional:
            continue
        if found is None:
            fix = advise(column.name) if advise else "rename the one that is meant in the file"
            raise _missing(column, there, file, fix)
        if list(there).count(found) > 1:
            raise DataError(f"the column '{found}' occurs more than once", where=file, fix="rename one of them")
        chosen.append((column, found))
    return chosen


def _missing(column: Column, there: Sequence[str], file: str, fix: str) -> DataError:
    if not there:
        what = f"the file is empty; it should have a column '{column.theirs[0]}'"
        return DataError(what, where=file, fix="check that it is the right file, and that it was written in full")
    what = f"there is no column '{column.theirs[0]}' (wanted as {column.name}); the columns are "
    other = next((name for sign, name in _SEPARATORS.items() if sign in there[0]), "") if len(there) == 1 else ""
    if other:
        what += f"{shown(there[0])} alone, as if the file were separated by {other}"
        return DataError(what, where=file, fix="Pyrite reads commas in .csv and tabs in .tsv; save it as one of them")
    return DataError(what + ", ".join(repr(name) for name in there), where=file, fix=fix)


def shown(value: Any) -> str:
    """A value as an error quotes it, cut where it is long."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
