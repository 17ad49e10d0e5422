"""The best of each query out of blocks: nothing is lost, whatever the blocks, the ties and the margins."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import DataError
from pyrite.retrieval.search import Best, Hits


def of_blocks(scores: np.ndarray, depth: int, width: int, threads: int = 1) -> Hits:
    best = Best(len(scores), depth, width, threads=threads)
    for start in range(0, scores.shape[1], width):
        best.add(np.ascontiguousarray(scores[:, start : start + width]), start)
    return best.finish()


def ranked(scores: np.ndarray, depth: int) -> list[list[int]]:
    return [sorted(range(len(row)), key=lambda j: (-row[j], j))[:depth] for row in scores.tolist()]


def test_ties_go_to_the_earlier_document_and_the_cut_comes_after() -> None:
    """O44."""
    hits = of_blocks(np.array([[1, 3, 3, 3, 2], [5, 5, 5, 5, 5]], np.float32), depth=3, width=2)
    assert hits.positions.tolist() == [[1, 2, 3], [0, 1, 2]]
    assert hits.scores.tolist() == [[3, 3, 3], [5, 5, 5]]


def test_a_corpus_below_the_depth_is_returned_whole() -> None:
    """O40."""
    hits = of_blocks(np.array([[1, 2]], np.float32), depth=100, width=8)
    assert hits.positions[0, : hits.counts[0]].tolist() == [1, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 3, 50]), st.sampled_from([7, 1000]), st.sampled_from([3, 10_000]))
def test_any_blocks_give_what_sorting_everything_gives(seed: int, depth: int, width: int, distinct: int) -> None:
    scores = np.random.default_rng(seed).integers(0, distinct, (3, 2500)).astype(np.float32)
    hits = of_blocks(scores, depth, width)
    assert hits.positions.tolist() == ranked(scores, depth)


def test_a_group_of_ties_far_larger_than_the_buffer_loses_nothing() -> None:
    scores = np.zeros((2, 40_000), np.float32)
    scores[0, [39_999, 20_000]] = 1
    scores[1, 12_345:] = 2
    hits = of_blocks(scores, depth=10, width=2000)
    assert hits.positions[0].tolist() == [20_000, 39_999, 0, 1, 2, 3, 4, 5, 6, 7]
    assert hits.positions[1].tolist() == list(range(12_345, 12_355))


def test_the_order_of_the_blocks_and_the_threads_do_not_matter() -> None:
    scores = np.random.default_rng(5).integers(0, 40, (64, 6000)).astype(np.float32)
    forward = of_blocks(scores, 20, 1500)
    best = Best(64, 20, 1500, threads=3)
    for start in (4500, 0, 3000, 1500):
        best.add(np.ascontiguousarray(scores[:, start : start + 1500]), start)
    backward = best.finish()
    assert np.array_equal(forward.positions, backward.positions)
    assert np.array_equal(forward.scores, backward.scores)


def test_approximate_scores_within_their_margin_give_the_true_ranking() -> None:
    """O26: what two reduced scores cannot tell apart is told apart by the true ones."""
    chance = np.random.default_rng(11)
    true = chance.random((4, 9000)).astype(np.float32)
    true[:, 100:200] = true[:, :1]  # ties
    margin = 0.05
    rough = true + chance.uniform(-margin, margin, true.shape).astype(np.float32)
    best = Best(4, 25, 1000, rescore=lambda query, positions: true[query, positions])
    for start in range(0, 9000, 1000):
        best.add(np.ascontiguousarray(rough[:, start : start + 1000]), start, np.full(4, margin + 1e-6))
    hits = best.finish()
    assert hits.positions.tolist() == ranked(true, 25)
    assert np.array_equal(hits.scores, np.take_along_axis(true, hits.positions.astype(np.int64), 1))


@pytest.mark.parametrize("shift", [-1.5, 0.0, 1.5])
def test_bfloat16_bits_are_sifted_like_the_numbers_that_they_are(shift: float) -> None:
    import torch

    rough = torch.from_numpy(np.random.default_rng(6).standard_normal((7, 5000)).astype(np.float32) + np.float32(shift))
    short = rough.bfloat16()
    numbers = short.float().numpy()
    best = Best(7, 30, 700)
    for start in range(0, 5000, 700):
        best.add(short[:, start : start + 700].contiguous().view(torch.int16).numpy(), start)
    hits = best.finish()
    assert hits.positions.tolist() == ranked(numbers, 30)
    assert np.array_equal(hits.scores, np.take_along_axis(numbers, hits.positions.astype(np.int64), 1))


def test_hits_that_a_device_sifted_are_taken_in_like_blocks() -> None:
    scores = np.random.default_rng(2).integers(0, 9, (5, 3000)).astype(np.float32)
    best = Best(5, 10, 1000)
    none = np.zeros(5)
    for start in range(0, 3000, 1000):
        block = scores[:, start : start + 1000]
        queries, columns = (block >= best.least(none)[:, None]).nonzero()
        best.add_some(queries, columns + start, block[queries, columns], none)
    assert best.finish().positions.tolist() == ranked(scores, 10)


def test_hits_become_a_run_with_as_many_rows_as_each_query_has() -> None:
    hits = Hits(np.array([[2, 1], [3, 0]], np.float32), np.array([[1, 0], [2, 7]], np.int32), np.array([2, 1]))
    run = hits.run("toy", pa.array(["q1", "q2"]), pa.array(["a", "b", "c"]))
    assert [[hit.doc_id for hit in ranking] for _, ranking in run] == [["b", "a"], ["c"]]


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="depth of a search is 0"):
        Best(1, 0, 1)
