"""The leak list: every training row whose passage is in the corpus, the same or nearly so."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrite.engine import Engine, Shard, digest_of
from pyrite.pipelines.benchmark_stages import LEAKS_STAGE, Leaks
from pyrite.pipelines.gold import Gold
from pyrite.pipelines.scanned import Scanned
from pyrite.preparation import DistractorChoice, NearIndex


def write_leaks(places: NDArray[np.integer], near: NDArray[np.bool_], engine: Engine, *, golden: int) -> Path:
    """The file of the leak list; see `Leaks`."""
    small = places.astype(np.int32) if golden + len(places) < 1 << 31 else places
    digests = [hashlib.blake2b(column.data, digest_size=16).hexdigest() for column in (small, near)]
    shard = Shard("leaks.parquet", digest_of(*digests, golden), Leaks(small, near, golden))
    return engine.run(LEAKS_STAGE, [shard], {})[0].path


def leaking_rows(
    gold: Gold, training: Scanned, choice: DistractorChoice, engine: Engine, *, near: float | None
) -> tuple[NDArray[np.integer], NDArray[np.bool_]]:
    """For each training row the corpus position of its passage, -1 for none, and whether it is nearly that one."""
    positions, alike = choice.in_corpus(), choice.near()
    if near is not None:
        # A row may be near a document though it was merged into a passage that is no document.
        also = _near_documents(gold, training, choice, engine, near=near)
        alike = alike | ((positions < 0) & (also >= 0))
        positions = np.where(positions < 0, also, positions)
    return positions, alike


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
    return np.asarray(by_text[texts], dtype=np.int64)
