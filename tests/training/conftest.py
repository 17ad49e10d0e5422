"""Tiny students, made here: word vectors, a transformer and a masked language model, all random and seeded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

WORDS = (
    *("pyrite", "gold", "iron", "sulfur", "quartz", "fool", "glitters", "soft", "hard", "mineral", "element"),
    *("cube", "vein", "river", "rock", "mine", "copper", "zinc", "lead", "silver", "ore", "heavy", "light", "blue"),
    *("green", "red", "which", "what", "where", "how", "is", "the", "of", "in", "a", "deep", "old", "new"),
)


@pytest.fixture(scope="session")
def make_student(make_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a random model: "static", "dense" or "masked"."""
    made: dict[str, Path] = {}

    def make(kind: str) -> Path:
        if kind not in made:
            static = kind == "static"
            made[kind] = (
                _word_vectors(make_model("dense"), tmp_path_factory.mktemp(kind)) if static else make_model(kind)
            )
        return made[kind]

    return make


def _word_vectors(transformer: Path, folder: Path) -> Path:
    """A vector of 16 numbers for each word piece of a model's tokenizer."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(transformer / "tokenizer.json"))
    vectors = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), 16)).astype(np.float32)
    static = StaticEmbedding(tokenizer, embedding_weights=vectors)
    SentenceTransformer(modules=[static], device="cpu").save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture
def write_set(tmp_path: Path) -> Callable[..., Path]:
    """Writes the tables of a mined set, as a mined folder has them: 12 rows of 3 negatives, all texts distinct.

    `labels`, `queries` and `short` replace what is there; no manifest is written.
    """

    def written(
        *,
        labels: Sequence[Sequence[float | None] | None] | pa.Array | None = None,
        queries: Sequence[str | None] | None = None,
        short: Sequence[tuple[str, str, list[str], list[float]]] = (),
        name: str = "mined",
    ) -> Path:
        chance = np.random.default_rng(7)
        texts = dict.fromkeys(" ".join(chance.choice(WORDS, 5)) for _ in range(80))
        told = iter(texts)
        asked = [next(told) for _ in range(12)] if queries is None else list(queries)
        columns = {"query": pa.array(asked, pa.string())}
        columns["positive"] = pa.array([next(told) for _ in asked])
        folder = tmp_path / name
        for config in ("pairs", "n-tuples"):
            (folder / config).mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), folder / "pairs" / "train.parquet")
        for place in range(3):
            columns[f"negative_{place + 1}"] = pa.array([next(told) for _ in asked])
        if labels is None:
            logits = np.column_stack([chance.uniform(4, 8, len(asked)), chance.uniform(-4, 0, (len(asked), 3))])
            labels = logits.round(2).tolist()
        columns["label"] = labels if isinstance(labels, pa.Array) else pa.array(labels, pa.list_(pa.float32()))
        pq.write_table(pa.table(columns), folder / "n-tuples" / "train.parquet")
        if short:
            (folder / "n-tuples-short").mkdir(exist_ok=True)
            kinds = {"query": pa.string(), "positive": pa.string(), "negatives": pa.list_(pa.string())}
            schema = pa.schema({**kinds, "label": pa.list_(pa.float32())})
            rows = [dict(zip(schema.names, row, strict=True)) for row in short]
            pq.write_table(pa.Table.from_pylist(rows, schema), folder / "n-tuples-short" / "train.parquet")
        return folder

    return written


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "datasets"))
