"""A corpus as a neural system searches it: dense vectors, sparse vectors, or token vectors that come and go."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Queries, Run
from pyrite.retrieval.neural.encoder import Encoder, Encoding, limit_of, share_cut
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.spreading import spread
from pyrite.retrieval.neural.store import first_places, text_digests
from pyrite.retrieval.neural.stored import StoredVectors, stored_sparse, stored_tokens, tokens_of
from pyrite.retrieval.neural.told import Told
from pyrite.retrieval.search import Hits, SparseVectors, TokenVectors, exact_search, maxsim_search


class NeuralIndex:
    """A corpus that a dense, sparse or multi-vector system searches; see `NeuralRetriever.index`."""

    def __init__(self, name: str, encoder: Encoder, corpus: Corpus) -> None:
        self._name, self._encoder, self._corpus = name, encoder, corpus
        contents = corpus.contents()
        # Token vectors of a large corpus are not kept: it is encoded when it is searched.
        kept = encoder.system.family != "multi-vector" or encoder.fits(contents)
        self._documents = encoder.encode(contents, "document") if kept else None

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query, then by corpus position; fewer where fewer match."""
        return self.search_and_tell(queries, depth)[0]

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        """The run, with the lengths and prompts of the model and the shares of texts that it cut."""
        if depth < 1:
            raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
        asked = self._encoder.encode(queries.texts, "query")
        shares = {"documents": self._documents.cut if self._documents is not None else None, "queries": asked.cut}
        fresh = asked.now + (self._documents.now if self._documents is not None else 0)
        if not len(queries) or not len(self._corpus):
            empty = np.zeros((len(queries), 0))
            hits = Hits(empty.astype(np.float32), empty.astype(np.int32), np.zeros(len(queries), np.int64))
        elif self._documents is None:
            passing = _Passing(self._encoder, self._corpus.contents())
            hits = self._by_tokens(asked, passing.tokens(), depth)
            shares["documents"], fresh = passing.cut(), fresh + passing.texts
        elif self._encoder.system.family == "dense":
            hits = self._by_vector(asked, self._documents, depth)
        elif self._encoder.system.family == "sparse":
            documents = SparseVectors(stored_sparse(self._documents.store, self._documents.rows))
            hits = documents.search(stored_sparse(asked.store, asked.rows), depth)
        else:
            distinct = self._documents.rows[np.unique(self._groups(), return_index=True)[1]]
            hits = self._by_tokens(asked, stored_tokens(self._documents.store, distinct), depth)
        truncated = {what: share for what, share in shares.items() if share is not None}
        return hits.run(self._name, queries.ids, self._corpus.ids), Told(self._encoder.used(), truncated, fresh)

    def _by_vector(self, asked: Encoding, documents: Encoding, depth: int) -> Hits:
        queries = StoredVectors(asked.store, asked.rows)
        matrix = np.asarray(queries.rows(0, len(queries)), np.float32)
        vectors = StoredVectors(documents.store, documents.rows)
        return exact_search(matrix, vectors, depth, device=self._device())

    def _by_tokens(self, asked: Encoding, documents: Iterator[TokenVectors], depth: int) -> Hits:
        """`documents` are the distinct texts of the corpus, by first occurrence."""
        parts = list(stored_tokens(asked.store, asked.rows))
        bounds = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.bounds) for part in parts)])
        queries = TokenVectors(np.concatenate([part.tokens for part in parts]), np.cumsum(bounds))
        mean = self._encoder.used()["similarity"] == "meanmaxsim"
        hits = maxsim_search(queries, documents, depth, mean=mean, device=self._device())
        return spread(hits, self._groups(), depth)

    def _groups(self) -> NDArray[np.int64]:
        """The number of each document's text, by first occurrence."""
        return _numbered(text_digests(self._corpus.contents()))

    def _device(self) -> str:
        device = load_model(self._encoder.system).devices[0]
        return device if device.startswith("cuda") else "cpu"


class _Passing:
    """A corpus whose token vectors are made, used and dropped."""

    def __init__(self, encoder: Encoder, contents: pa.ChunkedArray) -> None:
        self._encoder, self._contents = encoder, contents
        self._digests = text_digests(contents)
        self._flags: list[NDArray[np.int8]] = [np.zeros(0, np.int8)]
        self._limit = ""

    @property
    def texts(self) -> int:
        """How many have passed."""
        return sum(len(flags) for flags in self._flags)

    def tokens(self) -> Iterator[TokenVectors]:
        """The token vectors of the distinct texts, numbered by their first occurrence."""
        for shard in self._encoder.stream(self._contents, first_places(self._digests), "document"):
            first = self.texts
            self._flags.append(shard.column("cut").to_numpy())
            self._limit = limit_of(shard)
            yield tokens_of(shard, first)

    def cut(self) -> float | None:
        """The share of all documents that were cut, once all have passed."""
        flags = np.concatenate(self._flags)[_numbered(self._digests)]
        return share_cut(flags, f"{self._encoder.system.name} cuts", "documents", self._limit)


def _numbered(digests: pa.Array) -> NDArray[np.int64]:
    return np.asarray(digests.dictionary_encode().indices.to_numpy(), np.int64)
