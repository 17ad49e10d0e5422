"""Mined training sets as the tables that trainers read: pairs, triplets, n-tuples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Corpus, Queries, TrainingTuples, taken
from pyrite.formats.sharded import SHARD_BYTES, write_sharded

TRAINING_CONFIGS = ("pairs", "triplets", "n-tuples", "n-tuples-filtered", "n-tuples-short")
"""The tables of a mined set, in the order in which a card shows them; each has the split `train`."""

PAIRS = pa.schema([("query", pa.string()), ("positive", pa.string())])
TRIPLETS = pa.schema([*PAIRS, ("negative", pa.string())])
SHORT = pa.schema([*PAIRS, ("negatives", pa.list_(pa.string())), ("label", pa.list_(pa.float32()))])

_ROWS = 2048


def n_tuples_schema(negatives: int) -> pa.Schema:
    """The columns of n-tuples: query, positive, negative_1 to negative_N, and the label, positive first.

    >>> n_tuples_schema(2).names
    ['query', 'positive', 'negative_1', 'negative_2', 'label']
    """
    columns = [(f"negative_{place + 1}", pa.string()) for place in range(negatives)]
    return pa.schema([*PAIRS, *columns, ("label", pa.list_(pa.float32()))])


def write_pairs(
    folder: Path,
    query: NDArray[np.integer],
    positive: NDArray[np.integer],
    *,
    queries: Queries,
    corpus: Corpus,
    shard_bytes: int = SHARD_BYTES,
) -> list[Path]:
    """Write the config `pairs`: one row a known positive.

    Args:
        folder: of the dataset.
        query, positive: one a row, into `queries` and `corpus`.
        queries, corpus: where the texts are.
        shard_bytes: size at which a file is full.
    """

    def batches() -> Iterator[pa.Table]:
        for span in _spans(len(query)):
            texts = [_taken(queries, query[span]), _taken(corpus, positive[span])]
            yield _plain(texts, PAIRS)

    return _write(folder, "pairs", batches(), PAIRS, shard_bytes)


def write_triplets(folder: Path, tuples: TrainingTuples, *, shard_bytes: int = SHARD_BYTES) -> list[Path]:
    """Write the config `triplets`: each row with its first negative."""

    def batches() -> Iterator[pa.Table]:
        for span in _spans(len(tuples)):
            first = tuples.negatives[tuples.offsets[:-1][span]]
            yield _plain([*_query_and_positive(tuples, span), _taken(tuples.corpus, first)], TRIPLETS)

    return _write(folder, "triplets", batches(), TRIPLETS, shard_bytes)


def write_n_tuples(
    folder: Path, tuples: TrainingTuples, *, config: str = "n-tuples", negatives: int, shard_bytes: int = SHARD_BYTES
) -> list[Path]:
    """Write rows that all have `negatives` negatives, a column each, and the label; nothing is ever padded.

    DataError where a row has more or fewer.
    """
    schema = n_tuples_schema(negatives)
    labels = tuples.labels()
    matrix = tuples.negatives.reshape(len(tuples), labels.shape[1] - 1)

    def batches() -> Iterator[pa.Table]:
        for span in _spans(len(tuples)):
            columns = [_taken(tuples.corpus, matrix[span, place]) for place in range(negatives)]
            label = _lists(labels[span].reshape(-1), np.arange(len(labels[span]) + 1) * labels.shape[1])
            yield _plain([*_query_and_positive(tuples, span), *columns, label], schema)

    return _write(folder, config, batches(), schema, shard_bytes)


def write_short_tuples(folder: Path, tuples: TrainingTuples, *, shard_bytes: int = SHARD_BYTES) -> list[Path]:
    """Write the config `n-tuples-short`: as many negatives as a row has, and a label that is one longer."""

    def batches() -> Iterator[pa.Table]:
        for span in _spans(len(tuples)):
            part = tuples.take(np.arange(len(tuples))[span])
            negatives = pa.ListArray.from_arrays(
                pa.array(part.offsets, pa.int32()), _taken(part.corpus, part.negatives).cast(pa.string())
            )
            logits = np.insert(part.negative_logits, part.offsets[:-1], part.positive_logits)
            label = _lists(logits, part.offsets + np.arange(len(part) + 1))
            yield _plain([*_query_and_positive(part, slice(None)), negatives, label], SHORT)

    return _write(folder, "n-tuples-short", batches(), SHORT, shard_bytes)


def _write(folder: Path, config: str, batches: Iterator[pa.Table], schema: pa.Schema, shard_bytes: int) -> list[Path]:
    (folder / config).mkdir(parents=True, exist_ok=True)
    return write_sharded(folder / config, "train", batches, schema=schema, shard_bytes=shard_bytes)


def _spans(rows: int) -> Iterator[slice]:
    for start in range(0, rows, _ROWS):
        yield slice(start, min(start + _ROWS, rows))


def _query_and_positive(tuples: TrainingTuples, span: slice) -> list[pa.Array]:
    return [_taken(tuples.queries, tuples.query[span]), _taken(tuples.corpus, tuples.positive[span])]


def _taken(texts: Corpus | Queries, rows: NDArray[np.integer]) -> pa.Array:
    return taken(texts.texts, rows).combine_chunks()


def _lists(values: NDArray[np.float32], offsets: NDArray[np.integer]) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values, pa.float32()))


def _plain(columns: list[pa.Array], schema: pa.Schema) -> pa.Table:
    # Strings of one batch fit 32-bit offsets: a batch has few rows, and the writer cuts by bytes.
    return pa.table([column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)
