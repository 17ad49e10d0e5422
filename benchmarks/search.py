"""Exact search: dense vectors against torch's matmul + topk and the product alone, MaxSim against its product alone.

    python benchmarks/search.py [--large] [--rows 20000] [--queries 500] [--dims 768] [--depth 100] [--documents 1000]
                                [--repeat 3] [--sample 20] [--work FOLDER]

The paths take turns, so that a busy machine slows all of them; the median of the repeats is shown, in CPU seconds and
wall time. The vectors lie in a float16 file that is mapped into memory and deleted at the end; peak memory is what the
search holds beside it. Recall is counted for a sample of queries against products in float64 and a full sort, with no
code of the search. --large is 2,433 queries against 2,000,605 vectors, once (a file of 3 GB), without MaxSim.
"""

import argparse
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pyrite.retrieval.search import ArrayVectors, Hits, TokenVectors, exact_search, maxsim_search
from pyrite.retrieval.search.products import has_bfloat16

PART = 20_000


def write_vectors(path: Path, rows: int, dims: int) -> np.ndarray:
    """Unit vectors around 2,000 centres, float16, mapped."""
    chance = np.random.default_rng(0)
    centres = chance.standard_normal((2000, dims), dtype=np.float32)
    held = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=(rows, dims))
    for start in range(0, rows, PART):
        stop = min(start + PART, rows)
        part = chance.standard_normal((stop - start, dims), dtype=np.float32)
        part += centres[chance.integers(2000, size=stop - start)]
        held[start:stop] = part / np.linalg.norm(part, axis=1, keepdims=True)
    held.flush()
    del held
    return np.load(path, mmap_mode="r")


def write_queries(vectors: np.ndarray, count: int) -> np.ndarray:
    chance = np.random.default_rng(1)
    rows = np.sort(chance.integers(len(vectors), size=count))
    queries = vectors[rows].astype(np.float32) + 0.03 * chance.standard_normal((count, vectors.shape[1]))
    return np.ascontiguousarray(queries / np.linalg.norm(queries, axis=1, keepdims=True), np.float32)


def topk(vectors: np.ndarray, queries: np.ndarray, depth: int, block: int = 8192) -> np.ndarray:
    """Positions by torch: products of blocks and a running topk."""
    asked, values, places = torch.from_numpy(queries), None, None
    for start in range(0, len(vectors), block):
        scores = torch.mm(asked, torch.from_numpy(np.array(vectors[start : start + block])).float().T)
        own, at = scores.topk(min(depth, scores.shape[1]), dim=1)
        values = own if values is None else torch.cat([values, own], 1)
        places = at + start if places is None else torch.cat([places, at + start], 1)
        values, order = values.topk(min(depth, values.shape[1]), dim=1)
        places = places.gather(1, order)
    assert places is not None
    return places.numpy()


