"""A head that nobody trained never makes a number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.retrieval.neural import NeuralSystem
from pyrite.retrieval.neural.loading import load_model


def kinds(family: str, folder: Path) -> list[str]:
    return [type(module).__name__ for module in load_model(NeuralSystem(family, str(folder))).first]


def test_a_random_projection_of_token_vectors_is_taken_out(make_model: Callable[..., Path]) -> None:
    model = load_model(NeuralSystem("multi-vector", str(make_model("dense")))).first
    assert [type(module).__name__ for module in model] == ["Transformer", "MultiVectorMask", "Normalize"]
    assert model.encode_document(["gold"])[0].shape == (3, 32)


def test_a_saved_projection_stays(make_model: Callable[..., Path], tmp_path: Path) -> None:
    from sentence_transformers import MultiVectorEncoder

    MultiVectorEncoder(str(make_model("dense")), device="cpu").save(str(tmp_path / "late"), create_model_card=False)
    assert kinds("multi-vector", tmp_path / "late") == ["Transformer", "Dense", "MultiVectorMask", "Normalize"]


def test_a_dense_model_is_no_sparse_one(make_model: Callable[..., Path], tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(str(make_model("dense")), device="cpu").save(str(tmp_path / "dense"), create_model_card=False)
    with pytest.raises(DataError, match="a random sparse head would be added; use it as dense:"):
        load_model(NeuralSystem("sparse", str(tmp_path / "dense")))
    assert kinds("sparse", make_model("masked")) == ["Transformer", "SpladePooling"]


def test_an_encoder_is_no_reranker(make_model: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match="no trained head for pairs"):
        load_model(NeuralSystem("rerank", str(make_model("dense"))))
    assert kinds("rerank", make_model("cross")) == ["Transformer"]
