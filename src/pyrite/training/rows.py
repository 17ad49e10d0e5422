"""The rows of a mined set that a student is trained on, checked before any model is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.formats import open_parquet
from pyrite.training.settings import Objective

SHORT = "n-tuples-short"
BATCH_ROWS = 1024
_AGAIN = "build the set again, or check it with pyrite check"


@dataclass(frozen=True)
class TrainingRows:
    """The tables of one objective.

    Attributes:
        objective: whose rows these are.
        files: Parquet tables with one row a (query, positive, negatives, label), in order.
        short: tables of rows with fewer negatives, as lists; only with "n-tuples".
        columns: what a batch has: query, positive, then negative_1 to negative_N and label.
        allow_squashed: labels that all lie within [-1, 1] are not refused.
    """

    objective: Objective
    files: tuple[Path, ...]
    short: tuple[Path, ...]
    columns: tuple[str, ...]
    allow_squashed: bool = False

    @property
    def schema(self) -> pa.Schema:
        """Of the batches: strings, and label as a list of float32."""
        kinds = {"label": pa.list_(pa.float32())}
        return pa.schema([(name, kinds.get(name, pa.string())) for name in self.columns])

    @property
    def documents(self) -> tuple[str, ...]:
        """The columns of documents, the positive first."""
        return tuple(name for name in self.columns if name not in ("query", "label"))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Every row, checked, 1,024 at a time; only one batch is in memory.

        A row of n-tuples-short has its positive once more for each negative that it lacks, and NaN there in its label:
        what a loss has to leave out (see `distillation_loss`).

        DataError, with file and row, for a text that is missing or blank, a label that has not one finite logit a
        document, and where all labels lie within [-1, 1], as after a sigmoid.
        """
        most, rows = 0.0, 0
        for files, read in ((self.files, self._whole), (self.short, self._widened)):
            for path in files:
                start = 0
                for batch in _read(path, self.columns if files is self.files else None):
                    made, highest = read(batch, path, start)
                    most, rows = max(most, highest), rows + len(batch)
                    start += len(batch)
                    yield made
        if "label" in self.columns and rows and most <= 1 and not self.allow_squashed:
            raise DataError(
                "all labels lie within [-1, 1], as after a sigmoid, and a softmax keeps nothing of them",
                where=str(self.files[0].parent),
                fix="score the pairs without an activation",
            )

    def _whole(self, batch: pa.RecordBatch, path: Path, start: int) -> tuple[pa.RecordBatch, float]:
        rows = np.arange(start, start + len(batch))
        texts = {name: _texts(batch.column(name), name, path, rows) for name in ("query", *self.documents)}
        if "label" not in self.columns:
            return pa.record_batch([texts[name] for name in self.columns], schema=self.schema), 0.0
        lengths = np.full(len(batch), len(self.documents))
        label = _labels(batch.column("label"), lengths, path, start)
        columns = [label if name == "label" else texts[name] for name in self.columns]
        return pa.record_batch(columns, schema=self.schema), _greatest(label)

    def _widened(self, batch: pa.RecordBatch, path: Path, start: int) -> tuple[pa.RecordBatch, float]:
        rows = np.arange(start, start + len(batch))
        query, positive = (_texts(batch.column(name), name, path, rows) for name in ("query", "positive"))
        held = batch.column("negatives")
        _texts(pc.list_flatten(held), "negatives", path, rows[pc.list_parent_indices(held).to_numpy()])
        counts = pc.fill_null(pc.list_value_length(held), 0).to_numpy(zero_copy_only=False)
        wrong = np.flatnonzero((counts < 1) | (counts >= len(self.documents)))
        if len(wrong):
            raise _refuse(f"has {counts[wrong[0]]} negatives", path, start + int(wrong[0]))
        label = _labels(batch.column("label"), counts + 1, path, start)
        wide = len(self.documents)
        texts = [
            [*own, *[known] * (wide - 1 - len(own))]
            for known, own in zip(positive.to_pylist(), held.to_pylist(), strict=True)
        ]
        logits = [[*own, *[float("nan")] * (wide - len(own))] for own in label.to_pylist()]
        negatives = [pa.array([row[place] for row in texts], pa.string()) for place in range(wide - 1)]
        columns = [query, positive, *negatives, pa.array(logits, pa.list_(pa.float32()))]
        return pa.record_batch(columns, schema=self.schema), _greatest(label)