def product_alone(vectors: np.ndarray, queries: np.ndarray, block: int = 2048) -> None:
    """The float32 products of as many blocks, of one block that is converted before."""
    asked = torch.from_numpy(queries)
    held = torch.from_numpy(np.array(vectors[:block])).float().T
    for _ in range(-(-len(vectors) // block)):
        torch.mm(asked, held)


def by_definition(vectors: np.ndarray, queries: np.ndarray, depth: int) -> list[np.ndarray]:
    """The best positions of each query, from every inner product in float64 rounded to float32, ties by position."""
    found = []
    scores = np.empty((len(queries), len(vectors)), np.float32)
    for start in range(0, len(vectors), PART):
        part = np.array(vectors[start : start + PART], np.float64)
        scores[:, start : start + PART] = queries.astype(np.float64) @ part.T
    for own in scores:
        found.append(np.argsort(-own, kind="stable")[:depth])
    return found


class Memory(threading.Thread):
    """The most anonymous memory that the process held while it was on, in MiB."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.on, self.over = 0.0, False, threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.02):
            if not self.on:
                continue
            text = Path("/proc/self/status").read_text()
            self.most = max(self.most, int(text.split("RssAnon:")[1].split()[0]) / 1024)


def timed(paths: dict[str, Callable[[], Any]], repeat: int) -> tuple[dict[str, tuple[float, float]], dict[str, Any]]:
    """Path -> median (CPU seconds, wall seconds), and what it returned last."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in paths}
    found = {}
    for _ in range(repeat):
        for name, path in paths.items():
            start, cpu = time.perf_counter(), time.process_time()
            found[name] = path()
            taken[name].append((time.process_time() - cpu, time.perf_counter() - start))
    return {name: tuple(np.median(np.array(own), axis=0).tolist()) for name, own in taken.items()}, found


def dense(asked: argparse.Namespace, folder: Path) -> None:
    start = time.perf_counter()
    vectors = write_vectors(folder / "vectors.npy", asked.rows, asked.dims)
    queries = write_queries(vectors, asked.queries)
    print(f"the vectors are written in {time.perf_counter() - start:,.0f} s", flush=True)
    given = ArrayVectors(vectors)
    exact_search(queries[:70], ArrayVectors(np.array(vectors[:5000])), asked.depth)  # compile outside the clock
    watch = Memory()

    def ours(**how: Any) -> Hits:
        watch.on = True
        found = exact_search(queries, given, asked.depth, **how)
        watch.on = False
        return found

    paths: dict[str, Callable[[], Any]] = {
        "float32 product alone": lambda: product_alone(vectors, queries),
        "torch matmul + topk": lambda: topk(vectors, queries, asked.depth),
        "exact_search, float32": lambda: ours(brain=False),
        "exact_search": ours,
    }
    if asked.large:
        del paths["exact_search, float32"]
    watch.start()
    seconds, found = timed(paths, asked.repeat)
    watch.over.set()
    work = 2 * asked.rows * asked.queries * asked.dims / 1e9
    print(f"dense: {asked.queries:,} queries, {asked.rows:,} x {asked.dims} float16, depth {asked.depth}", end="")
    print(f"; bfloat16 {'used' if has_bfloat16() else 'not there'}; at most {watch.most:,.0f} MiB beside the file")
    for name, (cpu, wall) in seconds.items():
        print(f"  {name:24} {cpu:8.2f} s cpu {wall:8.2f} s wall {work / cpu:8.1f} GFLOP/s by cpu")
    hits = found["exact_search"]
    if "exact_search, float32" in found:
        other = found["exact_search, float32"]
        same = np.array_equal(hits.positions, other.positions) and np.array_equal(hits.scores, other.scores)
        print(f"  both ways give the same bits: {same}")
    sample = np.random.default_rng(3).choice(asked.queries, min(asked.sample, asked.queries), replace=False)
    true = by_definition(vectors, queries[sample], asked.depth)
    recall = np.mean([np.isin(own, hits.positions[query]).mean() for query, own in zip(sample, true, strict=True)])
    ordered = np.mean([np.array_equal(own, hits.positions[query]) for query, own in zip(sample, true, strict=True)])
    print(f"  recall {recall:.6f} for {len(sample)} queries, {ordered:.0%} of them in the very order")
    rate = seconds["float32 product alone"][0] / seconds["exact_search"][0]
    faster = seconds["torch matmul + topk"][0] / seconds["exact_search"][0]
    print(f"  {rate:.2f} of the float32 product's rate, {faster:.2f}x torch matmul + topk (by cpu)")


def maxsim(asked: argparse.Namespace) -> None:
    chance = np.random.default_rng(2)
    lengths = chance.integers(60, 301, asked.documents)
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    tokens = chance.standard_normal((bounds[-1], 128), dtype=np.float32)
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    queries = chance.standard_normal((64 * 32, 128), dtype=np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    sides = TokenVectors(queries, np.arange(0, 64 * 32 + 1, 32)), TokenVectors(tokens, bounds)
    held, given = torch.from_numpy(queries), torch.from_numpy(tokens)

    def alone() -> None:
        for start in range(0, len(tokens), 1024):
            torch.mm(held, given[start : start + 1024].T)

    maxsim_search(sides[0], [sides[1].part(0, 50)], asked.depth)
    seconds, _ = timed(
        {"product alone": alone, "maxsim_search": lambda: maxsim_search(*_one(sides), asked.depth)}, asked.repeat
    )
    print(f"MaxSim: 64 queries of 32 tokens, {asked.documents:,} documents of 60 to 300, 128 dimensions")
    for name, (cpu, wall) in seconds.items():
        print(f"  {name:24} {cpu:8.2f} s cpu {wall:8.2f} s wall")
    print(f"  {seconds['product alone'][0] / seconds['maxsim_search'][0]:.2f} of the product's rate (by cpu)")


def _one(sides: tuple[TokenVectors, TokenVectors]) -> tuple[TokenVectors, list[TokenVectors]]:
    return sides[0], [sides[1]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, kind, default in (
        ("rows", int, 20_000),
        ("queries", int, 500),
        ("dims", int, 768),
        ("depth", int, 100),
        ("documents", int, 1000),
        ("repeat", int, 3),
        ("sample", int, 20),
        ("work", Path, None),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default)
    parser.add_argument("--large", action="store_true")
    asked = parser.parse_args()
    if asked.large:
        asked.rows, asked.queries, asked.repeat = 2_000_605, 2433, 1
    with tempfile.TemporaryDirectory(dir=asked.work) as name:
        folder = Path(name)
        needed, free = 2 * asked.rows * asked.dims, shutil.disk_usage(folder).free
        if needed > free:
            raise SystemExit(f"{needed / 1e9:.1f} GB are needed in {folder}, {free / 1e9:.1f} GB are free")
        dense(asked, folder)
    if not asked.large:
        maxsim(asked)


if __name__ == "__main__":
    main()
