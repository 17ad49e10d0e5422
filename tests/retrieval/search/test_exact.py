"""Exact dense search against brute force, by every kind of product."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import DataError, rank_order
from pyrite.retrieval.search import ArrayVectors, Hits, exact_search
from pyrite.retrieval.search import exact as module


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def brute(queries: np.ndarray, rows: np.ndarray, depth: int) -> tuple[list[list[int]], list[list[float]]]:
    positions, scores = [], []
    for query in queries.astype(np.float64):
        found = (rows.astype(np.float64) @ query).astype(np.float32)
        order = rank_order(found, np.arange(len(rows)))[:depth]
        positions.append(order.tolist())
        scores.append(found[order].tolist())
    return positions, scores


def same(hits: Hits, expected: tuple[list[list[int]], list[list[float]]]) -> None:
    assert hits.positions.tolist() == expected[0]
    assert np.allclose(hits.scores, expected[1], atol=1e-6)


@pytest.mark.parametrize("brain", [False, True], ids=["float32", "bfloat16"])
def test_the_hits_are_those_of_brute_force(brain: bool) -> None:
    chance = np.random.default_rng(0)
    centres = chance.standard_normal((30, 64))
    rows = unit(chance.standard_normal((9000, 64)) * 0.4 + centres[chance.integers(0, 30, 9000)]).astype(np.float16)
    queries = unit(centres + chance.standard_normal((30, 64)) * 0.1).astype(np.float32)
    same(exact_search(queries, ArrayVectors(rows), 50, brain=brain), brute(queries, rows, 50))


@pytest.mark.parametrize("brain", [False, True], ids=["float32", "bfloat16"])
def test_equal_vectors_tie_and_go_by_position_even_in_a_huge_group(brain: bool) -> None:
    chance = np.random.default_rng(1)
    rows = unit(chance.standard_normal((12_000, 32))).astype(np.float16)
    rows[3000:11_000] = rows[5]
    queries = unit(rows[[5, 6]].astype(np.float32))
    hits = exact_search(queries, ArrayVectors(rows), 40, brain=brain)
    assert hits.positions[0].tolist() == [5, *range(3000, 3039)]
    assert len(set(hits.scores[0].tolist())) == 1
    same(hits, brute(queries, rows, 40))


def test_two_documents_that_bfloat16_cannot_tell_apart_are_told_apart() -> None:
    """O26."""
    rows = np.array([[1.0, 0.0, 0.2400], [1.0, 0.0, 0.2401]], np.float32)
    hits = exact_search(np.array([[1, 0, 1]], np.float32), ArrayVectors(rows), 2, brain=True)
    assert hits.positions.tolist() == [[1, 0]]
    assert hits.scores[0, 0] > hits.scores[0, 1]


def test_the_bits_do_not_depend_on_blocks_threads_parts_or_product(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(2)
    rows = unit(chance.standard_normal((5000, 48))).astype(np.float16)
    queries = unit(chance.standard_normal((130, 48))).astype(np.float32)
    first = exact_search(queries, ArrayVectors(rows), 10, brain=False)
    monkeypatch.setattr(module, "BLOCK", 700)
    monkeypatch.setattr(module, "BUFFERS", 1)
    again = exact_search(queries, ArrayVectors(rows), 10, brain=True, threads=3)
    assert np.array_equal(first.positions, again.positions)
    assert np.array_equal(first.scores, again.scores)


def test_a_memory_mapped_file_is_searched_where_it_lies(tmp_path: Path) -> None:
    rows = unit(np.random.default_rng(4).standard_normal((300, 16))).astype(np.float16)
    np.save(tmp_path / "rows.npy", rows)
    mapped = ArrayVectors(np.load(tmp_path / "rows.npy", mmap_mode="r"))
    queries = rows[:3].astype(np.float32)
    same(exact_search(queries, mapped, 5), brute(queries, rows, 5))


def test_without_a_query_or_a_document_there_is_nothing_to_find() -> None:
    """O40."""
    rows = ArrayVectors(np.zeros((0, 4), np.float16))
    assert exact_search(np.ones((2, 4), np.float32), rows, 3).counts.tolist() == [0, 0]
    assert exact_search(np.ones((0, 4), np.float32), ArrayVectors(np.ones((2, 4), np.float16)), 3).counts.tolist() == []


def test_vectors_of_another_size_or_kind_are_refused() -> None:
    with pytest.raises(DataError, match="4-dimensional"):
        exact_search(np.ones((1, 3), np.float32), ArrayVectors(np.ones((2, 4), np.float16)), 1)
    with pytest.raises(DataError, match="int64"):
        ArrayVectors(np.ones((2, 4), np.int64))


LIMITED = """
import importlib.util, resource, sys

class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError(name)

# torch alone maps more than the limit, and the product must not need it.
sys.meta_path.insert(0, Nowhere())
held = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "torch" else held(name, *more)

import numpy as np
from pyrite.retrieval import ArrayVectors, exact_search

resource.setrlimit(resource.RLIMIT_AS, (1 << 30, -1))
chance = np.random.default_rng(0)
vectors = ArrayVectors(chance.standard_normal((int(sys.argv[1]), 32), np.float32).astype(np.float16))
hits = exact_search(chance.standard_normal((5000, 32), np.float32), vectors, 100)
assert hits.positions.shape == (5000, 100)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
def test_the_peak_does_not_grow_with_queries_times_documents() -> None:
    """O01: 5,000 queries over 200,000 documents are a matrix of 4 GB, and the process may map 1 GiB."""
    peaks = []
    for documents in (20_000, 200_000):
        command = [sys.executable, "-c", LIMITED, str(documents)]
        peaks.append(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    # The vectors themselves are 12 MB more; a matrix would be 3.6 GB more.
    assert peaks[1] - peaks[0] < 64 << 10
