"""Scores of queries against a block of vectors by one matrix product, and how far each may be off.

The bounds are proven, not measured: rounding of the factors by Cauchy-Schwarz from what was in fact rounded away, and
of the sum by the standard bound for any order of addition (Higham, Accuracy and Stability of Numerical Algorithms,
section 3.1).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.search.best import Best

if TYPE_CHECKING:
    import torch

_SINGLE = 2.0**-24
_BRAIN = 2.0**-8
"""Unit roundoff of float32 and of bfloat16."""
_REDUCED = 2.0**-6
"""A bound for products whose factors torch is allowed to round (TF32 and the like)."""


class Product(Protocol):
    """Scores blocks for a fixed set of queries."""

    def feed(self, rows: NDArray[np.floating], base: int, best: Best) -> None:
        """Score the documents base, base + 1, ... with these vectors, float16 or float32, and give them to `best`."""
        ...


class _Margins:
    """Margins of float32 sums, the greatest over the blocks so far."""

    def __init__(self, queries: NDArray[np.float32], *, reduced: bool = False) -> None:
        self.norms = np.linalg.norm(queries.astype(np.float64), axis=1)
        dims = queries.shape[1]
        self.sum_error = 1.01 * (dims + 2) * _SINGLE + (_REDUCED if reduced else 0.0)
        self.longest = 0.0

    def widened(self, longest: float) -> NDArray[np.float64]:
        """The margins, with a block whose longest vector is this long."""
        self.longest = max(self.longest, longest * 1.001)
        margins: NDArray[np.float64] = self.norms * (self.longest * self.sum_error)
        return margins


class NumpyProduct:
    """float32 through numpy, where torch is not installed."""

    def __init__(self, queries: NDArray[np.float32]) -> None:
        self._queries = queries
        self._margins = _Margins(queries)

    def feed(self, rows: NDArray[np.floating], base: int, best: Best) -> None:
        """See `Product`."""
        block = rows.astype(np.float32)
        longest = float(np.sqrt(np.einsum("ij,ij->i", block, block).max(initial=0.0)))
        best.add(self._queries @ block.T, base, self._margins.widened(longest))


class TorchProduct:
    """float32 through torch, on any device; on another one than the CPU the block is sifted there."""

    def __init__(self, queries: NDArray[np.float32], *, device: str = "cpu") -> None:
        import torch

        self._torch = torch
        self._device = device
        self._queries = torch.from_numpy(queries).to(device)
        self._margins = _Margins(queries, reduced=torch.get_float32_matmul_precision() != "highest")
        self._block = self._scores = torch.empty(0, 0, device=device)

    def feed(self, rows: NDArray[np.floating], base: int, best: Best) -> None:
        """See `Product`."""
        if not len(rows):
            return
        if self._block.shape != rows.shape:
            # Kept from block to block: fresh memory costs as much as what is done with it.
            self._block = self._torch.empty(rows.shape, device=self._device)
            self._scores = self._torch.empty(len(self._queries), len(rows), device=self._device)
        block = self._block.copy_(self._torch.from_numpy(rows))
        margins = self._margins.widened(_longest(block))
        scores = self._torch.mm(self._queries, block.T, out=self._scores)
        if scores.device.type == "cpu":
            best.add(scores.numpy(), base, margins)
        else:
            sift_there(scores, base, best, margins)


def _longest(block: torch.Tensor) -> float:
    import torch

    return float(torch.linalg.vector_norm(block, dim=1).max())


def sift_there(scores: torch.Tensor, base: int, best: Best, margins: NDArray[np.float64]) -> None:
    """Give `best` only what may be among the best, sifted on the device that holds the scores."""
    import torch

    least = torch.from_numpy(best.least(margins)).to(scores.device)
    depth = min(best.depth, scores.shape[1])
    if not depth:
        return
    # Without a floor yet everything would travel: the block's own best give one.
    within = scores.topk(depth, dim=1).values[:, -1] - torch.from_numpy(2.01 * margins).to(scores)
    least = torch.where(torch.isinf(least), within, least)
    queries, columns = (scores >= least[:, None]).nonzero(as_tuple=True)
    kept = scores[queries, columns].cpu().numpy()
    best.add_some(queries.cpu().numpy(), columns.cpu().numpy() + base, kept, margins)


class BrainProduct:
    """bfloat16 through torch, several times as fast as float32 where the processor has it, and off by more."""

    def __init__(self, queries: NDArray[np.float32]) -> None:
        import torch

        self._torch = torch
        exact = torch.from_numpy(queries)
        self._queries = exact.bfloat16()
        self._margins = _Margins(queries)
        self._lost = np.linalg.norm((exact - self._queries.float()).numpy().astype(np.float64), axis=1)
        self._block, self._short = torch.empty(0, 0), torch.empty(0, 0, dtype=torch.bfloat16)
        self._scores = self._short

    def feed(self, rows: NDArray[np.floating], base: int, best: Best) -> None:
        """See `Product`."""
        if not len(rows):
            return
        if self._block.shape != rows.shape:
            self._block = self._torch.empty(rows.shape)
            self._short = self._torch.empty(rows.shape, dtype=self._torch.bfloat16)
            self._scores = self._torch.empty(len(self._queries), len(rows), dtype=self._torch.bfloat16)
        block = self._block.copy_(self._torch.from_numpy(rows))
        margins = self._widened(_longest(block))
        scores = self._torch.mm(self._queries, self._short.copy_(block).T, out=self._scores)
        best.add(scores.view(self._torch.int16).numpy(), base, margins)

    def _widened(self, longest: float) -> NDArray[np.float64]:
        sums = self._margins.widened(longest)
        longest, norms = self._margins.longest, self._margins.norms + self._lost
        # What the queries lost is known; the documents lost a unit roundoff at most, and so does the product, which
        # comes back as bfloat16.
        factors = self._lost * longest + norms * (longest * _BRAIN)
        margins: NDArray[np.float64] = 1.05 * sums + factors + norms * (1.02 * longest * _BRAIN)
        return margins


@cache
def has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 by itself (AVX512_BF16 or AMX)."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def product_of(queries: NDArray[np.float32], *, device: str = "cpu", brain: bool | None = None) -> Product:
    """The fastest product for these queries on a device.

    Args:
        queries: float32 (queries, dimensions).
        device: "cpu", or one of torch's.
        brain: whether to use bfloat16; None: where the processor has it and there is enough to multiply.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        return NumpyProduct(queries)
    if device != "cpu":
        return TorchProduct(queries, device=device)
    wanted = (has_bfloat16() and len(queries) >= 64 and queries.shape[1] >= 64) if brain is None else brain
    product: Any = BrainProduct(queries) if wanted else TorchProduct(queries)
    return product  # type: ignore[no-any-return]
