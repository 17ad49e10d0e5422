"""A small dataset with two runs and their results, a mined set, an audit: all made by hand; and a server of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import QueryCounts, Report, Run, SystemReport
from pyrite.evaluation import bootstrap
from pyrite.formats import (
    PROVENANCE,
    QUEUE,
    Manifest,
    n_tuples_schema,
    write_manifest,
    write_parquet,
    write_queue,
    write_report,
    write_run,
)
from pyrite.viewer import ViewerServer, open_paths

DOCUMENTS = {
    "d1": "Pyrite is called fool's gold.",
    "d2": "Gold is an element.",
    "d3": "Galena is the ore of lead.",
    "d4": "Halite is salt.",
}
QUERIES = {"q1": "What is fool's gold?", "q2": "Which ore gives lead?", "q3": "What is salt?"}
QRELS = [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d3", 1), ("q3", "d4", 1)]
RUNS = {
    "first": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d3"], "q3": ["d1", "d2", "d3"]},
    "second": {"q1": ["d2", "d1"], "q2": ["d3", "d1"], "q3": ["d4"]},
}
VALUES = {"first": [1.0, 0.5, 0.0], "second": [0.5, 1.0, 1.0]}
HOSTILE = {
    "s1": "<script>document.title='owned'</script> gold",
    "s2": '"><img src=x onerror="document.title=\'owned\'"> gold',
    "s3": "gold\x00\x07\x1b[2J \u202egnirts\u202c",
    "s4": "gold and lead, " * 70_000,
    "../../etc/passwd": "gold",
}


def run_of(name: str) -> Run:
    ranked = {query: [(doc, 9.0 - at) for at, doc in enumerate(docs)] for query, docs in RUNS[name].items()}
    return Run.of(name, ranked)


def write_dataset(folder: Path, documents: dict[str, str], queries: dict[str, str], qrels: list[tuple]) -> Path:
    for name in ("corpus", "queries", "qrels"):
        (folder / name).mkdir(parents=True)
    write_parquet(
        folder / "corpus/corpus.parquet", pa.table({"_id": list(documents), "text": list(documents.values())})
    )
    write_parquet(folder / "queries/queries.parquet", pa.table({"_id": list(queries), "text": list(queries.values())}))
    columns = dict(zip(("query-id", "corpus-id", "score"), map(list, zip(*qrels, strict=True)), strict=True))
    write_parquet(folder / "qrels/test.parquet", pa.table(columns))
    return folder


@pytest.fixture
def make_run() -> Callable[[str], Run]:
    """The run of one of the two systems."""
    return run_of


@pytest.fixture
def make_dataset() -> Callable[..., Path]:
    """Writes documents, queries and judgements as a published folder."""
    return write_dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """minerals: four documents, three queries, a manifest that says English."""
    folder = write_dataset(tmp_path / "minerals", DOCUMENTS, QUERIES, QRELS)
    write_manifest(folder / "manifest.json", Manifest(kind="benchmark", name="minerals", language="en"))
    return folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two systems measured on minerals, with their runs."""
    folder = tmp_path / "results"
    values = {name: np.array(VALUES[name]) for name in VALUES}
    systems = tuple(
        SystemReport(name, "run", {}, {"RR@10": bootstrap(one)}, {"RR@10": one}) for name, one in values.items()
    )
    write_report(folder, Report("minerals", "", QueryCounts(3, 3, 3, 0), tuple(QUERIES), systems))
    for name in RUNS:
        (folder / "runs" / name).mkdir(parents=True)
        write_run(folder / "runs" / name / "run.parquet", run_of(name))
    return folder


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A dataset whose texts and ids try what they can; its run is beside it, hostile-run.parquet."""
    queries = {"<b>q</b>": "<script>document.title='owned'</script> gold?", "\u202eq": "\u202egold\x00"}
    qrels = [("<b>q</b>", "s1", 1), ("\u202eq", "nowhere", 1)]
    ranked = {"<b>q</b>": [(doc, 9.0 - at) for at, doc in enumerate(HOSTILE)]}
    write_run(tmp_path / "hostile-run.parquet", Run.of("hostile", ranked))
    return write_dataset(tmp_path / "hostile", HOSTILE, queries, qrels)


@pytest.fixture
def mined(tmp_path: Path) -> Path:
    """Three mined rows with margins of 4.5, 1.0 and 8.0; the recipe asks 4."""
    folder = tmp_path / "minerals-mined"
    labels = [[6.0, 1.5, 1.0], [5.0, 0.0, 4.0], [9.0, 1.0, -3.0]]
    rows = {
        "query": ["What is fool's gold?", "Which ore gives lead?", "What is salt?"],
        "positive": ["Pyrite.", "Galena.", "Halite."],
        "negative_1": ["Gold.", "Pyrite.", "Gold."],
        "negative_2": ["Lead.", "Lead is soft. " * 100, "Lead."],
        "label": labels,
    }
    told = {
        "row": [0, 1, 2],
        "query-id": ["q1", "q2", "q3"],
        "positive-id": ["d1", "d3", "d4"],
        "negative-ids": [["d2", "d5"], ["d1", "d5"], ["d2", "d5"]],
        "retrievers": [["bm25:en", "bm25:en"]] * 3,
        "ranks": [[1, 60], [2, 1], [3, 4]],
        "scores": [[7.5, 0.5], [3.0, 4.0], [2.0, 1.0]],
        "logits": [label[1:] for label in labels],
        "chosen": [["margin", "extended"], ["margin", "top-up"], ["margin", "margin"]],
        "verdict": ["valid", "valid", "valid"],
        "quality_score": [0.8, 1.9, -1.8],
        "filtered_row": [1, 0, 2],
    }
    for name in ("n-tuples", "provenance"):
        (folder / name).mkdir(parents=True)
    write_parquet(folder / "n-tuples/train.parquet", pa.table(rows).cast(n_tuples_schema(2)))
    write_parquet(folder / "provenance/train.parquet", pa.table(told).cast(PROVENANCE))
    recipe = {"select": {"absolute_margin": 4.0, "num_negatives": 2}, "teacher": {"system": "rerank:judge"}}
    write_manifest(
        folder / "manifest.json", Manifest(kind="training", name="minerals-mined", language="en", recipe=recipe)
    )
    return folder


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    """Three suspicions about minerals: a pair, an ambiguous query, a leak."""
    folder = tmp_path / "audit"
    folder.mkdir()
    pair = {
        **{"item": "pair-1", "kind": "false negative", "query-id": "q1", "corpus-id": "d2", "positive-id": "d1"},
        **{"system": "second", "rank": 1, "score": 9.0, "logit": 4.25, "positive_logit": 3.5, "reason": "Found first."},
    }
    ambiguous = {"item": "query-1", "kind": "ambiguous", "query-id": "q2", "above": 7, "reason": "Seven are above."}
    leak = {"item": "leak-1", "kind": "leak", "query-id": "q3", "corpus-id": "d4", "reason": "The same text."}
    whole = [{name: row.get(name) for name in QUEUE.names} for row in (pair, ambiguous, leak)]
    write_queue(folder / "queue.parquet", pa.Table.from_pylist(whole, schema=QUEUE))
    told = {"schema": 1, "dataset": "minerals", "split": "test"}
    (folder / "audit.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


@pytest.fixture
def serve() -> Iterator[Callable[..., ViewerServer]]:
    """Serves what is at some paths until the test ends."""
    running = []

    def started(*paths: Path) -> ViewerServer:
        server = ViewerServer(open_paths(paths))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        running.append((server, thread))
        return server

    yield started
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()
