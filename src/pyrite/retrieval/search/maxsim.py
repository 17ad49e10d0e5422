"""Exact late interaction (MaxSim) over blocks of token vectors, which are scored and dropped.

score(query, document) = sum over the query's tokens of the highest inner product with a token of the document (Khattab
and Zaharia, "ColBERT", SIGIR 2020). All queries' tokens are multiplied with the tokens of several documents at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.retrieval.search.best import Best, Hits, cores
from pyrite.retrieval.search.compiled import compiled

TOKENS = 1024
"""Document tokens in one product."""
DEVICE_TOKENS = 16384
QUERY_TOKENS = 1024
"""Query tokens in one product, whose numbers then stay in the processor's cache until they are looked at."""
DEVICE_QUERY_TOKENS = 4096
WIDTH = 1024
"""Documents whose scores are held at once."""
_EMPTY = np.float32(-3.0e38)


@compiled
def _ordered(bits: Any) -> Any:
    """The bits of a float32 as an integer that ascends with it, and back."""
    return np.int32(bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF)))


_LOWEST = int(_EMPTY.view(np.int32)) ^ 0x7FFFFFFF
"""A float below every product, in that order."""


@dataclass(frozen=True)
class TokenVectors:
    """Token vectors of several texts: text i has tokens[bounds[i]:bounds[i + 1]].

    Attributes:
        tokens: float16 or float32 (tokens, dimensions). bounds: int64, one more than texts.
        first: position of the first text in the corpus.
    """

    tokens: NDArray[np.floating]
    bounds: NDArray[np.int64]
    first: int = 0

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self.bounds) - 1

    def part(self, start: int, stop: int) -> TokenVectors:
        """The texts [start, stop)."""
        bounds = self.bounds[start : stop + 1]
        return TokenVectors(self.tokens[bounds[0] : bounds[-1]], bounds - bounds[0], self.first + start)


def maxsim_search(
    queries: TokenVectors,
    documents: Iterable[TokenVectors],
    depth: int,
    *,
    mean: bool = False,
    device: str = "cpu",
    threads: int | None = None,
) -> Hits:
    """The best `depth` documents of each query by MaxSim, then by position.

    Args:
        queries: their token vectors, float32.
        documents: parts of the corpus, each with its place in it; none is kept after its turn.
        depth: hits a query.
        mean: divide by the number of the query's tokens.
        device: where the products are made.
        threads: None: all cores.

    A query without tokens scores 0 everywhere; a document without tokens is never retrieved. Scores are float32.

    >>> queries = TokenVectors(np.array([[1, 0], [0, 1]], np.float32), np.array([0, 2]))
    >>> corpus = [TokenVectors(np.array([[1, 0], [0.5, 0.5], [0, 1]], np.float16), np.array([0, 1, 3]))]
    >>> hits = maxsim_search(queries, corpus, 10)
    >>> hits.positions.tolist(), hits.scores.tolist()
    ([[1, 0]], [[1.5, 1.0]])
    """
    if depth < 1:
        raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
    best = Best(len(queries), depth, WIDTH, threads=threads)
    score = _scorer(queries, device, threads or cores())
    lengths = np.maximum(np.diff(queries.bounds), 1).astype(np.float32)
    for given in documents:
        for start in range(0, len(given), WIDTH):
            part = given.part(start, min(start + WIDTH, len(given)))
            scores = score(part)
            if mean:
                scores /= lengths[:, None]
            scores[:, np.diff(part.bounds) == 0] = -np.inf
            best.add(scores, part.first)
    return _without_empty(best.finish())


def maxsim_scores(queries: TokenVectors, documents: TokenVectors, *, threads: int | None = None) -> NDArray[np.float32]:
    """The scores of every query with every document, float32 (queries, documents), made on the CPU.

    >>> texts = TokenVectors(np.array([[1, 0], [0, 2]], np.float32), np.array([0, 1, 2]))
    >>> maxsim_scores(texts, texts).tolist()
    [[1.0, 0.0], [0.0, 4.0]]
    """
    return _scorer(queries, "cpu", threads or cores())(documents)


def _without_empty(hits: Hits) -> Hits:
    """The hits without those of no score, which come last."""
    scored = (hits.scores > -np.inf) & (np.arange(hits.scores.shape[1]) < hits.counts[:, None])
    return Hits(hits.scores, hits.positions, scored.sum(axis=1))


def _blocks(part: TokenVectors, tokens: int) -> Iterator[tuple[int, int]]:
    """Texts [start, stop) of about so many tokens, covering the part."""
    start = 0
    while start < len(part):
        stop = int(np.searchsorted(part.bounds, part.bounds[start] + tokens, side="right")) - 1
        stop = min(max(stop, start + 1), len(part))
        yield start, stop
        start = stop


