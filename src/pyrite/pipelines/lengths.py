"""One system at several maximum lengths: what cutting texts costs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyrite.core import Retriever
from pyrite.pipelines.searching import retriever_of
from pyrite.retrieval import NeuralRetriever, Reranker, SystemSpec, parse_system

NEURAL = ("dense", "sparse", "multi-vector", "rerank")


def at_lengths(
    system: str | Retriever,
    lengths: Sequence[int],
    *,
    language: str,
    texts: Sequence[str] = (),
    base: Path | None = None,
) -> list[tuple[int, str | Retriever]]:
    """The system once for each length that its model can read, ascending; empty for a system that cuts nothing.

    At the length that it reads anyway it is the system as it was given. `language`, `texts` and `base` are as
    `retriever_of` takes them.
    """
    if not lengths or (isinstance(system, str) and parse_system(system).family not in NEURAL):
        return []
    made = retriever_of(system, language, texts=texts, base=base)
    if not isinstance(made, NeuralRetriever | Reranker):
        return []
    longest = made.longest()
    kept = [length for length in sorted(set(lengths)) if longest is None or length <= longest]
    left_out = ", ".join(f"{length:,}" for length in sorted(set(lengths) - set(kept)))
    if left_out:
        warnings.warn(
            f"{made.name} reads {longest:,} tokens at most, so it is not measured at {left_out}", stacklevel=2
        )
    return [(length, system if made.reads(length) else _cut(system, length)) for length in kept]


def _cut(system: str | Retriever, length: int) -> str | Retriever:
    if isinstance(system, str):
        spec = parse_system(system)
        return SystemSpec(spec.system, {**spec.settings, "max_length": str(length)}).text
    assert isinstance(system, NeuralRetriever | Reranker)
    settings = replace(system.system.settings, max_length=length)
    return replace(system, system=replace(system.system, settings=settings))
