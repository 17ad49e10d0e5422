"""The rows of a selection as training tuples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Pool, TrainingTuples
from pyrite.mining.select import Rows, Selection


def tuples_of(selection: Selection, pool: Pool, rows: Rows, wanted: NDArray[np.int64]) -> TrainingTuples:
    """These pair rows, in this order, with the negatives that were selected for them.

    Args:
        selection: what was decided.
        pool, rows: what it was decided on.
        wanted: int64, pair rows, as `Selection.full` or `Selection.short` gives them.
    """
    positive = rows.positive[wanted]
    taken = selection.taken[negative_places(selection, wanted)]
    lengths = np.diff(selection.offsets)[wanted]
    return TrainingTuples(
        queries=pool.queries,
        corpus=pool.corpus,
        query=np.asarray(rows.query[wanted], dtype=np.int32),
        positive=pool.documents[positive],
        offsets=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
        negatives=pool.documents[taken],
        positive_logits=pool.logit[positive],
        negative_logits=pool.logit[taken],
    )


def negative_places(selection: Selection, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the negatives of these rows stand in `selection.taken`, int64, row after row."""
    starts, lengths = selection.offsets[:-1][wanted], np.diff(selection.offsets)[wanted]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)
