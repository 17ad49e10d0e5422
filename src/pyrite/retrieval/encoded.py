"""Texts that are encoded part by part, by whoever, and the systems that use what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from pyrite.core import Retriever, Scorer
from pyrite.retrieval.fused import Fusion
from pyrite.retrieval.neural import EmbeddingScorer, NeuralRetriever, NeuralSystem, Reranker
from pyrite.retrieval.neural.encoder import Encoder
from pyrite.retrieval.neural.store import first_places, text_digests, write_shard

System = TypeVar("System", Retriever, Scorer)
Encode = Callable[[NeuralSystem, str], tuple[Path, ...]]
"""(model, "query" or "document") -> the files that `write_encoded` wrote of all texts of that role."""


def write_encoded(system: NeuralSystem, texts: pa.ChunkedArray | pa.Array, role: str, out: Path) -> int:
    """Encode some texts into one file, each distinct one once; how many these are.

    Args:
        system: dense, sparse or multi-vector.
        texts: large_string, one or more.
        role: "query" or "document".
        out: the file.

    The bytes are decided by the arguments alone: no cache is read, and none is written.
    """
    shards = list(Encoder(system).stream(texts, first_places(text_digests(texts)), role))
    (joined,) = pa.Table.from_batches(shards).combine_chunks().to_batches()
    write_shard(joined, out)
    return len(joined)


def with_encoded(system: System, encode: Encode) -> System:
    """The same system with the files that `encode` gives for each model in it that encodes texts.

    The members of a fusion and a reranker's first stage are given theirs. A multi-vector retriever gets its queries
    alone: token vectors of a corpus are made, searched and dropped.
    """
    if isinstance(system, NeuralRetriever | EmbeddingScorer):
        dropped = isinstance(system, NeuralRetriever) and system.family == "multi-vector"
        documents = () if dropped else encode(system.system, "document")
        return replace(system, finished={"document": documents, "query": encode(system.system, "query")})
    if isinstance(system, Fusion):
        return replace(system, members=tuple(with_encoded(member, encode) for member in system.members))
    if isinstance(system, Reranker):
        return replace(system, over=with_encoded(system.over, encode))
    return system
