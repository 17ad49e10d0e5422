"""Vectors that anyone made are searched as ours are."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError, Queries, Query
from pyrite.retrieval import VectorIndex

QUERIES = Queries.of([Query("q1", "x"), Query("q2", "y")])


def test_the_queries_are_embedded_and_compared_by_inner_product() -> None:
    embed = {"x": [1.0, 0.0], "y": [0.0, 1.0]}
    index = VectorIndex(
        "mine",
        pa.array(["d1", "d2", "d3"]),
        np.array([[1, 0], [0, 2], [3, 1]], np.float16),
        lambda texts: np.array([embed[text] for text in texts], np.float32),
    )
    run = index.search(QUERIES, 2)
    assert run.system == "mine"
    assert [[hit.doc_id for hit in ranking] for _, ranking in run] == [["d3", "d1"], ["d2", "d3"]]


def test_vectors_that_do_not_align_and_numbers_that_are_none_are_refused() -> None:
    ids, vectors = pa.array(["d1"]), np.ones((1, 2), np.float32)
    with pytest.raises(DataError, match="2 vectors and 1 documents"):
        VectorIndex("mine", ids, np.ones((2, 2), np.float32), lambda texts: vectors)
    broken = VectorIndex("mine", ids, vectors, lambda texts: np.full((len(texts), 2), np.nan, np.float32))
    with pytest.raises(DataError, match="not finite"):
        broken.search(QUERIES, 1)
