"""Builds that are killed, each in a process of its own: run as `python kill_me.py`, told of builds on stdin.

A line of stdin is one build as JSON: `recipe`, `out`, `work` and `workers`, or `command` (the arguments of `pyrite`);
`cache`, where the user's cache is; and `points`, as `kill_points.Points`. A line of stdout is how it ended: `code`, as
`subprocess` has it. The process imports everything once, starts no thread, and forks for each build. `dense:counted` in
a Nano recipe is an encoder that counts texts; the teacher of a mining recipe is replaced by one that counts pairs.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from dataclasses import dataclass
from typing import Any

import mine_me
import numpy as np
import pyarrow as pa
from kill_points import Points, Watch, install

import pyrite.cli.app
from pyrite.core import Corpus, Queries, Run
from pyrite.pipelines import build
from pyrite.preparation import digests, priorities, signed_parts
from pyrite.retrieval import make_retriever

WATCH: list[Watch] = []


@dataclass(frozen=True)
class Encoder:
    """Vectors of the letters of a text; counts every text that it is given."""

    name = "dense:counted"
    family = "dense"

    def settings(self) -> dict[str, Any]:
        return {"version": 1}

    def embed(self, texts: list[str]) -> np.ndarray:
        if WATCH:
            WATCH[0].count("texts encoded", len(texts))
        rows = [np.bincount(np.frombuffer(text.encode(), np.uint8), minlength=256)[97:123] + 1 for text in texts]
        vectors = np.array(rows, np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def index(self, corpus: Corpus) -> Encoded:
        return Encoded(self, corpus.ids.to_pylist(), self.embed(corpus.contents().to_pylist()))


@dataclass(frozen=True)
class Encoded:
    """A corpus of vectors; searched by numpy alone, so that no build waits for torch."""

    encoder: Encoder
    ids: list[str]
    vectors: np.ndarray

    def search(self, queries: Queries, depth: int) -> Run:
        rankings = {}
        scores = self.encoder.embed(queries.texts.to_pylist()) @ self.vectors.T
        for query_id, row in zip(queries.ids.to_pylist(), scores, strict=True):
            best = np.argsort(-row, kind="stable")[:depth]
            rankings[query_id] = [(self.ids[place], float(row[place])) for place in best]
        return Run.of(self.encoder.name, rankings)


def _make_retriever(spec: Any, **given: Any) -> Any:
    return Encoder() if spec.system == "dense:counted" else make_retriever(spec, **given)


def use_encoder() -> None:
    """From now on `dense:counted` is the encoder above, wherever a system is made."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pyrite.pipelines.") and hasattr(module, "make_retriever"):
            module.make_retriever = _make_retriever


def run(told: dict[str, Any]) -> None:
    points = Points(**told["points"])
    points.to_environment()
    if "cache" in told:
        os.environ["XDG_CACHE_HOME"] = told["cache"]
    WATCH.append(install(points, inside="main"))
    mine_me.use(mine_me.Counting(f"{points.work}.pairs"))
    use_encoder()
    if "command" in told:
        pyrite.cli.app.main(told["command"])
    else:
        build(told["recipe"], out=told["out"], work=told["work"], workers=told.get("workers", 1))


def serve() -> None:
    pyrite.cli.app.load_verbs()
    warm = pa.array(["what every build loads or compiles"], pa.large_string())
    priorities(digests(warm), 0)
    list(signed_parts(warm, threshold=0.8))
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                run(json.loads(line))
                code = 0
            except SystemExit as ended:
                code = int(ended.code or 0)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(json.dumps({"code": os.waitstatus_to_exitcode(status)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
elif __name__ == "__mp_main__" and (told := Points.from_environment()) is not None:
    WATCH.append(install(told, inside="worker"))
