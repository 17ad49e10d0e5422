"""What is published is read back by its id, over HTTP and by the hub's own client, from a hub of this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyrite.pipelines import build

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "pipelines"))

from sources_to_kill import write_sources

from hub_server import REPO, hub

# The address of the hub is read when its client is imported: it takes a process of its own.
SCRIPT = """
import json, sys, warnings
from pathlib import Path
import datasets
import pyrite
from pyrite.publishing import publish_folder
from pyrite.sources import SourceSpec, open_table

datasets.disable_progress_bars()
folder, repo = Path(sys.argv[1]), sys.argv[2]
commits = [publish_folder(folder, repo).url for _ in range(2)]
loaded = {name: datasets.load_dataset(repo, name) for name in ("corpus", "queries", "qrels")}
collection = pyrite.load(repo)
spec = SourceSpec(repo, config="corpus", columns={"id": "_id"})
table = open_table(spec, needs=["id", "text"], base=Path())
by_url = SourceSpec(f"hf://datasets/{repo}/corpus/*.parquet", columns=spec.columns)
print(json.dumps({
    "commits": commits,
    "splits": {name: {split: len(rows) for split, rows in one.items()} for name, one in loaded.items()},
    "first": next(iter(loaded["corpus"].values()))[0],
    "documents": len(collection.corpus),
    "qrels": len(collection.qrels),
    "revision": table.revision,
    "same": [b.to_pylist() for b in table.read()] == [
        b.to_pylist() for b in open_table(by_url, needs=["id", "text"], base=Path()).read()
    ],
    "report": pyrite.evaluate(repo, ["bm25"]).to_json()["systems"][0]["measures"],
}))
"""


@pytest.fixture
def published(tmp_path):
    """A small benchmark, published twice and read back; and where it is."""
    folder = build(write_sources(tmp_path, "benchmark"), out=tmp_path / "gems", work=tmp_path / "work").folder
    with hub() as address:
        own = {"HF_ENDPOINT": address, "HF_TOKEN": "hf_nobody", "HF_HOME": str(tmp_path / "hub-cache")}
        environment = {**os.environ, **own, "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        command = [sys.executable, "-c", SCRIPT, str(folder), REPO]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


def test_a_published_dataset_is_loaded_by_its_id(published):
    folder, told = published
    counts = json.loads((folder / "manifest.json").read_text())["counts"]
    # The second call finds nothing to change.
    assert len(set(told["commits"])) == 1
    assert {name: sum(splits.values()) for name, splits in told["splits"].items()} == {
        "corpus": counts["corpus"],
        "queries": counts["queries"],
        "qrels": counts["qrels"],
    }
    assert told["first"].keys() >= {"_id", "text"}
    assert (told["documents"], told["qrels"]) == (counts["corpus"], counts["qrels"])
    assert len(told["revision"]) == 40
    assert told["same"]
    report = json.loads((folder / "results" / "report.json").read_text())
    assert told["report"] == report["systems"][0]["measures"]
