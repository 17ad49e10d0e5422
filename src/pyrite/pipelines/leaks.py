"""The leak list: every training row whose passage is in the corpus, the same or nearly so."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.engine import Engine
from pyrite.formats import LEAKS
from pyrite.pipelines.gold import Gold
from pyrite.pipelines.scanned import Scanned
from pyrite.preparation import DistractorChoice, NearIndex


def leak_list(
    gold: Gold, training: Scanned, choice: DistractorChoice, engine: Engine, *, near: float | None
) -> pa.Table:
    """One row a leaking training row: train_row (from 0), corpus-id, reason ("gold", "distractor" or "near")."""
    positions, alike = choice.in_corpus(), choice.near()
    if near is not None:
        # A row may be near a document though it was merged into a passage that is no document.
        also = _near_documents(gold, training, choice, engine, near=near)
        alike = alike | ((positions < 0) & (also >= 0))
        positions = np.where(positions < 0, also, positions)
    rows, golden = np.flatnonzero(positions >= 0), len(gold.rows)
    places = positions[rows]
    return pa.table(
        {
            "train_row": rows,
            "corpus-id": [f"p{place}" if place < golden else f"d{place - golden}" for place in places.tolist()],
            "reason": np.where(alike[rows], "near", np.where(places < golden, "gold", "distractor")).tolist(),
        },
        schema=LEAKS,
    )


def _near_documents(
    gold: Gold, training: Scanned, choice: DistractorChoice, engine: Engine, *, near: float
) -> NDArray[np.int64]:
    """For each training row, the corpus position of the earliest document that it is near, or -1."""
    index = NearIndex(near)
    for signed in gold.scanned.signed(gold.rows, near, engine):
        index.keep(signed)
    chosen = choice.rows()
    order = np.argsort(chosen, kind="stable")
    for signed in training.signed(chosen[order], near, engine):
        index.keep(signed)
    # By number in the index: gold first, then the distractors in the order of their rows.
    places = np.concatenate([np.arange(len(gold.rows)), len(gold.rows) + order])
    texts = choice.texts()
    numbers, first = np.unique(texts, return_index=True)
    fresh = np.sort(first[numbers >= 0])
    found = np.concatenate(
        [np.empty(0, np.int64), *(index.find(signed) for signed in training.signed(fresh, near, engine))]
    )
    by_text = np.full(int(texts.max(initial=-1)) + 2, -1, np.int64)
    by_text[texts[fresh]] = np.where(found >= 0, places[np.maximum(found, 0)], -1)
    return by_text[texts]
