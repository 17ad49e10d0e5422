"""Small sources and recipes of every kind, in several shards, for builds that are stopped or run by other hands."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

KINDS = ("benchmark", "nano", "training")
LARGEST = {
    "benchmark": {"rows hashed": 80},
    "nano": {"texts encoded": 80},
    "training": {"rows hashed": 96, "pairs": 16},
}
"""What the largest shard of a stage has: passages of a file; texts of a split; ids and texts of a file with the ids of
the 16 positives, which every worker hashes for itself; pairs of a block."""

WORDS = [
    *("pyrite", "galena", "talc", "gypsum", "quartz", "halite", "barite", "zircon"),
    *("topaz", "beryl", "agate", "onyx", "opal", "jade", "coal", "clay"),
]

BENCHMARK = """\
kind = "benchmark"
name = "kill-benchmark"
language = "en"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train"

[dedup]
near = 0.8

[distractors]
count = "all"

[evaluate]
systems = ["bm25"]
"""
NANO = """\
kind = "nano"
name = "KillNano"
language = "en"

[source]
path = "toy"

[nano]
limit_documents = 60
positives_per_query = 1
order = "shuffled"

[[split]]
name = "first"
split = "first"

[[split]]
name = "second"
split = "second"

[[candidates]]
name = "dense"
system = "dense:counted"
"""
TRAINING = """\
kind = "training"
name = "kill-training"
language = "en"

[source.queries]
path = "queries.parquet"

[source.corpus]
path = "corpus"

[pool]
sample = 60
seed = 3

[[retriever]]
system = "bm25:en"
depth = 12

[teacher]
system = "rerank:counted"
depth = 4

[select]
num_negatives = 3
absolute_margin = 9.0
top_up = true
"""


def passage(number: int) -> str:
    """A text of its own; every seventh is that of half its number, and every eleventh differs from it in a word."""
    told = number // 2 if number % 7 == 0 else number
    first, second, third = (WORDS[told // step % len(WORDS)] for step in (1, 3, 11))
    body = " ".join(f"{WORDS[(told * step) % len(WORDS)]} {told % (step + 2)}" for step in range(1, 12))
    return f"{first} lies by {second} in cave {told}, not by {third}: {body}" + (" indeed" if number % 11 == 0 else "")


def write_sources(folder: Path, kind: str) -> Path:
    """The tables of one kind of recipe in a folder, and the recipe's file."""
    if kind == "benchmark":
        for part in range(4):
            _write(folder / "train" / f"part-{part}.parquet", {"passage": [passage(part * 80 + r) for r in range(80)]})
        asked = {"query": [f"where is {WORDS[row % 16]} {row}?" for row in range(24)]}
        _write(folder / "eval.parquet", {**asked, "passage": [passage(1_000 + row) for row in range(24)]})
    elif kind == "nano":
        texts = [passage(row) for row in range(80)]
        _write(folder / "toy/corpus/corpus.parquet", {"_id": [f"d{row}" for row in range(80)], "text": texts})
        queries = {"_id": [f"q{row}" for row in range(20)], "text": [f"where is {WORDS[r % 16]}?" for r in range(20)]}
        _write(folder / "toy/queries/queries.parquet", queries)
        for split, step in (("first", 3), ("second", 4)):
            judged = [(f"q{q}", f"d{(q * step + k * 11) % 80}", 1 if k < 2 else 0) for q in range(20) for k in range(4)]
            names = ("query-id", "corpus-id", "score")
            _write(
                folder / f"toy/qrels/{split}.parquet",
                dict(zip(names, map(list, zip(*judged, strict=True)), strict=True)),
            )
    else:
        for part in range(3):
            rows = range(part * 40, part * 40 + 40)
            told = {"id": [f"d{row}" for row in rows], "text": [passage(row) for row in rows]}
            _write(folder / "corpus" / f"part-{part}.parquet", told)
        asked = {"query": [f"where is {word}?" for word in WORDS], "relevant": [[f"d{n}"] for n in range(len(WORDS))]}
        _write(folder / "queries.parquet", asked)
    recipe = folder / f"{kind}.toml"
    recipe.write_text({"benchmark": BENCHMARK, "nano": NANO, "training": TRAINING}[kind])
    return recipe


def _write(path: Path, columns: dict[str, list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)


def files(folder: Path) -> dict[str, bytes]:
    """Place -> bytes of every file of a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
