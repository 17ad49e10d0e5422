"""What was stored comes back bit by bit, in the order that is asked for, from whichever shard."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.retrieval.neural.store import Store, text_digests
from pyrite.retrieval.neural.stored import (
    StoredVectors,
    dense_column,
    sparse_columns,
    stored_sparse,
    stored_tokens,
    token_column,
)
from pyrite.retrieval.search import SparseRows

TEXTS = [f"t{number}" for number in range(7)]
WANTED = ["t6", "t0", "t3", "t3", "t5"]


def stored(folder: Path, columns) -> tuple[Store, np.ndarray]:
    store = Store(folder)
    for rows in (range(0, 3), range(3, 7)):
        digests = text_digests(pa.array([TEXTS[row] for row in rows]))
        store.add(pa.RecordBatch.from_pydict({"digest": digests, **columns(list(rows))}))
    return store, store.find(text_digests(pa.array(WANTED)))


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_dense_vectors(tmp_path: Path, kind) -> None:
    matrix = np.random.default_rng(0).standard_normal((7, 5)).astype(kind)
    store, rows = stored(tmp_path, lambda own: {"vector": dense_column(matrix[own])})
    vectors = StoredVectors(store, rows)
    expected = matrix[[6, 0, 3, 3, 5]]
    assert (vectors.dims, len(vectors)) == (5, 5)
    assert np.array_equal(vectors.rows(1, 4), expected[1:4])
    assert np.array_equal(vectors.take(np.array([4, 0], np.int32)), expected[[4, 0]])
    assert vectors.rows(0, 5).dtype == kind
    assert vectors.rows(0, 5).flags.writeable


def test_sparse_rows(tmp_path: Path) -> None:
    lengths = [2, 0, 1, 3, 0, 1, 2]
    flat = np.arange(sum(lengths))
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    whole = SparseRows(bounds, flat.astype(np.int32), (flat * 0.5).astype(np.float32))

    def columns(own: list[int]) -> dict[str, pa.Array]:
        terms, weights = sparse_columns(whole.take(np.array(own)))
        return {"terms": terms, "weights": weights}

    store, rows = stored(tmp_path, columns)
    found, expected = stored_sparse(store, rows), whole.take(np.array([6, 0, 3, 3, 5]))
    assert found.bounds.tolist() == expected.bounds.tolist()
    assert found.terms.tolist() == expected.terms.tolist()
    assert found.weights.tolist() == expected.weights.tolist()


@pytest.mark.parametrize("at_once", [1, 2, 256])
def test_token_vectors(tmp_path: Path, at_once: int) -> None:
    chance = np.random.default_rng(1)
    texts = [chance.standard_normal((length, 4)).astype(np.float16) for length in (3, 1, 0, 2, 5, 1, 4)]
    store, rows = stored(tmp_path, lambda own: {"tokens": token_column([texts[row] for row in own], 4)})
    found, positions = [], []
    for part in stored_tokens(store, rows, texts=at_once):
        positions += range(part.first, part.first + len(part))
        found += [part.tokens[part.bounds[i] : part.bounds[i + 1]] for i in range(len(part))]
    assert positions == list(range(5))
    assert all(np.array_equal(one, texts[row]) for one, row in zip(found, [6, 0, 3, 3, 5], strict=True))
