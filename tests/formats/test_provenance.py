"""Where mined rows come from, written."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.core import Corpus, Document, Pairs, Pool, Queries, Query
from pyrite.formats import Origins, PlacedPairs, write_pool, write_provenance

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?"), Query("q2", "a?")])
CORPUS = Corpus.of([Document(f"d{place}", f"text {place}") for place in range(5)])


def toy() -> Pool:
    """q0 found d1 and d3; d0 is its positive that nobody found. q1 found d3."""
    return Pool(
        queries=QUERIES.take(np.array([0, 1])),
        corpus=CORPUS,
        retrievers=("bm25", "dense"),
        offsets=np.array([0, 3, 4]),
        documents=np.array([1, 3, 0, 3], np.int32),
        retriever=np.array([0, 1, -1, 1], np.int16),
        rank=np.array([1, 2, 0, 1], np.int32),
        score=np.array([9.0, 0.5, np.nan, 0.75]),
        logit=np.array([1.0, 2.0, 8.0, 7.0], np.float32),
    )


def known() -> PlacedPairs:
    """q2 has the text of q0; "other" is another id of the text of d3."""
    pairs = Pairs(QUERIES, np.array([0, 2, 1]), pa.array(["d0", "d2", "other"]))
    return PlacedPairs(pairs, np.array([0, 2, 3], np.int32), np.array([0, -1, 1]))


def test_each_negative_has_its_retriever_rank_score_and_logit(tmp_path: Path) -> None:
    origins = Origins(
        query_ids=pa.chunked_array([["q0", "q1"]]),
        positive_ids=pa.chunked_array([["d0", "other"]]),
        offsets=np.array([0, 2, 2]),
        taken=np.array([1, 0]),
        chosen=pa.array(["margin", "top-up"]),
        verdicts=pa.array(["valid", "borderline"]),
        quality=np.array([0.25, -np.inf]),
        filtered_row=np.array([0, -1]),
    )
    write_provenance(tmp_path / "train.parquet", toy(), origins)
    first, second = pq.read_table(tmp_path / "train.parquet").to_pylist()
    assert first == {
        "row": 0,
        "query-id": "q0",
        "positive-id": "d0",
        "negative-ids": ["d3", "d1"],
        "retrievers": ["dense", "bm25"],
        "ranks": [2, 1],
        "scores": [0.5, 9.0],
        "logits": [2.0, 1.0],
        "chosen": ["margin", "top-up"],
        "verdict": "valid",
        "quality_score": 0.25,
        "filtered_row": 0,
    }
    assert (second["negative-ids"], second["quality_score"], second["filtered_row"]) == ([], None, None)


def test_every_text_that_is_named_is_there_once_and_no_other(tmp_path: Path) -> None:
    write_pool(tmp_path, toy(), known(), found=np.array([5, 1]))
    texts = [tuple(row.values()) for row in pq.read_table(tmp_path / "texts.parquet").to_pylist()]
    assert texts == [
        ("query", "q0", "a?"),
        ("query", "q1", "b?"),
        ("query", "q2", "a?"),
        ("document", "d0", "text 0"),
        ("document", "d1", "text 1"),
        ("document", "d2", "text 2"),
        ("document", "d3", "text 3"),
        ("document", "other", "text 3"),
    ]
    assert pq.read_table(tmp_path / "queries.parquet").to_pylist() == [
        {"query-id": "q0", "candidates": 5},
        {"query-id": "q1", "candidates": 1},
    ]
    assert [row["row"] for row in pq.read_table(tmp_path / "pairs.parquet").to_pylist()] == [0, None, 1]
    unfound = pq.read_table(tmp_path / "scores.parquet").to_pylist()[2]
    assert unfound == {
        "query-id": "q0", "corpus-id": "d0", "retriever": None, "rank": None, "score": None, "logit": 8.0,
    }  # fmt: skip
