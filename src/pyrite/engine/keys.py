"""What identifies a piece of work: digests of plain values, and the key of one shard under one stage."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any


def digest_of(*parts: Any) -> str:
    """The blake2b digest of plain values, 32 hex characters, the same in every process and on every machine.

    Parts are what JSON can say: None, bool, int, float, str, lists or tuples, and mappings with string keys, whose
    order does not matter. TypeError for anything else, ValueError for a float that is not finite.

    >>> digest_of("bm25", {"k1": 1.5, "b": 0.75}) == digest_of("bm25", {"b": 0.75, "k1": 1.5})
    True
    >>> digest_of("1") == digest_of(1)
    False
    """
    return hashlib.blake2b(canonical(parts).encode(), digest_size=16).hexdigest()


def canonical(value: Any) -> str:
    """The one JSON text of a plain value: keys sorted, no spaces, ASCII only."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        if not math.isfinite(value):
            raise ValueError(f"{value!r} has no place in a digest or in facts: JSON has only finite numbers")
        return float(value)
    if isinstance(value, Mapping):
        # json.dumps would write the key 1 as "1", and two mappings would share a digest.
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is of type {type(key).__name__}; keys are strings")
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise TypeError(f"a {type(value).__name__} is not a plain value: use None, bool, int, float, str, list or dict")


@dataclass(frozen=True)
class WorkKey:
    """Everything that decides the output of one shard; its digest names the output.

    The digest is taken of these parts, so that a key that changed always shows as a part that changed.

    Attributes:
        stage, version: which code.
        params: parameter -> digest of its value.
        shard: digest of the input.

    >>> key = WorkKey.of("count", 1, {"unit": "words"}, "ab12")
    >>> key.digest == WorkKey.of("count", 2, {"unit": "words"}, "ab12").digest
    False
    """

    stage: str
    version: int
    params: Mapping[str, str]
    shard: str

    @classmethod
    def of(cls, stage: str, version: int, params: Mapping[str, Any], shard: str) -> WorkKey:
        """The key of a shard's digest under a stage and its parameters."""
        return cls(stage, version, {name: digest_of(value) for name, value in sorted(params.items())}, shard)

    @property
    def digest(self) -> str:
        """32 hex characters."""
        return digest_of(self.stage, self.version, self.params, self.shard)
