"""Builds of a size: a MIRIAD-like benchmark and a MIRACL-like mining run, generated, at a share of their true size.

    python benchmarks/scale.py {build,mine} [--share 8] [--workers 1] [--work FOLDER]

`build`: 4.4 million passages of 5 kB over the share; every distinct one enters the corpus. `mine`: 2,433 queries, a
corpus of 6,953,614 passages of 600 bytes over the share, of which 2,000,000 over the share are sampled; vectors (768
dimensions, float16) and logits are given, and the vectors are searched here, exactly, before the mining.

One line of JSON a step: wall and CPU seconds; the peak of resident memory of the largest process, and of the anonymous
memory of the process that asks, which has no file behind it: pages of mapped files are given back when memory is short;
the bytes that were read by system calls. For the pipelines a line a stage as well: its seconds, and the peaks of the
process that asked (with one worker that is all of it); "before STAGE" is what the process did alone until then. Free
disk is checked before, and everything is deleted at the end.
"""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

PASSAGES, PASSAGE_BYTES = 4_400_000, 5_000
CORPUS, SAMPLE, TEXT_BYTES, QUERIES, DIMENSIONS, DEPTH = 6_953_614, 2_000_000, 600, 2_433, 768, 100
SHARD_ROWS, GROUP = 50_000, 1_000
FRAGMENTS = 1 << 18
"""Distinct runs of words that the passages are made of, of 20 bytes each."""

BUILD = """\
kind = "benchmark"
name = "generated"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train"

[queries]
limit = 5000

[distractors]
count = "all"
"""
MINE = """\
kind = "training"
name = "generated"

[source.queries]
path = "queries.parquet"

[source.corpus]
path = "corpus"

[pool]
sample = {sample}
seed = 42

[[retriever]]
system = "run:run.parquet"
depth = 100

[teacher]
system = "scores:scores.parquet"
depth = 50

[select]
num_negatives = 5
absolute_margin = 4.0
top_up = true
"""


def status(field: str) -> float:
    """A number of /proc/self/status, in MiB."""
    return int(Path("/proc/self/status").read_text().partition(f"{field}:")[2].split()[0]) / 1024


class Stages:
    """A progress that writes a line a stage: seconds, and the peaks of this process's memory in it."""

    def __init__(self) -> None:
        self.before = time.perf_counter()
        self.anonymous = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        # The system keeps no peak of it.
        while True:
            self.anonymous = max(self.anonymous, status("RssAnon"))
            time.sleep(0.02)

    def start(self, stage: str, total: int, unit: str) -> None:
        del total, unit
        self._told(f"before {stage}")
        self.stage = stage

    def advance(self, n: int) -> None:
        pass

    def finish(self) -> None:
        self._told(self.stage)

    def _told(self, stage: str) -> None:
        now = time.perf_counter()
        if now - self.before >= 0.5:
            peaks = {"peak_mib": round(status("VmHWM")), "anonymous_mib": round(self.anonymous)}
            line = {"stage": stage, "wall_s": round(now - self.before, 1), **peaks}
            print(json.dumps(line), file=sys.stderr, flush=True)
        self.anonymous = 0.0
        # 5: the peak starts again from what is held now.
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        self.before = time.perf_counter()


