"""Heads that sentence-transformers adds to a checkpoint without one start at random; no number may rest on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyrite.core import DataError


def trained_only(family: str, model: Any, folder: Path) -> Any:
    """The model without a random projection of its token vectors; DataError where nothing is left without the head.

    Args:
        family: of the system. model: as sentence-transformers loaded it.
        folder: where it was loaded from.
    """
    kinds = [type(module).__name__ for module in model]
    saved = _saved_modules(folder)
    if family == "multi-vector" and "Dense" in kinds and "Dense" not in saved and not _is_late(folder):
        return _without_projection(model)
    if family == "sparse" and "SparseAutoEncoder" in kinds and "SparseAutoEncoder" not in saved:
        raise DataError(
            "is a dense model, to which a random sparse head would be added",
            where=folder.name,
            fix="use it as dense:, or name a trained sparse model",
        )
    if family == "rerank" and kinds == ["Transformer"] and not _has_pair_head(folder):
        raise DataError(
            "has no trained head for pairs, so that its scores would be random",
            where=folder.name,
            fix="name a cross-encoder",
        )
    return model


def _without_projection(model: Any) -> Any:
    from sentence_transformers import MultiVectorEncoder

    kept = [module for module in model if type(module).__name__ != "Dense"]
    bare = MultiVectorEncoder(modules=kept, device=str(model.device), prompts=dict(model.prompts))
    bare.default_prompt_name = model.default_prompt_name
    bare.similarity_fn_name = model.similarity_fn_name
    return bare


def _saved_modules(folder: Path) -> set[str]:
    path = folder / "modules.json"
    if not path.is_file():
        return set()
    return {str(module["type"]).rsplit(".", 1)[-1] for module in json.loads(path.read_text(encoding="utf-8"))}


def _architectures(folder: Path) -> list[str]:
    path = folder / "config.json"
    held = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return [str(name) for name in held.get("architectures") or []]


def _is_late(folder: Path) -> bool:
    """Checkpoints that carry their projection in the weights of the transformer."""
    return any(name == "HF_ColBERT" or name.endswith("ForRetrieval") for name in _architectures(folder))


def _has_pair_head(folder: Path) -> bool:
    names = _architectures(folder)
    return not names or any(name.endswith("ForSequenceClassification") for name in names)
