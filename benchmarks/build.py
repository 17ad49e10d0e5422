"""A whole benchmark build from a generated training table, exact and near: time and peak memory against only reading.

    python benchmarks/build.py [--rows 20000] [--bytes 5000] [--workers 1] [--work FOLDER]

The table is that of near.py (a tenth of the rows repeat the one before with three words changed). Each step runs in
processes of its own; the peak is the largest of them. Free disk is checked before (about four times rows x bytes),
and everything is deleted at the end.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from near import generate

RECIPE = """\
kind = "benchmark"
name = "generated"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train"
columns = { passage = "passage" }

[queries]
limit = 1000

[distractors]
count = "all"
"""

READ = """\
import sys, pyarrow.parquet as pq
from pathlib import Path
for path in sorted(Path(sys.argv[1]).glob("*.parquet")):
    for batch in pq.ParquetFile(path).iter_batches(4096, columns=["passage"]):
        pass
"""


def run(name: str, command: list[str]) -> dict[str, float | str]:
    """Wall and CPU seconds of a command and its children, and the largest resident size of one of them."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    # A fresh parent for each step: the peak of finished children only ever rises.
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    peak = subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result = {"step": name, "wall_s": time.perf_counter() - started, "cpu_s": cpu, "peak_mib": int(peak) / 1024}
    print(json.dumps({key: round(value, 1) if isinstance(value, float) else value for key, value in result.items()}))
    sys.stdout.flush()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--bytes", type=int, default=5_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=None)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pyrite-build-", dir=asked.work))
    try:
        free, needed = shutil.disk_usage(folder).free, 4 * asked.rows * asked.bytes
        if free < needed:
            sys.exit(f"{folder}: {free / 1e9:.0f} GB are free and about {needed / 1e9:.0f} GB are needed")
        (folder / "train").mkdir()
        generate(folder / "train", asked.rows, asked.bytes, 0.1)
        questions = [f"question {number}" for number in range(5_000)]
        pq.write_table(pa.table({"query": questions, "passage": questions}), folder / "eval.parquet")
        (folder / "recipe.toml").write_text(RECIPE)
        read = run("read", [sys.executable, "-c", READ, str(folder / "train")])
        for name, settings in (("exact", []), ("near", ["--set", "dedup.near=0.8"])):
            out, work = str(folder / name), str(folder / f"work-{name}")
            command = [sys.executable, "-m", "pyrite.cli", "build", str(folder / "recipe.toml"), "--quiet"]
            command += ["--out", out, "--work", work, "--workers", str(asked.workers), *settings]
            built = run(name, command)
            manifest = json.loads((folder / name / "manifest.json").read_text())
            print(json.dumps({"counts": manifest["counts"], "ledger": manifest["ledger"][-1]["dropped"]}))
            ratios = {key: round(float(built[key]) / float(read[key]), 1) for key in ("wall_s", "cpu_s")}
            print(json.dumps({f"{name} / read": ratios}))
            shutil.rmtree(out)
            shutil.rmtree(work)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
