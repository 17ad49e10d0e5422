"""Files of encoded texts: each text once, nothing of a cache, and every model of a system is given its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import Corpus, Document, Queries, Query, TextPairs
from pyrite.retrieval import (
    BM25,
    EmbeddingScorer,
    Fusion,
    NeuralRetriever,
    NeuralSystem,
    Reranker,
    with_encoded,
    write_encoded,
)
from pyrite.retrieval.neural.encoder import Encoder

Make = Callable[..., Path]
TEXTS = ["gold is soft", "the old mine", "gold is soft", "iron", "a vein of copper ore"]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))


def column(texts: list[str]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(texts, pa.large_string())])


@pytest.mark.parametrize(("family", "kind"), [("dense", "dense"), ("sparse", "masked"), ("multi-vector", "dense")])
def test_scores_from_files_are_those_of_a_cache(family: str, kind: str, make_model: Make, tmp_path: Path) -> None:
    system = NeuralSystem(family, str(make_model(kind)))
    queries = Queries.of([Query("q0", "which mineral is soft?"), Query("q1", "old ore")])
    corpus = Corpus.of([Document(f"d{row}", text) for row, text in enumerate(TEXTS)])
    paths = {"document": tmp_path / "documents.arrow", "query": tmp_path / "queries.arrow"}
    assert write_encoded(system, corpus.contents(), "document", paths["document"]) == 4
    assert write_encoded(system, queries.texts, "query", paths["query"]) == 2
    assert not (tmp_path / "cache").exists()
    pairs = TextPairs(queries, corpus, np.repeat([0, 1], 5).astype(np.int32), np.tile(np.arange(5, dtype=np.int32), 2))
    teacher = with_encoded(EmbeddingScorer(system), lambda _, role: (paths[role],))
    scores = teacher.score(pairs)
    run = with_encoded(NeuralRetriever(system), lambda _, role: (paths[role],)).index(corpus).search(queries, 5)
    assert not (tmp_path / "cache").exists()
    assert np.array_equal(scores, EmbeddingScorer(system).score(pairs))
    cached = NeuralRetriever(system).index(corpus).search(queries, 5)
    assert run.positions.tolist() == cached.positions.tolist()
    # Token vectors come to the product in another layout from memory that can't be written to.
    near = 1e-6 if family == "multi-vector" else 0
    assert run.scores.tolist() == pytest.approx(cached.scores.tolist(), rel=near, abs=0)


def test_a_text_that_no_file_has_is_encoded_beside_them(make_model: Make, tmp_path: Path) -> None:
    system = NeuralSystem("dense", str(make_model("dense")))
    write_encoded(system, column(TEXTS[:2]), "document", tmp_path / "one.arrow")
    write_encoded(system, column(TEXTS[1:4]), "document", tmp_path / "two.arrow")
    encoder = Encoder(system, finished={"document": (tmp_path / "one.arrow", tmp_path / "two.arrow")})
    found = encoder.encode(column([*TEXTS, "gold"]), "document")
    # What two files have counts in the first.
    assert found.rows.tolist() == [0, 1, 0, 3 + 1, 5, 6]
    assert (found.before, found.now, found.cut) == (3, 2, 0.0)


def test_every_model_of_a_system_is_given_its_files(make_model: Make) -> None:
    dense, sparse, tokens = (
        NeuralRetriever(NeuralSystem(family, str(make_model(kind))))
        for family, kind in (("dense", "dense"), ("sparse", "masked"), ("multi-vector", "dense"))
    )
    bm25 = BM25("en")
    cross = NeuralSystem("rerank", str(make_model("cross")))
    system = Reranker(cross, Fusion((bm25, dense, Fusion((sparse, tokens)))))
    asked = []

    def encode(model: NeuralSystem, role: str) -> tuple[Path, ...]:
        asked.append((model.family, role))
        return (Path(f"{model.family}-{role}"),)

    made = with_encoded(system, encode)
    assert (made.name, made.settings()) == (system.name, system.settings())
    first, second, third = made.over.members
    assert first is bm25
    assert second.finished == {"document": (Path("dense-document"),), "query": (Path("dense-query"),)}
    # Token vectors of a corpus are not kept.
    assert third.members[1].finished == {"document": (), "query": (Path("multi-vector-query"),)}
    assert len(asked) == 5
    given = CrossOnly()
    assert with_encoded(given, encode) is given


class CrossOnly:
    """A scorer without texts to encode apart."""

    name = "cross"

    def score(self, pairs: TextPairs) -> np.ndarray:
        raise NotImplementedError
