"""A build that is killed goes on where it was, to the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.pipelines import build

ROWS, GROUP = 24_000, 1_000
RECIPE = """\
kind = "benchmark"
name = "generated"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train.parquet"

[queries]
limit = 100

[distractors]
count = "all"
"""


def _generate(folder: Path) -> Path:
    """5 kB passages, so that the table is several shards; some rows repeat an earlier one."""
    chance = np.random.default_rng(3)
    words = [f"word{number}" for number in range(5_000)]
    with pq.ParquetWriter(folder / "train.parquet", pa.schema([("passage", pa.string())])) as writer:
        for start in range(0, ROWS, GROUP):
            texts = [
                f"{row if row % 7 else row // 2} " + " ".join(words[w] for w in chance.integers(0, 5_000, 8)) * 80
                for row in range(start, start + GROUP)
            ]
            writer.write_table(pa.table({"passage": texts}))
    questions = [f"question {number}" for number in range(200)]
    passages = [f"answer {number}" for number in range(200)]
    pq.write_table(pa.table({"query": questions, "passage": passages}), folder / "eval.parquet")
    (folder / "recipe.toml").write_text(RECIPE)
    return folder / "recipe.toml"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_killed_build_reads_no_finished_shard_again_and_ends_in_the_same_bytes(tmp_path: Path) -> None:
    recipe = _generate(tmp_path)
    whole = build(recipe, out=tmp_path / "whole", work=tmp_path / "work-whole")
    total = whole.stages["scan"].done_now
    assert total >= 3
    out, work = tmp_path / "out", tmp_path / "work"
    command = [sys.executable, "-m", "pyrite.cli", "build", str(recipe), "--quiet"]
    process = subprocess.Popen([*command, "--out", str(out), "--work", str(work)])
    manifest = work / "manifest.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if manifest.is_file() and manifest.read_bytes().count(b"\n") >= 2:
            break
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = [json.loads(line) for line in manifest.read_text().splitlines() if line.endswith("}")]
    done = sum(row["stage"] == "scan" for row in finished)
    assert not out.exists()
    again = build(recipe, out=out, work=work)
    assert again.stages["scan"].done_before == done >= 1
    assert again.stages["scan"].done_now == total - done
    assert _bytes(out) == _bytes(tmp_path / "whole")
