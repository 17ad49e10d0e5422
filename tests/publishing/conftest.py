"""What the tests of publishing share: a benchmark folder of three queries and six documents."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import (
    Candidates,
    Collection,
    Corpus,
    Document,
    Estimate,
    Ledger,
    LedgerEntry,
    Qrels,
    Queries,
    Query,
    QueryCounts,
    Report,
    Run,
    SweepPoint,
    SystemReport,
)
from pyrite.formats import (
    CORPUS,
    LEAKS,
    QRELS,
    QUERIES,
    HakariDataset,
    Manifest,
    write_hakari,
    write_nano_split,
    write_parquet,
    write_report,
    write_run,
)
from pyrite.publishing import content_digest, seal, write_card

DOCUMENTS = {
    "p0": "Pyrite is iron sulfide; its brass colour earned it the name fool's gold.",
    "p1": "Galena is lead sulfide and the chief ore of lead.",
    "p2": "Quartz scratches glass.",
    "d0": "Gold is an element and does not rust.",
    "d1": "Halite is rock salt.",
    "d2": "Iron rusts in wet air.",
}
QUESTIONS = {"q0": "what is fool's gold?", "q1": "which mineral is the ore of lead?", "q2": "what is fool's gold?"}
PAIRS = [("q0", "p0", 1), ("q1", "p1", 1), ("q2", "p2", 1)]
LEAK_ROWS = [(0, "d0", "distractor"), (1, "p1", "gold"), (3, "d1", "distractor"), (4, "d2", "distractor")]

LEDGER = Ledger(
    (
        LedgerEntry("queries", "rows", 4, 3, {"empty question": 1}),
        LedgerEntry("gold passages", "rows", 4, 3, {"empty passage": 1}),
        LedgerEntry("distractors", "rows", 6, 3, {"identical to a gold passage": 1, "beyond the count": 2}),
    )
)

RECIPE: dict[str, Any] = {
    "kind": "benchmark",
    "name": "toy-minerals",
    "language": "en",
    "source": {"eval": {"path": "minerals/eval.parquet"}, "train": {"path": "org/minerals", "revision": "abc123"}},
    "queries": {"limit": 3, "headline": 2, "duplicates": "keep"},
    "distractors": {"count": 3, "choose": "first", "seed": 0},
    "dedup": {"identical": "exact"},
    "expect": {},
    "published": {"queries": 3, "words_per_document": 7.5, "nDCG@10": {"bm25": 0.9, "org/unseen": 0.8}},
    "credit": [
        {
            "name": "The Mineral Book",
            "url": "https://example.org/minerals",
            "license": "CC BY-SA 4.0",
            "role": "data",
            "bibtex": "@misc{minerals2025,\n  title={Minerals},\n  year={2025},\n}",
        },
        {"name": "A stemmer", "url": "", "license": "MIT", "role": "code", "bibtex": ""},
    ],
    "card": {
        "pretty_name": "Toy Minerals",
        "summary": "Questions on minerals, made by hand.",
        "tags": ["minerals"],
        "train_on": "org/minerals",
        "not_included": "",
        "notes": "",
        "canary": True,
        "license": "",
    },
    "evaluate": None,
}


def toy_manifest(**changes: Any) -> Manifest:
    values: dict[str, Any] = {
        "kind": "benchmark",
        "name": "toy-minerals",
        "language": "en",
        "recipe": RECIPE,
        "versions": {"pyrite": "0.1.0", "pyarrow": "26.0.1"},
        "protocol": {"headline_queries": 2, "remove_self": False, "template": "{title}\n\n{text}"},
        "counts": {"queries": 3, "gold": 3, "distractors": 3, "corpus": 6, "qrels": 3},
        "ledger": LEDGER.to_json(),
        "sources": {
            "eval": _source("minerals/eval.parquet", None, rows=4),
            "train": _source("org/minerals", "abc123", rows=6) | {"split": "train"},
        },
        "published": [],
        "facts": {},
        "content": {},
    }
    return Manifest(**(values | changes))


def _source(path: str, revision: str | None, *, rows: int) -> dict[str, Any]:
    return {"path": path, "revision": revision, "config": None, "split": None, "rows": rows, "digest": "0" * 32}


def toy_report() -> Report:
    values = {"nDCG@10": np.array([1.0, 0.5]), "R@100": np.array([1.0, 1.0])}
    measures = {"nDCG@10": Estimate(0.75, 0.5, 1.0), "R@100": Estimate(1.0, 1.0, 1.0)}
    settings = {"analyzer": "stemmer:en/english", "k1": 1.5, "b": 0.75}
    points = (
        SweepPoint("bm25:en", "nDCG@10", 0, 3, Estimate(1.0, 1.0, 1.0)),
        SweepPoint("bm25:en", "nDCG@10", 3, 6, Estimate(0.75, 0.5, 1.0)),
    )
    return Report(
        dataset="toy-minerals",
        split="test",
        queries=QueryCounts(total=3, selected=2, measured=2, without_positives=0),
        query_ids=("q0", "q1"),
        systems=(SystemReport("bm25:en", "lexical", settings, measures, values),),
        sweeps={"distractors": points},
        rules=("a judged query that the run lacks counts 0",),
        versions={"pyrite": "0.1.0"},
    )


def write_toy(folder: Path, *, results: bool = True, **changes: Any) -> Path:
    """The folder as a build leaves it before its card is written; `changes` are fields of the manifest."""
    for name in ("corpus", "queries", "qrels", "provenance"):
        (folder / name).mkdir(parents=True)
    texts = pa.table({"_id": list(DOCUMENTS), "text": list(DOCUMENTS.values())}, schema=CORPUS)
    write_parquet(folder / "corpus" / "corpus.parquet", texts)
    questions = pa.table({"_id": list(QUESTIONS), "text": list(QUESTIONS.values())}, schema=QUERIES)
    write_parquet(folder / "queries" / "queries.parquet", questions)
    write_parquet(folder / "qrels" / "test.parquet", rows(QRELS, PAIRS))
    write_parquet(folder / "provenance" / "leaks.parquet", rows(LEAKS, LEAK_ROWS))
    (folder / "recipe.toml").write_text('kind = "benchmark"\nname = "toy-minerals"\n', encoding="utf-8")
    if results:
        write_report(folder / "results", toy_report())
    seal(folder, toy_manifest(**changes), content_digest(folder))
    return folder


def rows(schema: pa.Schema, values: list[tuple[Any, ...]]) -> pa.Table:
    return pa.table([list(column) for column in zip(*values, strict=True)], schema=schema)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The toy folder, without a card."""
    return write_toy(tmp_path / "toy-minerals")