def passages(shard: int, rows: int, size: int) -> pa.Array:
    """Texts of `size` bytes out of one vocabulary of fragments; a hundredth repeat the row before."""
    chance = np.random.default_rng([11, shard])
    pieces = max(size // 20, 1)
    picked = chance.integers(0, FRAGMENTS, (rows, pieces))
    copies = np.flatnonzero(chance.random(rows) < 0.01)
    picked[copies[copies > 0]] = picked[copies[copies > 0] - 1]
    lists = pa.ListArray.from_arrays(
        pa.array(np.arange(0, rows * pieces + 1, pieces, dtype=np.int32)), lexicon().take(pa.array(picked.ravel()))
    )
    return pc.binary_join(lists, " ")


def lexicon() -> pa.Array:
    """The fragments: three made-up words, 19 bytes."""
    letters = np.frombuffer(b"etaoinshrdlucmfwypvbgkjq", np.uint8)
    words = letters[np.random.default_rng(1).integers(0, len(letters), (FRAGMENTS, 19))]
    words[:, [5, 12]] = ord(" ")
    return pa.array([row.tobytes().decode() for row in words], pa.string())


def generate(folder: Path, rows: int, size: int, *, column: str, ids: bool) -> None:
    folder.mkdir()
    for shard, start in enumerate(range(0, rows, SHARD_ROWS)):
        count = min(SHARD_ROWS, rows - start)
        table = {column: passages(shard, count, size)}
        if ids:
            table = {"id": pa.array([f"m{row}" for row in range(start, start + count)]), **table}
        path = folder / f"train-{shard:05d}.parquet"
        pq.write_table(pa.table(table), path, compression="zstd", compression_level=1, row_group_size=GROUP)


def generate_build(folder: Path, share: int) -> None:
    generate(folder / "train", PASSAGES // share, PASSAGE_BYTES, column="passage", ids=False)
    questions = [f"what is told in row {number}?" for number in range(5_000)]
    answers = passages(1 << 20, 5_000, PASSAGE_BYTES)
    pq.write_table(pa.table({"query": questions, "passage": answers}), folder / "eval.parquet")
    (folder / "recipe.toml").write_text(BUILD)


def generate_mine(folder: Path, share: int) -> None:
    rows, sample = CORPUS // share, SAMPLE // share
    generate(folder / "corpus", rows, TEXT_BYTES, column="text", ids=True)
    chance = np.random.default_rng(5)
    relevant = [[f"m{row}" for row in chance.choice(rows, 2, replace=False)] for _ in range(QUERIES)]
    queries = {"query": [f"what is told in place {number}?" for number in range(QUERIES)], "relevant": relevant}
    pq.write_table(pa.table(queries), folder / "queries.parquet")
    vectors = np.lib.format.open_memmap(folder / "vectors.npy", "w+", np.float16, (sample, DIMENSIONS))
    for start in range(0, sample, 10_000):
        part = chance.standard_normal((min(10_000, sample - start), DIMENSIONS), dtype=np.float32)
        vectors[start : start + len(part)] = part / np.linalg.norm(part, axis=1, keepdims=True)
    vectors.flush()
    (folder / "recipe.toml").write_text(MINE.format(sample=sample))


def search(folder: Path, share: int) -> None:
    """The run of the given vectors over the documents that will be sampled, and a logit for each of its pairs."""
    from pyrite.preparation import digests, priorities
    from pyrite.retrieval.search import ArrayVectors, exact_search

    rows, sample = CORPUS // share, SAMPLE // share
    numbers = [
        priorities(digests(pa.array([f"m{row}" for row in range(start, min(start + 500_000, rows))])), 42)
        for start in range(0, rows, 500_000)
    ]
    sampled = np.sort(np.argpartition(np.concatenate(numbers), sample - 1)[:sample])
    vectors = ArrayVectors(np.load(folder / "vectors.npy", mmap_mode="r"))
    chance = np.random.default_rng(6)
    asked = chance.standard_normal((QUERIES, DIMENSIONS), dtype=np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    hits = exact_search(asked, vectors, DEPTH)
    query = np.repeat([f"q{number}" for number in range(QUERIES)], DEPTH)
    found = pa.array([f"m{row}" for row in sampled[hits.positions.ravel()].tolist()])
    scores = hits.scores.ravel().astype(np.float64)
    ranks = np.tile(np.arange(1, DEPTH + 1), QUERIES)
    pq.write_table(
        pa.table({"query-id": query, "corpus-id": found, "rank": ranks, "score": scores}), folder / "run.parquet"
    )
    positives = pq.read_table(folder / "queries.parquet")["relevant"].to_pylist()
    known = [(f"q{number}", doc, 6.5) for number, docs in enumerate(positives) for doc in docs]
    taken = set(zip(query.tolist(), found.to_pylist(), strict=True))
    known = [row for row in known if row[:2] not in taken]
    logits = chance.uniform(-9.0, 4.0, len(found))
    told = {
        "query-id": [*query.tolist(), *(row[0] for row in known)],
        "corpus-id": [*found.to_pylist(), *(row[1] for row in known)],
        "logit": np.concatenate([logits, np.full(len(known), 6.5)]),
    }
    pq.write_table(pa.table(told), folder / "scores.parquet")


def pipeline(folder: Path, workers: int) -> None:
    from pyrite.pipelines import build

    progress = Stages()
    built = build(folder / "recipe.toml", out=folder / "out", work=folder / "work", workers=workers, progress=progress)
    progress._told("after the last stage")
    print(json.dumps({"counts": dict(built.manifest.counts)}), file=sys.stderr, flush=True)


STEPS = {
    "generate-build": generate_build,
    "generate-mine": generate_mine,
    "search": search,
    "pipeline": pipeline,
}


def measured(step: str, folder: Path, number: int) -> None:
    """Run a step in a process of its own, below one that only waits for it and knows what it took."""
    command = [sys.executable, __file__, "--step", step, "--work", str(folder), "--share", str(number)]
    script = (
        "import json, re, resource, subprocess, sys, time\n"
        "started, anonymous = time.perf_counter(), 0\n"
        "asking = subprocess.Popen(sys.argv[1:])\n"
        "while asking.poll() is None:\n"
        "    held = re.search(r'RssAnon:\\s+(\\d+)', open(f'/proc/{asking.pid}/status').read())\n"
        "    anonymous = max(anonymous, int(held[1]) if held else 0)\n"
        "    time.sleep(0.02)\n"
        "if asking.returncode:\n"
        "    sys.exit(asking.returncode)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "read = int(re.search(r'rchar: (\\d+)', open('/proc/self/io').read())[1])\n"
        "print(json.dumps({'wall_s': round(time.perf_counter() - started, 1), "
        "'cpu_s': round(used.ru_utime + used.ru_stime, 1), 'peak_mib': used.ru_maxrss // 1024, 'anonymous_mib': "
        "anonymous // 1024, 'read_gb': "
        "round(read / 1e9, 2)}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *command], check=True, stdout=subprocess.PIPE, text=True)
    print(json.dumps({"step": step, **json.loads(done.stdout)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=("build", "mine"))
    parser.add_argument("--share", type=int, default=8, help="8: an eighth of the true size")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--step", choices=tuple(STEPS), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        STEPS[asked.step](asked.work, asked.share)
        return
    if asked.part is None:
        parser.error("say what to run: build or mine")
    folder = Path(tempfile.mkdtemp(prefix="pyrite-scale-", dir=asked.work))
    try:
        text = (PASSAGES * PASSAGE_BYTES if asked.part == "build" else CORPUS * TEXT_BYTES) // asked.share
        vectors = 0 if asked.part == "build" else SAMPLE // asked.share * DIMENSIONS * 2
        # Random words are packed to 0.55 of their bytes: the source, what is scanned, the corpus.
        free, needed = shutil.disk_usage(folder).free, 3 * 0.6 * text + vectors
        if free < needed:
            sys.exit(f"{folder}: {free / 1e9:.0f} GB are free and about {needed / 1e9:.0f} GB are needed")
        print(
            json.dumps({"part": asked.part, "share": f"1/{asked.share}", "text_gb": round(text / 1e9, 2)}), flush=True
        )
        measured(f"generate-{asked.part}", folder, asked.share)
        if asked.part == "mine":
            measured("search", folder, asked.share)
        measured("pipeline", folder, asked.workers)
        for name in ("train", "corpus", "work", "out"):
            size = sum(p.stat().st_size for p in (folder / name).rglob("*") if p.is_file())
            print(json.dumps({"folder": name, "gb": round(size / 1e9, 2)}), flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
