"""Texts as the models of a system encode them: in blocks, which any number of workers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Retriever, Scorer, taken
from pyrite.engine import Done, Engine, Shard, Stage, digest_of
from pyrite.preparation import digests
from pyrite.retrieval import NeuralSystem, with_encoded, write_encoded

BLOCK = 8192
"""Texts of a block at most: what a kill costs. It is less than half of that on average."""

System = TypeVar("System", Retriever, Scorer)


@dataclass(frozen=True, eq=False)
class TextFile:
    """Texts in a file, for whoever reads them there.

    Attributes:
        path: of the file.
        read: the path -> its texts, large_string; a module-level function that keeps them for the next block.
        rows: int64, which of them; None: all.
    """

    path: Path
    read: Callable[[Path], pa.ChunkedArray]
    rows: NDArray[np.integer] | None = None

    def blocks(self) -> Iterator[tuple[TextFile, str]]:
        """The texts in blocks, each with its digest."""
        texts = self.read(self.path)
        rows = np.arange(len(texts)) if self.rows is None else self.rows
        for block, digest in blocks(texts, rows, BLOCK):
            yield replace(self, rows=block), digest


def encode_block(block: tuple[NeuralSystem, str, TextFile], params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Encode the distinct texts of one block, by themselves, with a model and as a role."""
    system, role, file = block
    assert file.rows is not None
    return {"texts": write_encoded(system, taken(file.read(file.path), file.rows), role, out)}


ENCODE = Stage("encode", 1, encode_block, suffix=".arrow", model=True)


def encoded_for(system: System, texts: Mapping[str, Sequence[TextFile]], engine: Engine) -> tuple[System, list[str]]:
    """The system with these texts encoded for every model in it, and the digests of what was encoded.

    Args:
        system: a retriever or a scorer; one without a model that encodes texts is returned as it is, with no digest.
        texts: role ("document", "query") -> the texts of that role.
        engine: whose workers share the blocks.
    """
    found: list[Done] = []

    @cache
    def finished(model: NeuralSystem, role: str) -> tuple[Path, ...]:
        key = [role, model.fingerprint(role), model.told()["versions"], model.settings.batch_size]
        cut = [block for file in texts[role] for block in file.blocks()]
        shards = [
            Shard(
                f"{model.name}, {role} texts, block {number}",
                digest_of(digest, *key),
                (model, role, block),
                {"texts": digest, "model": key},
            )
            for number, (block, digest) in enumerate(cut)
        ]
        done = engine.run(ENCODE, shards, {})
        found.extend(done)
        return tuple(one.path for one in done)

    return with_encoded(system, finished), [one.digest for one in found]


def blocks(texts: pa.ChunkedArray, rows: NDArray[np.integer], most: int) -> Iterator[tuple[NDArray[np.int64], str]]:
    """Rows in blocks of at most so many, in their order, each with the digest of its texts.

    A block ends behind a text whose own digest says so: a text that is added, changed or removed makes its block
    another, and perhaps the next, and leaves all further ones what they are.

    >>> texts = pa.chunked_array([pa.array(["gold", "iron", "talc"], pa.large_string())])
    >>> [rows.tolist() for rows, _ in blocks(texts, np.array([0, 2]), 8192)]
    [[0, 2]]
    """
    parts = (taken(texts, rows[at : at + most]) for at in range(0, len(rows), most))
    keys = np.concatenate([np.zeros((0, 2), np.uint64), *(digests(part.combine_chunks()) for part in parts)])
    ends = [*(np.flatnonzero(keys[:, 0] % np.uint64(most // 2) == 0) + 1).tolist(), len(keys)]
    start = 0
    for end in ends:
        while start < end:
            stop = min(start + most, end)
            yield rows[start:stop].astype(np.int64), digest_of(keys[start:stop].tobytes().hex())
            start = stop
