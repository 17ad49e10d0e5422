"""The published tables of a mined set, as `datasets` loads them."""

from pathlib import Path

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, DataError, Document, Queries, Query, TrainingTuples
from pyrite.formats import n_tuples_schema, write_n_tuples, write_pairs, write_short_tuples, write_triplets

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?")])
CORPUS = Corpus.of([Document(f"d{place}", f"text {place}") for place in range(5)])


def tuples(lengths: list[int]) -> TrainingTuples:
    total = sum(lengths)
    return TrainingTuples(
        QUERIES,
        CORPUS,
        np.array([1, 0], np.int32),
        np.array([4, 3], np.int32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        (np.arange(total) % 3).astype(np.int32),
        np.array([5.5, 4.5], np.float32),
        np.arange(total, dtype=np.float32) / 8,
    )


def test_n_tuples_have_a_column_a_negative_and_a_label_positive_first(tmp_path: Path) -> None:
    write_n_tuples(tmp_path, tuples([2, 2]), negatives=2)
    table = pq.read_table(tmp_path / "n-tuples" / "train.parquet")
    assert table.schema.names == ["query", "positive", "negative_1", "negative_2", "label"]
    assert table.schema.field("label").type.value_type == pa.float32()
    assert table.to_pylist()[0] == {
        "query": "b?",
        "positive": "text 4",
        "negative_1": "text 0",
        "negative_2": "text 1",
        "label": [5.5, 0.0, 0.125],
    }


def test_triplets_take_the_first_negative_and_pairs_every_positive(tmp_path: Path) -> None:
    write_triplets(tmp_path, tuples([2, 2]))
    assert pq.read_table(tmp_path / "triplets" / "train.parquet").to_pylist() == [
        {"query": "b?", "positive": "text 4", "negative": "text 0"},
        {"query": "a?", "positive": "text 3", "negative": "text 2"},
    ]
    write_pairs(tmp_path, np.array([0, 0]), np.array([1, 2]), queries=QUERIES, corpus=CORPUS)
    assert pq.read_table(tmp_path / "pairs" / "train.parquet").to_pylist() == [
        {"query": "a?", "positive": "text 1"},
        {"query": "a?", "positive": "text 2"},
    ]


def test_short_rows_have_lists_and_are_never_padded(tmp_path: Path) -> None:
    """O16."""
    write_short_tuples(tmp_path, tuples([1, 3]))
    first, second = pq.read_table(tmp_path / "n-tuples-short" / "train.parquet").to_pylist()
    assert (first["negatives"], first["label"]) == (["text 0"], [5.5, 0.0])
    assert (second["negatives"], second["label"]) == (["text 1", "text 2", "text 0"], [4.5, 0.125, 0.25, 0.375])
    with pytest.raises(DataError, match="different numbers of negatives"):
        write_n_tuples(tmp_path, tuples([1, 3]), negatives=3)


def test_a_config_is_cut_into_files_at_a_size(tmp_path: Path) -> None:
    names = [path.name for path in write_n_tuples(tmp_path, tuples([2, 2]), negatives=2, shard_bytes=30)]
    assert names == ["train-00000-of-00002.parquet", "train-00001-of-00002.parquet"]
    files = [str(tmp_path / "n-tuples" / name) for name in names]
    loaded = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == 2
    assert loaded.column_names == n_tuples_schema(2).names