def _scorer(queries: TokenVectors, device: str, threads: int) -> Callable[[TokenVectors], NDArray[np.float32]]:
    """Part of the corpus -> float32 (queries, documents)."""
    if device != "cpu":
        return _device_scorer(queries, device)
    groups = [(start, queries.part(start, stop)) for start, stop in _blocks(queries, QUERY_TOKENS)]
    product = _product()

    def score(part: TokenVectors) -> NDArray[np.float32]:
        scores = np.zeros((len(queries), len(part)), np.float32)
        with ThreadPoolExecutor(threads) as pool:
            for start, stop in _blocks(part, TOKENS):
                block = part.part(start, stop)
                tokens = np.ascontiguousarray(block.tokens, np.float32)
                for first, group in groups:
                    products = product(np.ascontiguousarray(group.tokens, np.float32), tokens).view(np.int32)
                    own = scores[first : first + len(group), start:stop]
                    cuts = np.linspace(0, len(group), threads + 1).astype(int).tolist()
                    jobs = [
                        pool.submit(segment_sums, products, group.bounds, block.bounds, own, low, high)
                        for low, high in pairwise(cuts)
                    ]
                    for job in jobs:
                        job.result()
        return scores

    return score


Multiply = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""(queries' tokens, documents' tokens) -> their products, valid until the next call."""


def _product() -> Multiply:
    try:
        import torch
    except ImportError:
        return lambda asked, given: asked @ given.T
    room = torch.empty(0)

    def multiply(asked: NDArray[np.float32], given: NDArray[np.float32]) -> NDArray[np.float32]:
        nonlocal room
        if room.numel() < len(asked) * len(given):
            room = torch.empty(len(asked) * len(given))
        # Kept from block to block: fresh memory costs as much as what is done with it.
        out = room[: len(asked) * len(given)].view(len(asked), len(given))
        sides = (torch.from_numpy(side if side.flags.writeable else side.copy()) for side in (asked, given.T))
        made: NDArray[np.float32] = torch.mm(*sides, out=out).numpy()
        return made

    return multiply


@compiled
def segment_sums(products: Any, queries: Any, documents: Any, scores: Any, first: int, last: int) -> None:
    """Add up, for queries [first, last), the highest product of each query token with each document's tokens.

    Products are given as the int32 bits of float32; as integers in the same order they are compared many at once.
    """
    bits = np.empty(1, np.int32)
    number = bits.view(np.float32)
    for query in range(first, last):
        for token in range(queries[query], queries[query + 1]):
            row = products[token]
            for document in range(len(documents) - 1):
                part = row[documents[document] : documents[document + 1]]
                highest = np.int32(_LOWEST)
                for at in range(len(part)):
                    highest = max(highest, _ordered(part[at]))
                bits[0] = _ordered(highest)
                scores[query, document] += number[0]


def _device_scorer(queries: TokenVectors, device: str) -> Callable[[TokenVectors], NDArray[np.float32]]:
    import torch

    groups = [queries.part(start, stop) for start, stop in _blocks(queries, DEVICE_QUERY_TOKENS)]
    held = [torch.from_numpy(np.array(group.tokens, np.float32)).to(device) for group in groups]

    def score(part: TokenVectors) -> NDArray[np.float32]:
        rows = [on_device(tokens, group.bounds, part) for tokens, group in zip(held, groups, strict=True)]
        return np.concatenate([np.zeros((0, len(part)), np.float32), *rows])

    return score


def on_device(queries: Any, bounds: NDArray[np.int64], part: TokenVectors) -> NDArray[np.float32]:
    """The scores of a part, made where the queries' tokens lie (a torch tensor)."""
    import torch

    counts = torch.from_numpy(np.diff(bounds)).to(queries.device)
    scores = np.zeros((len(bounds) - 1, len(part)), np.float32)
    for start, stop in _blocks(part, DEVICE_TOKENS):
        block = part.part(start, stop)
        tokens = torch.from_numpy(np.array(block.tokens)).to(queries.device).float()
        lengths = torch.from_numpy(np.diff(block.bounds)).to(queries.device)
        highest = torch.segment_reduce(torch.mm(tokens, queries.T), "max", lengths=lengths, initial=float(_EMPTY))
        sums = torch.segment_reduce(highest.T.contiguous(), "sum", lengths=counts, initial=0.0)
        scores[:, start:stop] = sums.cpu().numpy()
    return scores
