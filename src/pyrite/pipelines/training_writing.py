"""A finished selection becomes the tables of a mined set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.formats import (
    Origins,
    PlacedPairs,
    write_n_tuples,
    write_pairs,
    write_pool,
    write_provenance,
    write_short_tuples,
    write_triplets,
)
from pyrite.mining import HOW, VERDICTS, negative_places
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_selecting import Mined


def write_mined(folder: Path, recipe: TrainingRecipe, mined: Mined) -> None:
    """Write the published configs, and beside them where every row comes from and every scored pair."""
    size, wanted = recipe.shard_bytes, recipe.select.num_negatives
    placed, tuples = mined.placed, mined.tuples
    pairs = placed.pairs
    write_pairs(
        folder,
        pairs.query,
        placed.pair_positions,
        queries=pairs.queries,
        corpus=mined.pool.corpus,
        shard_bytes=size,
    )
    filtered = tuples.take(mined.filtered.kept)
    write_triplets(folder, tuples, shard_bytes=size)
    write_n_tuples(folder, tuples, negatives=wanted, shard_bytes=size)
    write_n_tuples(folder, filtered, config="n-tuples-filtered", negatives=wanted, shard_bytes=size)
    (folder / "provenance").mkdir()
    filtered_row = np.full(len(tuples), -1, dtype=np.int64)
    filtered_row[mined.filtered.kept] = np.arange(len(filtered))
    verdicts = pa.array(np.array(VERDICTS)[mined.filtered.verdict])
    full = _origins(mined, mined.selection.full, verdicts, (mined.filtered.quality, filtered_row))
    write_provenance(folder / "provenance" / "train.parquet", mined.pool, full)
    if len(mined.short):
        write_short_tuples(folder, mined.short, shard_bytes=size)
        rows = mined.selection.short
        nothing = np.full(len(rows), np.nan), np.full(len(rows), -1, dtype=np.int64)
        short = _origins(mined, rows, None, nothing)
        write_provenance(folder / "provenance" / "short.parquet", mined.pool, short)
    known = PlacedPairs(placed.known, placed.positions, placed.rows)
    write_pool(folder / "provenance", mined.pool, known, found=mined.found)


def _origins(
    mined: Mined,
    rows: NDArray[np.int64],
    verdicts: pa.Array | None,
    filtered: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> Origins:
    selection, pairs = mined.selection, mined.placed.pairs.take(rows)
    places = negative_places(selection, rows)
    lengths = np.diff(selection.offsets)[rows]
    return Origins(
        query_ids=pairs.query_ids(),
        positive_ids=pairs.doc_ids,
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        taken=selection.taken[places],
        chosen=pa.array(np.array(HOW)[selection.how[places]], pa.string()),
        verdicts=verdicts,
        quality=filtered[0],
        filtered_row=filtered[1],
    )
