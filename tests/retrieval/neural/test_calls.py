"""What a family's call gives: the model's own numbers, in the form that is stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.retrieval.neural import NeuralSettings, NeuralSystem
from pyrite.retrieval.neural.calls import columns_of, encode_call, similarity
from pyrite.retrieval.neural.loading import load_model

TEXTS = ["gold is soft", "what glitters?", "iron"]


def encoded(system: NeuralSystem, role: str = "document") -> list[np.ndarray]:
    model = load_model(system)
    return list(encode_call(system, model.first, role)(model.first, TEXTS))


def test_dense_vectors_are_those_of_the_model_with_prompt_and_dimensions(make_model: Callable[..., Path]) -> None:
    settings = NeuralSettings(query_prompt="what ", truncate_dim=8, normalize=False)
    system = NeuralSystem("dense", str(make_model("dense")), settings)
    own = load_model(system).first.encode(TEXTS, prompt="what ", truncate_dim=8)
    assert np.allclose(np.stack(encoded(system, "query")), own, atol=1e-6)
    unit = NeuralSystem("dense", str(make_model("dense")))
    assert np.allclose(np.linalg.norm(np.stack(encoded(unit)), axis=1), 1)


def test_sparse_vectors_are_the_terms_above_zero(make_model: Callable[..., Path]) -> None:
    system = NeuralSystem("sparse", str(make_model("masked")))
    own = load_model(system).first.encode_document(TEXTS, convert_to_sparse_tensor=False).numpy()
    for (terms, weights), row in zip(encoded(system), own, strict=True):
        assert terms.astype(int).tolist() == np.flatnonzero(row).tolist()
        assert np.allclose(weights, row[row != 0], atol=1e-6)


def test_token_vectors_are_one_a_token(make_model: Callable[..., Path]) -> None:
    system = NeuralSystem("multi-vector", str(make_model("dense")))
    assert [len(tokens) for tokens in encoded(system)] == [5, 5, 3]


def test_how_two_vectors_compare_is_the_models_word_unless_it_is_set(make_model: Callable[..., Path]) -> None:
    plain = NeuralSystem("dense", str(make_model("dense")))
    model = load_model(plain).first
    assert similarity(plain, model) == "cosine"
    assert similarity(NeuralSystem("dense", "m", NeuralSettings(normalize=False)), model) == "dot"

    class Far:
        similarity_fn_name = "euclidean"

    with pytest.raises(RecipeError, match="compares by euclidean distance"):
        similarity(plain, Far())
    assert similarity(NeuralSystem("dense", "m", NeuralSettings(normalize=True)), Far()) == "cosine"


def test_numbers_that_are_not_finite_or_too_long_for_float16_are_refused() -> None:
    class Broken:
        similarity_fn_name = "dot"

        def encode_document(self, texts, **_):
            import torch

            return torch.full((len(texts), 2), float("nan"))

    system = NeuralSystem("dense", "m", NeuralSettings(dtype="float16"))
    with pytest.raises(DataError, match="not finite"):
        encode_call(system, Broken(), "document")(Broken(), ["a"])
    with pytest.raises(DataError, match="too long for float16"):
        columns_of(system, "document", [np.array([70_000.0])])
