"""What a shard of a mining build does, by itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, TextPairs
from pyrite.engine import Engine, Shard
from pyrite.formats import read_mapped, write_mapped
from pyrite.pipelines.training_stages import (
    POOL,
    RETRIEVE,
    SCAN,
    SCORE,
    PoolPieces,
    Retrieval,
    Scoring,
    read_pool_corpus,
    read_pool_queries,
)
from pyrite.retrieval import BM25


@dataclass(frozen=True)
class Batches:
    """A shard of a corpus in memory."""

    rows: tuple[dict[str, Any], ...]

    def read(self):
        yield pa.RecordBatch.from_pylist(list(self.rows))


@dataclass(frozen=True)
class Lengths:
    """A scorer whose logit is the length of both texts; one that is said to fail gives NaN."""

    broken: bool = False
    name = "lengths"

    def score(self, pairs: TextPairs):
        queries, documents = pairs.queries.texts.to_pylist(), pairs.corpus.texts.to_pylist()
        sizes = [
            len(queries[q]) + len(documents[d]) for q, d in zip(pairs.query_positions, pairs.doc_positions, strict=True)
        ]
        return np.array([np.nan if self.broken else size for size in sizes], np.float32)


def scanned(folder: Path, rows: list[dict[str, Any]], wanted: list[str], threshold: int | None) -> pa.Table:
    pq.write_table(pa.table({"_id": wanted}), folder / f"wanted-{len(wanted)}.parquet")
    data = (Batches(tuple(rows)), folder / f"wanted-{len(wanted)}.parquet")
    with Engine(folder / "work") as engine:
        key = f"{rows}{wanted}"
        (done,) = engine.run(SCAN, [Shard("corpus", key, data)], {"seed": 0, "threshold": threshold})
    assert done.facts == {"rows": len(rows), "filled": sum(bool(row["text"] and row["text"].strip()) for row in rows)}
    return pq.read_table(done.path)


ROWS = [
    {"id": "d0", "text": "Gold.", "title": "Au"},
    {"id": "d1", "text": " ", "title": None},
    {"id": "d2", "text": None, "title": None},
    {"id": "d3", "text": "Lead.", "title": " "},
]


def test_a_scan_keeps_positives_and_what_may_be_sampled(tmp_path: Path) -> None:
    every = scanned(tmp_path, ROWS, ["d2"], None)
    assert every["id"].to_pylist() == ["d0", "d2", "d3"]
    assert every["text"].to_pylist() == ["Au\n\nGold.", "", "Lead."]
    # A positive without text stays, so that it is told apart from one that is not there.
    assert every["digest"].is_null().to_pylist() == [False, True, False]
    none = scanned(tmp_path, ROWS, ["d3", "d9"], 0)
    assert none["id"].to_pylist() == ["d3"]


def test_a_priority_depends_on_the_document_and_the_seed_alone(tmp_path: Path) -> None:
    whole = dict(zip(*scanned(tmp_path, ROWS, [], None).select(["id", "priority"]).columns, strict=True))
    part = dict(zip(*scanned(tmp_path, ROWS[3:], [], None).select(["id", "priority"]).columns, strict=True))
    assert part.items() <= whole.items()


@pytest.fixture
def pool(tmp_path: Path) -> tuple[Path, Path]:
    rows = pa.table({"_id": ["d0", "d1"], "text": ["gold is soft", "coal is black"]})
    write_mapped(tmp_path / "pool.arrow", rows.column_names, [rows])
    pq.write_table(pa.table({"_id": ["q0"], "text": ["soft gold"]}), tmp_path / "queries.parquet")
    return tmp_path / "pool.arrow", tmp_path / "queries.parquet"


def test_the_pool_is_put_together_in_its_order_from_the_shards(tmp_path: Path) -> None:
    for number, ids in enumerate((["a", "b"], ["c", "d", "e"])):
        pq.write_table(pa.table({"id": ids, "text": [f"text {one}" for one in ids]}), tmp_path / f"{number}.parquet")
    paths = (tmp_path / "0.parquet", tmp_path / "1.parquet")
    # Positives d, b, c; then the sample in corpus order.
    pieces = PoolPieces(paths, np.array([1, 0, 1, 0, 1], np.int32), np.array([1, 1, 0, 0, 2]), 3)
    with Engine(tmp_path / "work") as engine:
        (done,) = engine.run(POOL, [Shard("pool", "key", pieces)], {})
    table = read_mapped(done.path)
    assert table["_id"].to_pylist() == ["d", "b", "c", "a", "e"]
    assert table["text"].to_pylist() == [f"text {one}" for one in "dbcae"]


def test_a_retriever_searches_the_pool(tmp_path: Path, pool: tuple[Path, Path]) -> None:
    with Engine(tmp_path / "work") as engine:
        (done,) = engine.run(RETRIEVE, [Shard("bm25", "key", Retrieval(*pool, BM25("en")))], {"depth": 5})
    assert pq.read_table(done.path)["corpus-id"].to_pylist() == ["d0"]
    assert done.facts["system"] == "bm25:en"


def test_a_block_is_scored_in_its_order_and_nan_is_refused_with_the_ids(
    tmp_path: Path, pool: tuple[Path, Path]
) -> None:
    places = np.array([0, 0], np.int32), np.array([1, 0], np.int32)
    with Engine(tmp_path / "work") as engine:
        (done,) = engine.run(SCORE, [Shard("block", "key", Scoring(*pool, Lengths(), *places))], {})
        assert pq.read_table(done.path)["logit"].to_pylist() == [22.0, 21.0]
        with pytest.raises(DataError, match="query 'q0' and document 'd1' is nan"):
            engine.run(SCORE, [Shard("block", "other", Scoring(*pool, Lengths(broken=True), *places))], {})
    assert (len(read_pool_corpus(pool[0])), len(read_pool_queries(pool[1]))) == (2, 1)
