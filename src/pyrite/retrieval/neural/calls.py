"""What is called of sentence-transformers for each family, and the columns that its numbers are stored in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, RecipeError
from pyrite.retrieval.neural.stored import dense_column, sparse_columns, token_column
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.search import SparseRows

Encoded = Sequence[NDArray[Any]]
"""One array a text: a vector; (2, terms) of term and weight; or (tokens, dimensions)."""


def encode_call(system: NeuralSystem, model: Any, role: str) -> Callable[[Any, list[str]], Encoded]:
    """The call that encodes a batch of texts of one role ("query" or "document") with a copy of the model.

    RecipeError where the model compares in a way that an inner product can't follow.
    """
    made = {"dense": _dense, "sparse": _sparse, "multi-vector": _tokens}[system.family](system, model, role)

    def call(copy: Any, texts: list[str]) -> Encoded:
        found = made(copy, texts)
        for text, numbers in zip(texts, found, strict=True):
            if not np.isfinite(numbers).all():
                raise DataError(
                    "the model gives numbers that are not finite",
                    where=f"{system.name}, text '{text[:60]}'",
                    fix="use dtype=float32",
                )
        return found

    return call


def similarity(system: NeuralSystem, model: Any) -> str:
    """How two vectors are compared: "cosine", "dot", "maxsim" or "meanmaxsim"; RecipeError for another way."""
    said = str(model.similarity_fn_name)
    if system.settings.normalize and system.family != "multi-vector":
        return "cosine"
    if said not in ("cosine", "dot", "maxsim", "meanmaxsim"):
        raise RecipeError(
            f"the model compares by {said} distance, and a search by inner product can't follow",
            where=system.name,
            fix="set normalize=true to compare by cosine",
        )
    if system.settings.normalize is False and said == "cosine":
        return "dot"
    return said


def columns_of(system: NeuralSystem, role: str, encoded: Encoded) -> dict[str, pa.Array]:
    """The columns of a shard: float32, and for documents of a system of half precision float16."""
    half = role == "document" and system.settings.dtype in ("float16", "bfloat16")
    kind = np.float16 if half else np.float32
    if system.family == "dense":
        return {"vector": dense_column(_fitting(system, np.stack(encoded), kind))}
    if system.family == "sparse":
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum([numbers.shape[1] for numbers in encoded])])
        joined = np.concatenate(encoded, axis=1)
        terms, weights = sparse_columns(SparseRows(bounds, joined[0].astype(np.int32), joined[1].astype(np.float32)))
        return {"terms": terms, "weights": weights}
    return {"tokens": token_column([_fitting(system, numbers, kind) for numbers in encoded], encoded[0].shape[1])}


def _fitting(system: NeuralSystem, numbers: NDArray[Any], kind: type[np.floating[Any]]) -> NDArray[np.floating]:
    if kind is np.float16 and np.abs(numbers).max(initial=0) > np.finfo(np.float16).max:
        raise DataError(
            "the model's vectors are too long for float16", where=system.name, fix="set normalize=true to shorten them"
        )
    fitting: NDArray[np.floating] = numbers.astype(kind)
    return fitting


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows.astype(np.float64), axis=-1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
    return unit


def _common(system: NeuralSystem, role: str, texts: list[str]) -> dict[str, Any]:
    prompt = system.settings.prompt_of(role)
    return {"prompt": prompt, "batch_size": len(texts), "show_progress_bar": False}


def _method(copy: Any, role: str) -> Any:
    return copy.encode_query if role == "query" else copy.encode_document


def _dense(system: NeuralSystem, model: Any, role: str) -> Callable[[Any, list[str]], Encoded]:
    cosine = similarity(system, model) == "cosine"

    def call(copy: Any, texts: list[str]) -> Encoded:
        encoded = _method(copy, role)(
            texts,
            convert_to_tensor=True,
            truncate_dim=system.settings.truncate_dim,
            **_common(system, role, texts),
        )
        rows = encoded.float().cpu().numpy()
        return list(_unit(rows) if cosine else rows)

    return call


def _sparse(system: NeuralSystem, model: Any, role: str) -> Callable[[Any, list[str]], Encoded]:
    cosine = similarity(system, model) == "cosine"

    def call(copy: Any, texts: list[str]) -> Encoded:
        encoded = _method(copy, role)(texts, convert_to_sparse_tensor=False, **_common(system, role, texts)).float()
        row, term = (part.cpu().numpy() for part in encoded.nonzero(as_tuple=True))
        weights = encoded[encoded != 0].cpu().numpy()
        cuts = np.cumsum(np.bincount(row, minlength=len(texts)))[:-1]
        terms, held = np.split(term, cuts), np.split(weights, cuts)
        # In float64 a term's number and its weight are both exact.
        return [
            np.stack([own.astype(np.float64), (_unit(these) if cosine else these).astype(np.float64)])
            for own, these in zip(terms, held, strict=True)
        ]

    return call


def _tokens(system: NeuralSystem, model: Any, role: str) -> Callable[[Any, list[str]], Encoded]:
    similarity(system, model)

    def call(copy: Any, texts: list[str]) -> Encoded:
        encoded = _method(copy, role)(
            texts, normalize_embeddings=bool(system.settings.normalize), **_common(system, role, texts)
        )
        return [tokens.float().cpu().numpy() for tokens in encoded]

    return call
