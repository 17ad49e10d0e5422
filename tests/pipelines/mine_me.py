"""A mining build with a teacher that counts what it sees: run as `python mine_me.py RECIPE OUT WORK LOG DIE_AT`.

The teacher writes every pair that it scores into LOG, and ends its process with SIGKILL when it is given block DIE_AT
(0: never), before it scores anything of it.
"""

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyrite.core import TextPairs
from pyrite.pipelines import build, training_scoring, training_systems

BLOCK = 16
"""Pairs a block: small, so that a small build has several."""


@dataclass(frozen=True)
class Counting:
    """A teacher that scores by the digits of the ids, and writes down each pair of texts."""

    log: str
    die_at: int = 0
    name = "counting"
    family = "other"

    def settings(self) -> dict[str, Any]:
        return {"version": 1}

    def score(self, pairs: TextPairs) -> np.ndarray:
        log = Path(self.log)
        blocks = log.read_text().count("block\n") if log.is_file() else 0
        if self.die_at and blocks + 1 == self.die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        queries, documents = pairs.queries.texts.to_pylist(), pairs.corpus.texts.to_pylist()
        logits = []
        with log.open("a", encoding="utf-8") as file:
            file.write("block\n")
            for query, document in zip(pairs.query_positions, pairs.doc_positions, strict=True):
                asked, text = queries[query], documents[document]
                file.write(f"{asked}\t{text}\n")
                same = asked.split()[-1].strip("?") in text.split()
                logits.append(7.1 if same else -(len(text) % 7) - 0.3)
        return np.array(logits, np.float32)


def use(teacher: Counting, block: int = BLOCK) -> None:
    """From now on recipes get this teacher, and blocks of this size."""
    training_systems.make_scorer = lambda *_: teacher  # type: ignore[assignment]
    training_scoring.BLOCK = block


if __name__ == "__main__":
    recipe, out, work, log, die_at = sys.argv[1:]
    use(Counting(log, int(die_at)))
    build(recipe, out=out, work=work)
