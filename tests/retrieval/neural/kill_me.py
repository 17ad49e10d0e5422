"""Encoding that is killed from outside: run as `python kill_me.py CACHE TEXTS`; the model is a slow stand-in.

What is under test is the way from texts to shards, which is the same for every model.
"""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.retrieval.neural import NeuralSystem, encoder
from pyrite.retrieval.neural.loading import LoadedModel


class Counter:
    """Says that a text has as many tokens as characters, and that six are read."""

    limit, sure = 6, True

    def __init__(self, *_: Any) -> None: ...

    def counts(self, texts: list[str]) -> np.ndarray:
        return np.array([len(text) for text in texts], np.int64)

    def read(self, counts: np.ndarray) -> np.ndarray:
        return np.minimum(counts, self.limit)

    def is_cut(self, counts: np.ndarray) -> np.ndarray:
        return counts > self.limit


def slow(_: Any, texts: list[str]) -> list[np.ndarray]:
    time.sleep(PAUSE)
    return [np.array([len(text), sum(text.encode()) % 97, 1.0], np.float32) for text in texts]


class Files:
    digest = "tiny"


class Stand(NeuralSystem):
    """A system without files."""

    files = Files()


PAUSE = 0.0


def encode(cache: Path, texts: int, pause: float = 0.0) -> encoder.Encoding:
    global PAUSE
    PAUSE = pause
    encoder.load_model = lambda _: LoadedModel((None,), ("cpu",), (None, None, None), None)
    encoder.TokenCounter = Counter
    encoder.encode_call = lambda *_: slow
    encoder.TEXTS = 50
    given = pa.chunked_array([pa.array([f"text {number}" for number in range(texts)], pa.large_string())])
    return encoder.Encoder(Stand("dense", "tiny"), cache).encode(given, "document")


if __name__ == "__main__":
    encode(Path(sys.argv[1]), int(sys.argv[2]), pause=0.15)
