"""Scores of pairs by models that encode the two sides apart are those of a search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Collection, TextPairs
from pyrite.retrieval.neural import EmbeddingScorer, NeuralRetriever, NeuralSettings, NeuralSystem


@pytest.mark.parametrize(("family", "kind"), [("dense", "dense"), ("sparse", "masked"), ("multi-vector", "dense")])
def test_a_pairs_score_is_that_of_the_search_times_the_scale(
    family: str, kind: str, make_model: Callable[..., Path], minerals: Collection
) -> None:
    system = NeuralSystem(family, str(make_model(kind)), NeuralSettings(scale=20.0))
    run = NeuralRetriever(system).index(minerals.corpus).search(minerals.queries, 60)
    found = {(query, hit.doc_id): hit.score for query, hits in run for hit in hits}
    chance = np.random.default_rng(3)
    queries, documents = chance.integers(0, 12, 50), chance.integers(0, 60, 50)
    pairs = TextPairs(minerals.queries, minerals.corpus, queries.astype(np.int32), documents.astype(np.int32))
    scores = EmbeddingScorer(system).score(pairs)
    asked = zip(queries, documents, strict=True)
    expected = [20 * found.get((f"q{query}", f"d{document}"), 0.0) for query, document in asked]
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected, rtol=1e-4, atol=1e-4)


def test_a_scorer_says_what_it_is_and_scores_nothing_of_nothing(
    make_model: Callable[..., Path], minerals: Collection
) -> None:
    own = EmbeddingScorer(NeuralSystem("dense", str(make_model("dense")), NeuralSettings(name="tiny")))
    none = np.zeros(0, np.int32)
    assert len(own.score(TextPairs(minerals.queries, minerals.corpus, none, none))) == 0
    assert (own.name, own.family) == ("dense:tiny", "dense")
    assert own.settings()["fingerprint"]
