"""Near-duplicate detection of a generated table: rows a second, peak memory, disk, and time against only reading it.

    python benchmarks/near.py [--rows 20000] [--bytes 5000] [--near 0.1] [--threshold 0.8] [--work FOLDER]

Every step runs in a process of its own, so that its peak memory is its own. The table (zstd Parquet, shards of 10,000
rows) and the signatures are deleted at the end; free disk is checked before: about 2.3 times rows x bytes is needed.
"""

import argparse
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pyrite.preparation import NearIndex, read_signatures, signed_parts, write_signatures

SHARD_ROWS = 10_000
ROW_GROUP = 1_000
VOCABULARY = 200_000


def texts_of(shard: int, rows: int, size: int, near: float) -> pa.Array:
    """Texts of Zipf-distributed words; a share of them repeat the row before with three words changed."""
    chance = np.random.default_rng([7, shard])
    words = max(int(size / 6.5), 1)
    ranks = (VOCABULARY ** chance.random((rows, words))).astype(np.int64)
    copies = np.flatnonzero(chance.random(rows) < near)
    for row in copies[copies > 0].tolist():
        ranks[row] = ranks[row - 1]
        ranks[row, chance.integers(0, words, 3)] = chance.integers(1, VOCABULARY, 3)
    letters = np.array(list("etaoinshrdlucmfw"))
    places = np.arange(VOCABULARY)[:, None] >> np.arange(0, 20, 4) & 15
    lexicon = pa.array(
        [
            "".join(row[: 3 + number % 3]) + ("", "s", "er", "ing")[number & 3]
            for number, row in enumerate(letters[places])
        ]
    )
    lists = pa.ListArray.from_arrays(
        pa.array(np.arange(0, rows * words + 1, words, dtype=np.int32)), lexicon.take(pa.array(ranks.ravel() - 1))
    )
    return pc.binary_join(lists, " ")


def generate(folder: Path, rows: int, size: int, near: float) -> dict[str, float]:
    for shard, start in enumerate(range(0, rows, SHARD_ROWS)):
        table = pa.table({"passage": texts_of(shard, min(SHARD_ROWS, rows - start), size, near)})
        pq.write_table(table, folder / f"train-{shard:05d}.parquet", compression="zstd", row_group_size=ROW_GROUP)
    return {}


def read(folder: Path) -> dict[str, float]:
    size = 0
    for path in sorted(folder.glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(ROW_GROUP):
            size += pc.sum(pc.binary_length(batch.column(0))).as_py()
    return {"bytes": size}


def sign(folder: Path, threshold: float) -> dict[str, float]:
    for path in sorted(folder.glob("*.parquet")):
        batches = (batch.column(0) for batch in pq.ParquetFile(path).iter_batches(ROW_GROUP))
        parts = (part for texts in batches for part in signed_parts(texts, threshold=threshold))
        write_signatures(path.with_suffix(".npy"), parts)
    return {"disk": sum(path.stat().st_size for path in folder.glob("*.npy"))}


def decide(folder: Path, threshold: float) -> dict[str, float]:
    index = NearIndex(threshold)
    for path in sorted(folder.glob("*.npy")):
        for part in read_signatures(path):
            index.add(part)
    return {"kept": len(index), "index": index.nbytes, "bounded": index.bounded}


def _timed(step: Callable[..., dict[str, float]], arguments: tuple[Any, ...], answers: Any) -> None:
    if step is sign or step is decide:  # compile outside the clock
        index = NearIndex(arguments[-1])
        made = list(signed_parts(pa.array(["a b c", "a b c", "d e\u0301"]), threshold=arguments[-1]))
        index.add(made[0])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    told = step(*arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    answers.put(
        {
            **told,
            "wall": time.perf_counter() - start,
            "cpu": time.process_time() - cpu,
            "start": before * unit,
            "peak": peak * unit,
        }
    )


def alone(step: Callable[..., dict[str, float]], *arguments: Any) -> dict[str, float]:
    """What a step told, with its seconds and its peak memory, from a fresh process."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_timed, args=(step, arguments, answers))
    process.start()
    told = answers.get()
    process.join()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, kind, default in (
        ("rows", int, 20_000),
        ("bytes", int, 5_000),
        ("near", float, 0.1),
        ("threshold", float, 0.8),
        ("work", Path, None),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.work) as name:
        folder = Path(name)
        needed, free = 2.3 * asked.rows * asked.bytes, shutil.disk_usage(folder).free
        if needed > free:
            raise SystemExit(f"{needed / 1e9:.1f} GB are needed in {folder}, {free / 1e9:.1f} GB are free")
        alone(generate, folder, asked.rows, asked.bytes, asked.near)
        steps = {
            "only reading": alone(read, folder),
            "signatures": alone(sign, folder, asked.threshold),
            "deciding": alone(decide, folder, asked.threshold),
        }
    size = steps["only reading"]["bytes"]
    print(f"{asked.rows:,} rows, {size / asked.rows:,.0f} bytes each, {asked.near:.0%} near-duplicates planted")
    for step, told in steps.items():
        print(
            f"{step:13} {told['wall']:7.2f} s wall {told['cpu']:7.2f} s cpu {asked.rows / told['wall']:9,.0f} rows/s "
            f"peak {told['peak'] / 2**20:6,.0f} MiB (start {told['start'] / 2**20:,.0f})"
        )
    decided, reading = steps["deciding"], steps["only reading"]
    both = steps["signatures"]["cpu"] + decided["cpu"]
    print(
        f"kept {decided['kept']:,}; index {decided['index'] / decided['kept']:.0f} bytes a kept document; "
        f"signatures on disk {steps['signatures']['disk'] / size:.2f} x the text; "
        f"cpu against only reading: {both / reading['cpu']:.1f}x; texts not compared with all: {decided['bounded']}"
    )


if __name__ == "__main__":
    main()
