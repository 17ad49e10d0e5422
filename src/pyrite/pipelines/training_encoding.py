"""Pool and queries of a mining build, as the files that are encoded from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.pipelines.encoding import TextFile
from pyrite.pipelines.training_pool import BuiltPool
from pyrite.pipelines.training_stages import read_pool_corpus, read_pool_queries


def pool_texts(
    built: BuiltPool, *, query: NDArray[np.integer] | None = None, documents: NDArray[np.integer] | None = None
) -> Mapping[str, Sequence[TextFile]]:
    """Role -> its texts; `query`, `documents`: only these, of which one may be named more than once (None: all)."""
    return {
        role: [TextFile(file.path, read, None if rows is None else np.unique(rows))]
        for role, file, read, rows in (
            ("document", built.corpus_file, pool_documents, documents),
            ("query", built.queries_file, pool_queries, query),
        )
    }


def pool_documents(path: Path) -> pa.ChunkedArray:
    """The texts of a pool."""
    return read_pool_corpus(path).texts


def pool_queries(path: Path) -> pa.ChunkedArray:
    """The texts of its queries."""
    return read_pool_queries(path).texts
