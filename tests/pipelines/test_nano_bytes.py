"""Same recipe, same bytes: whatever the workers, the hash seed or the resumes."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from pyrite import build

if __name__ == "__main__":
    recipe, out, work, workers = sys.argv[1:]
    build(recipe, out=out, work=work, workers=int(workers))
"""

RECIPE = """
kind = "nano"
name = "NanoToy"
language = "en"

[source]
path = "toy"

[nano]
limit_documents = 60
positives_per_query = 1
fill = "FILL"
order = "shuffled"

[[split]]
name = "first"
split = "first"

[[split]]
name = "second"
split = "nothing"
fallback = ["second"]
"""


def source(write_rows) -> None:
    texts = [f"mineral {row % 7} of shelf {row} and {row % 5}" for row in range(90)]
    write_rows("toy/corpus/corpus.parquet", [{"_id": f"d{row}", "text": text} for row, text in enumerate(texts)])
    write_rows("toy/queries/queries.parquet", [{"_id": f"q{row}", "text": f"mineral {row}?"} for row in range(20)])
    for split, step in (("first", 3), ("second", 4)):
        judged = [(f"q{q}", f"d{(q * step + k * 11) % 90}", 1 if k < 3 else 0) for q in range(20) for k in range(6)]
        write_rows(
            f"toy/qrels/{split}.parquet",
            [{"query-id": query, "corpus-id": doc, "score": grade} for query, doc, grade in judged],
        )


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def built(tmp_path: Path, name: str, *, fill: str, seed: str, workers: int) -> dict[str, str]:
    script, recipe = tmp_path / "build.py", tmp_path / f"{fill}.toml"
    script.write_text(SCRIPT)
    recipe.write_text(RECIPE.replace("FILL", fill))
    command = [sys.executable, str(script), str(recipe), str(tmp_path / name), str(tmp_path / f"work-{name}")]
    subprocess.run([*command, str(workers)], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    return digests(tmp_path / name)


def test_two_hash_seeds_and_two_numbers_of_workers_give_the_same_bytes(write_rows, tmp_path):
    """X08, O18: sets are walked nowhere, forced positives included."""
    source(write_rows)
    first = built(tmp_path, "a", fill="hard", seed="1", workers=1)
    assert built(tmp_path, "b", fill="hard", seed="2", workers=2) == first
    assert len(first) == 2 * 7 + 5


def test_a_second_build_takes_every_shard_from_the_first(write_rows, tmp_path, make_nano):
    source(write_rows)
    recipe = {"source": {"path": "toy", "split": "first"}, "split": [{"name": "first", "language": "en"}]}
    first = make_nano(recipe, out="first")
    again = make_nano(recipe, out="again")
    assert digests(first) == digests(again)
    assert len(list((tmp_path / "work/nano-choose").iterdir())) == 1