def training_rows(folder: Path, objective: Objective, *, allow_squashed: bool = False) -> TrainingRows:
    """The tables of a mined set's folder for an objective; nothing but their columns is read.

    "n-tuples" has the rows of n-tuples-short too, where the set has them. `allow_squashed` takes labels after a sigmoid
    for what they are. DataError where a table or a column is
    missing, or where a label is not a list of floating-point numbers.
    """
    files = _files(folder, objective)
    if not files:
        raise DataError(f"has no table '{objective}'", where=str(folder), fix="name the folder of a mined set")
    schema = _schema(files[0])
    needed = ("query", "positive") if objective == "pairs" else ("query", "positive", "negative_1", "label")
    for name in needed:
        if name not in schema.names:
            raise DataError(f"has no column '{name}'", where=str(files[0]), fix=_AGAIN)
    if objective == "pairs":
        return TrainingRows(objective, files, (), needed, allow_squashed)
    kind = schema.field("label").type
    if not (_is_list(kind) and pa.types.is_floating(kind.value_type)):
        raise DataError(f"column 'label' is {kind}, no list of logits", where=str(files[0]), fix=_AGAIN)
    count = sum(name.startswith("negative_") for name in schema.names)
    negatives = [f"negative_{place + 1}" for place in range(count)]
    if set(negatives) - set(schema.names):
        raise DataError("the columns of negatives are not numbered from 1 on", where=str(files[0]), fix=_AGAIN)
    short = _files(folder, SHORT) if objective == "n-tuples" else ()
    return TrainingRows(objective, files, short, ("query", "positive", *negatives, "label"), allow_squashed)


def write_batches(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path) -> int:
    """Write rows as one Arrow file, which `datasets` reads where it lies; how many there were."""
    rows = 0
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += len(batch)
    return rows


def _files(folder: Path, config: str) -> tuple[Path, ...]:
    return tuple(sorted((folder / config).glob("*.parquet")))


def _schema(path: Path) -> pa.Schema:
    with open_parquet(path) as file:
        return file.schema_arrow


def _read(path: Path, columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
    wanted = list(columns) if columns is not None else ["query", "positive", "negatives", "label"]
    with open_parquet(path) as file:
        missing = [name for name in wanted if name not in file.schema_arrow.names]
        if missing:
            raise DataError(f"has no column '{missing[0]}'", where=str(path), fix=_AGAIN)
        try:
            yield from file.iter_batches(BATCH_ROWS, columns=wanted)
        except (pa.ArrowException, OSError) as error:
            raise DataError("is not a whole Parquet file", where=str(path), fix=_AGAIN) from error


def _texts(column: pa.Array, name: str, path: Path, rows: NDArray[np.integer[Any]]) -> pa.Array:
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        raise DataError(f"column '{name}' is {column.type}, no text", where=str(path), fix=_AGAIN)
    blank = pc.equal(pc.fill_null(pc.utf8_trim_whitespace(column), ""), "").to_numpy(zero_copy_only=False)
    if blank.any():
        raise _refuse(f"has no text in '{name}'", path, int(rows[np.flatnonzero(blank)[0]]))
    return column.cast(pa.string())


def _labels(column: pa.Array, lengths: NDArray[np.integer[Any]], path: Path, start: int) -> pa.Array:
    """The labels as lists of float32, each of the length that its row asks for, all finite."""
    if not (_is_list(column.type) and pa.types.is_floating(column.type.value_type)):
        raise DataError(f"column 'label' is {column.type}, no list of logits", where=str(path), fix=_AGAIN)
    held = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(held != lengths)
    if len(wrong):
        row = int(wrong[0])
        raise _refuse(f"has {held[row]} logits for {lengths[row]} documents", path, start + row)
    flat = pc.fill_null(pc.list_flatten(column), float("nan")).to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(~np.isfinite(flat))
    if len(wrong):
        row = int(np.searchsorted(np.cumsum(held), wrong[0], side="right"))
        raise _refuse(f"has the logit {flat[wrong[0]]}", path, start + row)
    return column.cast(pa.list_(pa.float32()))


def _greatest(label: pa.Array) -> float:
    return float(np.abs(pc.list_flatten(label).to_numpy(zero_copy_only=False)).max(initial=0.0))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _refuse(what: str, path: Path, row: int) -> DataError:
    return DataError(what, where=f"{path}, row {row}", fix=_AGAIN)
