"""What every test may use."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

# A first example may compile a loop for seconds; the suite has no time limits.
hypothesis.settings.register_profile("pyrite", deadline=None)
hypothesis.settings.load_profile("pyrite")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The folder of real collections beside the checkout; a test that needs it skips where it is absent."""
    if not (SHARED / "collections.json").is_file():
        pytest.skip(f"real collections are not at {SHARED}")
    return SHARED


MINING_TEXTS = {
    "p1": "Pyrite shines.",
    "p2": "Gold shines too.",
    "p3": "Talc is soft.",
    "p4": "Silver shines.",
    "p5": "Diamond is hard.",
    "n1": "Coal is black.",
    "n2": "Clay is wet.",
    "n3": "Sand is loose.",
    "n4": "Ice is cold.",
    "n5": "Salt is white.",
    "n6": "Rust is red.",
}
MINING_QUERIES = [
    ("what shines?", ["p1", "p2"]),
    ("what is soft?", ["p3"]),
    ("what shines?", ["p4"]),
    ("what is hard?", ["p5"]),
]
MINING_RUN = {
    "q0": ["p1", "n1", "p4", "n2", "n3", "n4"],
    "q1": ["n1", "p3", "n2", "n3", "n4", "n5"],
    "q3": ["n5", "n6", "p5", "n1"],
}
MINING_LOGITS = {
    "q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 3.0, "n2": 1.0, "n3": 2.5, "n4": -1.003},
    "q1": {"p3": 5.0, "n1": 0.0, "n2": -2.0, "n3": -3.0, "n4": -4.0, "n5": -5.0},
    "q3": {"p5": 1.003, "n5": -1.0, "n6": -2.0, "n1": -3.0},
}
MINING_RECIPE: dict[str, Any] = {
    "kind": "training",
    "name": "minerals-mined",
    "language": "en",
    "source": {"queries": {"path": "queries.parquet"}, "corpus": {"path": "corpus.parquet"}},
    "retriever": [{"system": "run:run.parquet", "depth": 6}],
    "teacher": {"system": "scores:scores.parquet", "depth": 3},
    "select": {"num_negatives": 2, "absolute_margin": 4.0},
    "credit": [{"name": "The Mineral Book", "license": "CC BY 4.0"}],
}


@pytest.fixture
def make_mining(tmp_path: Path) -> Callable[..., Path]:
    """Writes the sources of a small mining recipe, worked out by hand, and returns its file.

    `texts`, `queries`, `run` and `logits` replace the tables; `tables` are merged into those of the recipe.
    """

    def made(
        *,
        texts: dict[str, str] = MINING_TEXTS,
        queries: list[tuple[str, list[str]]] = MINING_QUERIES,
        run: dict[str, list[str]] = MINING_RUN,
        logits: dict[str, dict[str, float]] = MINING_LOGITS,
        **tables: Any,
    ) -> Path:
        asked, relevant = zip(*queries, strict=True)
        pq.write_table(pa.table({"query": asked, "relevant": relevant}), tmp_path / "queries.parquet")
        pq.write_table(pa.table({"id": list(texts), "text": list(texts.values())}), tmp_path / "corpus.parquet")
        hits = [(query, doc, rank) for query, docs in run.items() for rank, doc in enumerate(docs, start=1)]
        scores = [(query, doc, logit) for query, docs in logits.items() for doc, logit in docs.items()]
        ranked = {"query-id": [h[0] for h in hits], "corpus-id": [h[1] for h in hits], "rank": [h[2] for h in hits]}
        falling = {**ranked, "score": [1.0 / hit[2] for hit in hits]}
        pq.write_table(pa.table(falling), tmp_path / "run.parquet")
        told = {"query-id": [s[0] for s in scores], "corpus-id": [s[1] for s in scores]}
        pq.write_table(pa.table({**told, "logit": [s[2] for s in scores]}), tmp_path / "scores.parquet")
        recipe = dict(MINING_RECIPE)
        for name, table in tables.items():
            held = recipe.get(name)
            recipe[name] = {**held, **table} if isinstance(held, dict) and isinstance(table, dict) else table
        path = tmp_path / "minerals.toml"
        path.write_text(tomlkit.dumps(recipe), encoding="utf-8")
        return path

    return made


@pytest.fixture
def mined_folder(make_mining: Callable[..., Path], tmp_path: Path) -> Path:
    """The small mining recipe, built."""
    from pyrite.pipelines import build

    return build(make_mining(), out=tmp_path / "minerals-mined", work=tmp_path / "work").folder