@pytest.fixture
def published(toy: Path) -> Path:
    """The toy folder with its card."""
    write_card(toy)
    return toy


@pytest.fixture
def make_toy(tmp_path: Path) -> Callable[..., Path]:
    """Makes a toy folder with other recipe tables (`card={...}`), or without results."""

    def make(*, results: bool = True, **tables: Any) -> Path:
        recipe = {key: RECIPE.get(key) for key in (*RECIPE, *tables)}
        for key, value in tables.items():
            recipe[key] = RECIPE[key] | value if isinstance(value, dict) else value
        return write_toy(tmp_path / "toy-minerals", results=results, recipe=recipe, language=recipe["language"])

    return make


@pytest.fixture
def put_rows() -> Callable[[Path, list[dict[str, Any]]], None]:
    """Writes a table of these rows over a file, in the types that the file has."""

    def put(path: Path, rows: list[dict[str, Any]]) -> None:
        write_parquet(path, pa.Table.from_pylist(rows, schema=pq.read_schema(path)))

    return put


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any connection of this process fails the test."""

    def refuse(*args: object) -> None:
        raise AssertionError(f"a connection was opened: {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


NANO_DOCUMENTS = {"d1": "Gold is soft.", "d2": "Quartz is hard.", "d3": "Pyrite shines like gold."}
NANO_RANKED = {"q1": [("d1", 2.0), ("d3", 1.0)], "q2": []}
NANO_FORCED = {"q2": ("d2",)}
NANO_LEDGER = Ledger(
    (
        LedgerEntry("duplicate texts", "documents", 5, 4, {"same text as an earlier one": 1}),
        LedgerEntry("judgements", "qrels", 4, 3, {"same pair after merging": 1}, ("conflict: query 'q1', ...",)),
    )
)
NANO_RECIPE: dict[str, Any] = {
    "kind": "nano",
    "name": "NanoToy",
    "nano": {
        "limit_queries": 200,
        "limit_documents": 10000,
        "positives_per_query": 1,
        "identical": "exact",
        "template": "{title}\n\n{text}",
        "fill": "none",
        "fill_depth": 1000,
        "order": "selection",
        "seed": 0,
        "guard": {"near": 0.8, "system": "", "margin": 0.0},
    },
    "bm25": {"depth": 100, "force_positives": True, "variant": "robertson", "k1": 1.5, "b": 0.75},
    "candidates": [],
    "split": [
        {"name": "en", "published": {"corpus": 4, "nDCG@10": 0.5}},
        {"name": "ja", "published": {}},
        {"name": "xx", "published": {}},
    ],
    "credit": [
        {"name": "Mineral Questions", "url": "https://example.org/minerals", "license": "CC BY-SA 4.0", "role": "data"}
    ],
    "card": {"pretty_name": "Nano Toy", "summary": "Questions on minerals.", "tags": ["minerals"], "canary": True},
}


def nano_collection(split: str) -> Collection:
    return Collection(
        split,
        split,
        Corpus.of(Document(doc_id, text) for doc_id, text in NANO_DOCUMENTS.items()),
        Queries.of([Query("q1", "what is soft?"), Query("q2", "zinc?")]),
        Qrels.of({"q1": {"d1": 1, "d3": 1}, "q2": {"d2": 1}}),
    )


def nano_metadata(split: str) -> dict[str, Any]:
    refused = [] if split == "en" else [{"split": "testB", "reason": "it does not exist"}]
    return {
        "name": split,
        "language": split,
        "source": {"path": "org/minerals", "revision": "abc123", "config": None, "task": f"{split}_queries"},
        "query_split": {"requested": "testB", "used": "dev" if refused else "testB", "refused": refused},
        "counts": {"queries": 2, "corpus": 3, "qrels": 3, "extra_qrels": 1},
        "candidates": {
            "bm25": {
                "system": f"bm25:{split}",
                "settings": {"analyzer": "wordseg:ja" if split == "ja" else "stemmer:en/english"},
                "positives": "forced",
                "forced": {query: list(docs) for query, docs in NANO_FORCED.items()},
                "positives_left_out": {},
                "short_lists": 2,
                "measures": {"nDCG@10": 0.5, "R@100": 0.75},
            }
        },
        "ledger": NANO_LEDGER.to_json(),
    }


def nano_candidates() -> Candidates:
    return Candidates(Run.of("bm25", {"q1": NANO_RANKED["q1"], "q2": [("d2", 0.0)]}), NANO_FORCED)


def write_nano_toy(folder: Path, **changes: Any) -> Path:
    """The folder as a build leaves it before its card is written; `changes` are fields of the manifest."""
    for split in ("en", "ja"):
        made = nano_collection(split)
        write_nano_split(
            folder, made, candidates={"bm25": nano_candidates()}, graded=made.qrels, metadata=nano_metadata(split)
        )
        (folder / "provenance/runs/bm25").mkdir(parents=True, exist_ok=True)
        write_run(folder / f"provenance/runs/bm25/{split}.parquet", Run.of("bm25", NANO_RANKED))
    write_hakari(folder / "hakari.yaml", HakariDataset("NanoToy", "NanoToy", {"en": "en", "ja": "ja"}, "Minerals."))
    values: dict[str, Any] = {
        "kind": "nano",
        "name": "NanoToy",
        "recipe": NANO_RECIPE,
        "versions": {"pyrite": "0.1.0"},
        "protocol": {"headline_queries": None, "remove_self": False, "template": "{title}\n\n{text}"},
        "counts": {"splits": 2, "queries": 4, "corpus": 6, "qrels": 6},
        "ledger": NANO_LEDGER.to_json(),
        "facts": {"skipped": [{"split": "xx", "source_task": "xx_queries", "reason": "testB: it does not exist"}]},
    }
    seal(folder, Manifest(**(values | changes)), content_digest(folder))
    return folder


@pytest.fixture
def nano_toy(tmp_path: Path) -> Path:
    """A Nano folder of two splits, one on a fallback query split, and a skipped task; without a card."""
    return write_nano_toy(tmp_path / "NanoToy")


@pytest.fixture
def make_nano_toy(tmp_path: Path) -> Callable[..., Path]:
    """Makes a Nano folder with other manifest fields."""
    return lambda **changes: write_nano_toy(tmp_path / "NanoToy", **changes)
