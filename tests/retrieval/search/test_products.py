"""Every kind of product stays within the margin that it claims."""

import numpy as np
import pytest

from pyrite.retrieval.search.best import Best
from pyrite.retrieval.search.products import BrainProduct, NumpyProduct, TorchProduct, product_of, sift_there


class Seen(Best):
    """Keeps what it is given, as float32."""

    def add(self, scores, base, margins=None):
        if scores.dtype == np.int16:
            scores = (scores.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
        self.scores, self.margins = scores.copy(), margins


@pytest.mark.parametrize("kind", [NumpyProduct, TorchProduct, BrainProduct])
@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_a_score_is_off_by_at_most_the_margin(kind, scale: float) -> None:
    chance = np.random.default_rng(3)
    queries = chance.standard_normal((20, 96)).astype(np.float32)
    rows = (chance.standard_normal((300, 96)) * scale).astype(np.float16)
    rows[::7] *= np.float16(0.1)
    seen = Seen(20, 5, 300)
    kind(queries).feed(rows, 0, seen)
    off = np.abs(seen.scores - queries.astype(np.float64) @ rows.astype(np.float64).T)
    assert (off <= seen.margins[:, None]).all()
    assert off.max() > 0
    # A margin that is far too wide would keep everything.
    norms = np.linalg.norm(queries, axis=1) * np.linalg.norm(rows.astype(np.float64), axis=1).max()
    assert (seen.margins < 0.02 * norms).all()


def test_the_margin_covers_every_block_so_far() -> None:
    queries = np.ones((1, 8), np.float32)
    product = NumpyProduct(queries)
    seen = Seen(1, 1, 4)
    product.feed(np.full((4, 8), 100, np.float16), 0, seen)
    wide = seen.margins[0]
    product.feed(np.full((4, 8), 1, np.float16), 4, seen)
    assert seen.margins[0] == wide


def test_bfloat16_is_used_where_it_is_asked_for_and_the_device_decides_otherwise() -> None:
    few, many = np.ones((2, 8), np.float32), np.ones((64, 64), np.float32)
    assert isinstance(product_of(many, brain=True), BrainProduct)
    assert isinstance(product_of(many, brain=False), TorchProduct)
    assert isinstance(product_of(few), TorchProduct)
    assert isinstance(product_of(many, device="meta", brain=True), TorchProduct)


def test_a_block_sifted_where_it_lies_gives_the_same_hits() -> None:
    import torch

    chance = np.random.default_rng(8)
    scores = chance.integers(0, 50, (6, 4000)).astype(np.float32)
    whole, sifted = Best(6, 10, 1000), Best(6, 10, 1000)
    for start in range(0, 4000, 1000):
        block = np.ascontiguousarray(scores[:, start : start + 1000])
        whole.add(block, start)
        sift_there(torch.from_numpy(block), start, sifted, np.zeros(6))
    assert whole.finish().positions.tolist() == sifted.finish().positions.tolist()
