"""A pool that is written is the pool that is read, as far as it was scored."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, DataError, Document, Pairs, Pool, Queries, Query
from pyrite.formats import PlacedPairs, read_pool, write_pool

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?"), Query("q2", "a?")])
CORPUS = Corpus.of([Document(f"d{place}", f"text {place}") for place in range(6)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pool = Pool(
        queries=QUERIES.take(np.array([0, 1])),
        corpus=CORPUS,
        retrievers=("bm25", "dense"),
        offsets=np.array([0, 3, 4]),
        documents=np.array([5, 3, 0, 3], np.int32),
        retriever=np.array([1, 0, -1, 1], np.int16),
        rank=np.array([1, 2, 0, 1], np.int32),
        score=np.array([9.0, 0.5, np.nan, 0.75]),
        logit=np.array([1.0, 2.0, 8.0, 7.0], np.float32),
    )
    pairs = Pairs(QUERIES, np.array([0, 2, 1]), pa.array(["d0", "d2", "other"]))
    known = PlacedPairs(pairs, np.array([0, 2, 3], np.int32), np.array([0, -1, 1]))
    write_pool(tmp_path, pool, known, found=np.array([5, 1]))
    return tmp_path


def test_the_scored_pairs_come_back_on_the_documents_that_are_named(folder: Path) -> None:
    stored = read_pool(folder)
    assert stored.pool.corpus.ids.to_pylist() == ["d0", "d2", "d3", "d5"]
    assert stored.pool.queries.ids.to_pylist() == ["q0", "q1"]
    assert [(hit.doc_id, hit.retriever, hit.rank, hit.logit) for hit in stored.pool["q0"]] == [
        ("d5", "dense", 1, 1.0),
        ("d3", "bm25", 2, 2.0),
        ("d0", "", 0, 8.0),
    ]
    assert stored.found.tolist() == [5, 1]


def test_known_positives_come_back_with_their_own_ids(folder: Path) -> None:
    known = read_pool(folder).known
    assert [(pair.query_id, pair.doc_id) for pair in known.pairs] == [("q0", "d0"), ("q2", "d2"), ("q1", "other")]
    assert known.positions.tolist() == [0, 1, 2]
    assert known.rows.tolist() == [0, -1, 1]


def test_a_text_that_is_not_there_is_named(folder: Path) -> None:
    texts = pq.read_table(folder / "texts.parquet")
    pq.write_table(texts.filter(pa.compute.not_equal(texts["id"], "d5")), folder / "texts.parquet")
    with pytest.raises(DataError, match="lacks 'd5'"):
        read_pool(folder)


def test_tables_that_do_not_agree_are_told(folder: Path) -> None:
    asked = pq.read_table(folder / "queries.parquet")
    pq.write_table(asked.slice(1), folder / "queries.parquet")
    with pytest.raises(DataError, match="do not agree on the queries"):
        read_pool(folder)
    pq.write_table(asked.drop_columns(["candidates"]), folder / "queries.parquet")
    with pytest.raises(DataError, match="there is no column 'candidates'"):
        read_pool(folder)
