"""How often MinHash makes a pair a candidate, against the formula."""

import numpy as np
import pytest

from pyrite.core import RecipeError
from pyrite.preparation.minhash import Bands


def _pairs(pairs: int, shared: int, own: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random sets with `shared` numbers in common and `own` each: Jaccard shared / (shared + 2 own)."""
    hashes = np.random.default_rng(seed).integers(1, 2**64, (pairs, shared + 2 * own), dtype=np.uint64)
    return hashes[:, : shared + own].copy(), np.concatenate([hashes[:, :shared], hashes[:, shared + own :]], axis=1)


def _keys(cut: Bands, sets: np.ndarray) -> np.ndarray:
    return cut.keys(np.full(len(sets), sets.shape[1], np.int32), sets.ravel())


@pytest.mark.parametrize(
    ("threshold", "shared", "own"),
    [(0.5, 60, 30), (0.6, 60, 20), (0.7, 70, 15), (0.8, 80, 10), (0.8, 8, 1), (0.9, 90, 5), (0.95, 190, 5)],
)
def test_at_least_99_of_100_pairs_exactly_at_the_threshold_are_candidates(
    threshold: float, shared: int, own: int
) -> None:
    first, second = _pairs(3000, shared, own, seed=1)
    cut = Bands.of(threshold, seed=3)
    same = _keys(cut, first) == _keys(cut, second)
    assert same.any(axis=1).mean() >= 0.99
    # Each band is shared with probability J^rows, as if the hash functions were random orders.
    likeness = shared / (shared + 2 * own)
    assert same.mean() == pytest.approx(likeness**cut.rows, rel=0.04)


@pytest.mark.parametrize("threshold", np.linspace(0.2, 1.0, 33).tolist())
def test_the_bands_are_chosen_for_a_recall_of_0995_at_every_threshold(threshold: float) -> None:
    cut = Bands.of(threshold)
    assert cut.recall(threshold) >= 0.995
    assert cut.bands * cut.rows <= 120 or cut.rows == 2


def test_texts_that_share_little_are_seldom_compared() -> None:
    first, second = _pairs(2000, 10, 45, seed=2)
    cut = Bands.of(0.8)
    assert (_keys(cut, first) == _keys(cut, second)).any(axis=1).sum() <= 1


def test_keys_depend_on_the_set_and_the_seed_not_on_order_or_neighbours() -> None:
    (sets,) = (_pairs(4, 20, 0, seed=4)[0],)
    cut = Bands.of(0.8, seed=1)
    keys = _keys(cut, sets)
    assert np.array_equal(_keys(cut, sets[:, ::-1].copy()), keys)
    assert np.array_equal(_keys(cut, sets[2:3]), keys[2:3])
    assert not (_keys(Bands.of(0.8, seed=2), sets) == keys).any()


@pytest.mark.parametrize("threshold", [0.0, 0.1, 1.01, -1.0, float("nan")])
def test_a_threshold_that_means_nothing_is_refused(threshold: float) -> None:
    with pytest.raises(RecipeError, match=r"is not accepted; use 0\.2 to 1"):
        Bands.of(threshold)
