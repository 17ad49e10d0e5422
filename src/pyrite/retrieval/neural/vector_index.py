"""Dense vectors that anyone made, as an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, Queries, Run
from pyrite.retrieval.search import ArrayVectors, Vectors, exact_search


class VectorIndex:
    """A corpus of dense vectors with a way to embed queries: what a system of one's own returns.

    Args:
        name: of the system.
        doc_ids: by corpus position.
        vectors: float16 or float32 (documents, dimensions), or `Vectors`.
        embed: texts -> float32 (texts, dimensions), compared by inner product.

    >>> from pyrite.core import Query
    >>> letters = lambda texts: np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)
    >>> index = VectorIndex("letters", pa.array(["d1", "d2"]), letters(["abb", "aab"]), letters)
    >>> [hit.doc_id for hit in index.search(Queries.of([Query("q", "a")]), 10)["q"]]
    ['d2', 'd1']
    """

    def __init__(
        self,
        name: str,
        doc_ids: pa.ChunkedArray | pa.Array,
        vectors: NDArray[np.floating] | Vectors,
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
    ) -> None:
        self._name, self._doc_ids, self._embed = name, doc_ids, embed
        self._vectors: Vectors = ArrayVectors(vectors) if isinstance(vectors, np.ndarray) else vectors
        if len(self._vectors) != len(doc_ids):
            raise DataError(f"{len(self._vectors)} vectors and {len(doc_ids)} documents do not align", where=name)

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query by inner product, then by corpus position."""
        asked = np.asarray(self._embed(queries.texts.to_pylist()), np.float32).reshape(len(queries), -1)
        if not np.isfinite(asked).all():
            raise DataError("a query's vector has numbers that are not finite", where=self._name)
        return exact_search(asked, self._vectors, depth).run(self._name, queries.ids, self._doc_ids)
