"""How the systems that are made of models, or of other systems, are read from their short forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pyrite.core import RecipeError, Retriever, Scorer
from pyrite.retrieval.fused import Fusion
from pyrite.retrieval.fusion import K
from pyrite.retrieval.neural import (
    CrossEncoderScorer,
    EmbeddingScorer,
    NeuralRetriever,
    NeuralSettings,
    NeuralSystem,
    Reranker,
)
from pyrite.retrieval.neural.reranker import DEPTH
from pyrite.retrieval.short_forms import split, unwrapped
from pyrite.retrieval.system_spec import SystemSpec

Make = Callable[[str], Retriever]
"""Makes a system that another one names."""
USAGE: Mapping[str, str] = {
    "dense": "dense:MODEL[@REVISION][,max_length=256][,query_prompt=...]",
    "sparse": "sparse:MODEL[@REVISION]",
    "multi-vector": "multi-vector:MODEL[@REVISION]",
    "rerank": "rerank:MODEL[@REVISION][,over=SYSTEM][,depth=100]",
    "fusion": "fusion:rrf,of=SYSTEM+SYSTEM[,k=60][,name=NAME] (or fusion:weighted,of=...,weights=0.3+0.7)",
}


def neural_system(spec: SystemSpec, *, beside: tuple[str, ...] = ()) -> NeuralSystem:
    """The model and its settings, without those of `beside`, which are somebody else's.

    >>> neural_system(SystemSpec("dense:org/model@v1", {"max_length": "64"})).settings.revision
    'v1'
    """
    model = spec.argument
    if not model:
        raise RecipeError(f"{spec.family}: names no model", fix=f"write {USAGE[spec.family]}")
    settings = {key: value for key, value in spec.settings.items() if key not in beside}
    if "@" in model and not Path(model).is_dir():
        model, _, revision = model.rpartition("@")
        settings.setdefault("revision", revision)
    return NeuralSystem(spec.family, model, NeuralSettings.of(spec.family, settings, where=spec.system))


def neural(spec: SystemSpec) -> NeuralRetriever:
    """A dense, sparse or multi-vector retriever."""
    return NeuralRetriever(neural_system(spec))


def reranker(spec: SystemSpec, make: Make, first_stage: Retriever | None) -> Reranker:
    """A cross-encoder over the system that `over` names, else over `first_stage`, else over bm25."""
    system = neural_system(spec, beside=("over", "depth"))
    over = spec.settings.get("over")
    depth = _whole(spec, "depth") or DEPTH
    if over is not None:
        return Reranker(system, make(unwrapped(over)), depth)
    return Reranker(system, first_stage if first_stage is not None else make("bm25"), depth)


def fusion(spec: SystemSpec, make: Make) -> Fusion:
    """A fusion of the systems that `of` names."""
    usage = USAGE["fusion"]
    spec.only("of", "k", "weights", "depth", "name", usage=usage)
    if "of" not in spec.settings:
        raise RecipeError("a fusion names no systems", where=spec.system, fix=f"write {usage}")
    members = tuple(make(unwrapped(part)) for part in split(spec.settings["of"], "+"))
    weights = tuple(_number(spec, "weights", part) for part in spec.settings.get("weights", "").split("+") if part)
    k = _number(spec, "k", spec.settings["k"]) if "k" in spec.settings else K
    return Fusion(members, spec.argument or "rrf", weights, k, _whole(spec, "depth"), spec.settings.get("name"))


def neural_scorer(spec: SystemSpec) -> Scorer:
    """What scores pairs by a model: a reranker's logits, or how the two sides compare, times `scale`.

    >>> neural_scorer(SystemSpec("dense:org/model", {"scale": "20"})).name
    'dense:org/model'
    """
    system = neural_system(spec)
    return CrossEncoderScorer(system) if spec.family == "rerank" else EmbeddingScorer(system)


def _whole(spec: SystemSpec, key: str) -> int | None:
    text = spec.settings.get(key)
    if text is None:
        return None
    if not text.isdigit() or int(text) < 1:
        raise RecipeError(f"{key}={text} is not a whole number of 1 or more", where=spec.system)
    return int(text)


def _number(spec: SystemSpec, key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise RecipeError(f"{key}={spec.settings[key]} is not a number of 0 or more", where=spec.system)
    return value
