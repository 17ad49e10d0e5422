"""Batches by a budget of tokens waste little and lose nothing."""

import numpy as np
import pytest

from pyrite.retrieval.neural.batches import padding, token_batches, windows


def test_every_text_is_in_one_batch_and_no_batch_is_over_the_budget() -> None:
    lengths = np.random.default_rng(0).lognormal(4.5, 0.8, 500).astype(np.int64) + 1
    batches = token_batches(lengths, 4096)
    assert sorted(np.concatenate(batches).tolist()) == list(range(500))
    assert all(len(batch) * lengths[batch].max() <= 4096 for batch in batches if len(batch) > 1)
    assert [lengths[batch].max() for batch in batches] == sorted((lengths[b].max() for b in batches), reverse=True)


def test_sorted_batches_compute_little_padding_and_input_order_much() -> None:
    lengths = np.random.default_rng(1).lognormal(5, 0.6, 1000).astype(np.int64) + 1
    unsorted = [np.arange(start, min(start + 16, 1000)) for start in range(0, 1000, 16)]
    assert padding(lengths, token_batches(lengths, 4096)) < 1.15 < 1.6 < padding(lengths, unsorted)


def test_a_text_over_the_budget_goes_alone_and_empty_texts_still_go() -> None:
    assert [batch.tolist() for batch in token_batches(np.array([10, 9000, 0]), 100)] == [[1], [0, 2]]
    assert token_batches(np.zeros(0, np.int64), 100) == []


@pytest.mark.parametrize("texts", [1, 7, 100])
def test_windows_cover_everything_in_order(texts: int) -> None:
    sizes = np.random.default_rng(2).integers(0, 300, 50)
    found = list(windows(sizes, texts=texts, characters=500))
    assert [start for start, _ in found] == [0, *(stop for _, stop in found[:-1])]
    assert found[-1][1] == 50
    assert all(stop - start <= texts for start, stop in found)
    assert all(sizes[start:stop].sum() <= 500 for start, stop in found if stop - start > 1)
