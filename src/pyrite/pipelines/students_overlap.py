"""Which rows of a mined set ask what a held-out collection asks."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Collection, DataError
from pyrite.formats import DataWarning
from pyrite.preparation import digests
from pyrite.training import TrainingRows


@dataclass(frozen=True, eq=False)
class Overlap:
    """The rows of an objective beside a held-out collection; texts are compared in their normalised form.

    Attributes:
        leaks: bool, one a row: its query is a query of the collection.
        positives: rows whose positive is a relevant document of the collection; they stay.
    """

    leaks: NDArray[np.bool_]
    positives: int

    @property
    def rows(self) -> int:
        """Of the objective, whatever becomes of them."""
        return len(self.leaks)

    @property
    def dropped(self) -> int:
        """Rows that are left out."""
        return int(self.leaks.sum())


def overlap_with(collection: Collection, rows: TrainingRows, *, refuse: bool) -> Overlap:
    """Look at every row, which checks them all; DataError with the count where rows leak and `refuse` says so.

    A row whose positive is a relevant document of the collection is no leak of a question, but it makes measuring
    easier: a DataWarning says how many there are.
    """
    asked = _set_of(collection.queries.texts)
    judged = collection.qrels.doc_ids.filter(pa.array(collection.qrels.relevance >= 1))
    found = np.unique(collection.corpus.positions(judged))
    relevant = _set_of(collection.corpus.texts.take(pa.array(found[found >= 0])))
    leaks, positives = [np.zeros(0, np.bool_)], 0
    for batch in rows.batches():
        leaks.append(_among(batch.column("query"), asked))
        positives += int(_among(batch.column("positive"), relevant).sum())
    overlap = Overlap(np.concatenate(leaks), positives)
    if overlap.dropped and refuse:
        raise DataError(
            f"{overlap.dropped:,} of {overlap.rows:,} rows of '{rows.objective}' have a query of {collection.name}",
            where=str(rows.files[0].parent.parent),
            fix="measure on what was held out, or leave these rows out with --overlap drop",
        )
    if positives:
        warnings.warn(
            f"the positives of {positives:,} of {overlap.rows:,} rows of '{rows.objective}' are relevant documents of "
            f"{collection.name}: the gain is partly that of having read them",
            DataWarning,
            stacklevel=3,
        )
    return overlap


def kept_rows(rows: TrainingRows, overlap: Overlap) -> Iterator[pa.RecordBatch]:
    """The rows that do not leak, in their order."""
    start = 0
    for batch in rows.batches():
        leaks = overlap.leaks[start : start + len(batch)]
        start += len(batch)
        yield batch.filter(pa.array(~leaks)) if leaks.any() else batch


def _set_of(texts: pa.ChunkedArray) -> pa.Array:
    chunks = [_digests(chunk) for chunk in texts.chunks]
    return pa.concat_arrays(chunks).unique() if chunks else pa.array([], pa.binary(16))


def _among(texts: pa.Array, known: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(pc.is_in(_digests(texts), value_set=known).to_numpy(zero_copy_only=False), np.bool_)


def _digests(texts: pa.Array) -> pa.Array:
    made = np.ascontiguousarray(digests(texts, "normalised"))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(made), [None, pa.py_buffer(made.tobytes())])
