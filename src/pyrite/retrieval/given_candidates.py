"""The candidate lists that a dataset carries, as a first stage for rerankers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyrite.core import Corpus, DataError, Run
from pyrite.formats import read_candidates
from pyrite.retrieval.given import GivenRunIndex


@dataclass(frozen=True)
class GivenCandidates:
    """The candidates of one split of a Nano dataset, as retrieved: without the documents that were forced in.

    Attributes:
        folder, split: where they are.
        config: which ones.
    """

    folder: Path
    split: str
    config: str = "bm25"

    @property
    def name(self) -> str:
        """What reports call it ("candidates:bm25")."""
        return f"candidates:{self.config}"

    @property
    def family(self) -> str:
        """Always "run"."""
        return "run"

    def settings(self) -> dict[str, Any]:
        """Which lists."""
        return {"candidates": self.config}

    def index(self, corpus: Corpus) -> GivenRunIndex:
        """The lists over this corpus; a document that the corpus lacks is a DataError."""
        given = read_candidates(self.folder, self.split, config=self.config)
        run = _without(given.run, {query: frozenset(docs) for query, docs in given.forced.items()})
        positions = corpus.positions(run.doc_ids)
        missing = np.flatnonzero(positions[run.positions] < 0)
        if len(missing):
            doc_id = run.doc_ids[int(run.positions[missing[0]])].as_py()
            raise DataError(f"candidate '{doc_id}' is not in the corpus", where=f"{self.folder}, {self.config}")
        return GivenRunIndex(self.name, run, corpus, positions)


def _without(run: Run, forced: dict[str, frozenset[str]]) -> Run:
    """The run without forced documents."""
    if not forced:
        return run
    queries = np.repeat(np.arange(len(run)), np.diff(run.offsets))
    ids, names = run.hit_ids().to_pylist(), run.query_ids.to_pylist()
    none: frozenset[str] = frozenset()
    kept = [doc_id not in forced.get(names[query], none) for doc_id, query in zip(ids, queries.tolist(), strict=True)]
    return run.keep(np.array(kept, np.bool_))
