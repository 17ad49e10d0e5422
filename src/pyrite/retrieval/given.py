"""Rankings that were made elsewhere, as a system like any other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.core import Corpus, DataError, Queries, Run
from pyrite.engine import digest_file


@dataclass(frozen=True)
class GivenRun:
    """A run file (TREC or Parquet) that answers searches with what it holds.

    Attributes:
        path: the file; it is read when a corpus is indexed.
    """

    path: Path

    @property
    def name(self) -> str:
        """The file's name without its ending ("run:mine")."""
        return f"run:{self.path.stem}"

    @property
    def family(self) -> str:
        """Always "run"."""
        return "run"

    def settings(self) -> dict[str, Any]:
        """The file's name, and the digest of what it says."""
        return told_file(self.path)

    def index(self, corpus: Corpus) -> GivenRunIndex:
        """The file's rankings over this corpus; a document that the corpus lacks is a DataError."""
        from pyrite.formats import read_run

        run = read_run(self.path)
        positions = corpus.positions(run.doc_ids)
        missing = np.flatnonzero(positions[run.positions] < 0)
        if len(missing):
            doc_id = run.doc_ids[int(run.positions[missing[0]])].as_py()
            raise DataError(
                f"document '{doc_id}' is not in the corpus",
                where=str(self.path),
                fix="give the corpus that the run was made on",
            )
        return GivenRunIndex(self.name, run, corpus, positions)


class GivenRunIndex:
    """A run over a corpus; see `GivenRun.index`."""

    def __init__(self, name: str, run: Run, corpus: Corpus, positions: np.ndarray[Any, np.dtype[np.int32]]) -> None:
        self._name, self._run, self._corpus, self._positions = name, run, corpus, positions

    def search(self, queries: Queries, depth: int) -> Run:
        """The first `depth` documents that the file has for each query; none for a query that it lacks."""
        rows_of = {query_id: row for row, query_id in enumerate(self._run.query_ids.to_pylist())}
        rows: list[np.ndarray[Any, np.dtype[np.int64]]] = []
        for query_id in queries.ids.to_pylist():
            row = rows_of.get(query_id)
            start, stop = (0, 0) if row is None else (int(self._run.offsets[row]), int(self._run.offsets[row + 1]))
            rows.append(np.arange(start, min(stop, start + depth)))
        taken = np.concatenate([*rows, np.zeros(0, np.int64)]).astype(np.int64)
        return Run(
            self._name,
            query_ids=queries.ids,
            offsets=np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
            positions=self._positions[self._run.positions[taken]],
            doc_ids=pa.chunked_array(self._corpus.ids.chunks, pa.large_string()),
            scores=self._run.scores[taken],
        )


def told_file(path: Path) -> dict[str, Any]:
    """What decides a system that is a file: two of one name are told apart by what is in them."""
    if not path.is_file():
        return {"file": path.name}
    stat = path.stat()
    return {"file": path.name, "digest": _digest(path.resolve(), stat.st_size, stat.st_mtime_ns)}


@lru_cache(maxsize=256)
def _digest(path: Path, _size: int, _time: int) -> str:
    return digest_file(path)
