"""A BM25 index: a corpus that is searched by threads, in one total order, and kept in a folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from pyrite.core import DataError, Queries, Run
from pyrite.retrieval.bm25.build import Built
from pyrite.retrieval.bm25.plan import Asked, plan
from pyrite.retrieval.bm25.rows import Rows, frequent_rows
from pyrite.retrieval.bm25.search import Hits, no_hits, room_for, search
from pyrite.retrieval.bm25.tokenizer import Tokenizer

if TYPE_CHECKING:
    from pyrite.retrieval.bm25.retriever import BM25

_BATCH = 64
"""Queries that a thread takes at a time."""


class BM25Index:
    """A corpus, searchable by BM25.

    Args:
        retriever: what it was made by. built: postings and terms. doc_ids: by corpus position.
    """

    def __init__(self, retriever: BM25, built: Built, doc_ids: pa.ChunkedArray | pa.Array) -> None:
        self.retriever = retriever
        self.built = built
        self.doc_ids = doc_ids

    def __len__(self) -> int:
        """How many documents it has."""
        return len(self.doc_ids)

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query: by score, then by corpus position; only documents that match.

        A word that occurs twice in a query counts twice, as in bm25s and Lucene. Scores are float32, added in
        the order of the query's words.
        """
        if depth < 1:
            raise DataError(f"the depth of a search is {depth}", fix="ask for 1 or more")
        hits = no_hits(len(queries), min(depth, len(self)))
        if hits.scores.size:
            self._search(self._asked(queries), hits)
        kept = np.arange(hits.scores.shape[1]) < hits.counts[:, None]
        return Run(
            self.retriever.name,
            query_ids=queries.ids,
            offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(hits.counts)]),
            positions=hits.documents[kept],
            doc_ids=self.doc_ids,
            scores=hits.scores[kept],
        )

    @cached_property
    def _rows(self) -> Rows:
        return frequent_rows(self.built.postings, len(self))

    def _search(self, asked: Asked, hits: Hits) -> None:
        postings, rows = self.built.postings, self._rows
        planned = plan(asked, postings)
        idle = [room_for(len(self)) for _ in range(self.retriever.workers)]

        def batch(start: int) -> None:
            own, bounds = slice(start, start + _BATCH), slice(start, start + _BATCH + 1)
            part = asked._replace(bounds=asked.bounds[bounds])
            part_planned = planned._replace(bounds=planned.bounds[bounds])
            space = idle.pop()
            mine = Hits(hits.scores[own], hits.documents[own], hits.counts[own])
            search(part, part_planned, postings, rows, space, mine)
            idle.append(space)

        with ThreadPoolExecutor(self.retriever.workers) as pool:
            list(pool.map(batch, range(0, len(hits.counts), _BATCH)))

    def _asked(self, queries: Queries) -> Asked:
        texts = queries.texts.combine_chunks()
        with self.retriever.cutter(queries.texts) as cutter:
            if cutter is not None:
                texts = pa.array(cutter.cut(texts.to_pylist()), pa.large_string())
        tokenizer = Tokenizer(self.retriever.resolved)
        found = tokenizer.word_ids(texts)
        rows = self.built.terms.find(self.retriever.resolved.stems(tokenizer.fresh_words()))
        # The ids of one query stand together, but not all queries in their order: what needed folding comes last.
        counts = found.ends - found.starts
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        places = np.arange(bounds[-1]) + np.repeat(found.starts - bounds[:-1], counts)
        terms = rows[found.ids[places]]
        known = np.concatenate([np.zeros(1, np.int64), np.cumsum(terms >= 0)])
        return Asked(terms[terms >= 0], known[bounds])

    def save(self, folder: Path) -> None:
        """Keep the index in a folder, which appears whole or not at all and replaces one of that name."""
        from pyrite.retrieval.bm25.storage import save

        save(self, folder)

    @classmethod
    def load(cls, folder: Path, *, memory_map: bool = True) -> BM25Index:
        """The index that `save` kept; memory-mapped, so that only what a search touches is read.

        A folder that is not one, is damaged, or was made with other versions of the analyzer is a DataError.
        """
        from pyrite.retrieval.bm25.storage import load

        return load(folder, memory_map=memory_map)
