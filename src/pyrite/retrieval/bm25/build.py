"""Building an index: blocks of documents are cut and counted by threads, then all postings are filled."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Corpus
from pyrite.retrieval.bm25.analyzers import Analyzer
from pyrite.retrieval.bm25.formula import Formula
from pyrite.retrieval.bm25.ngram_cutting import NgramCutter
from pyrite.retrieval.bm25.postings import Counts, Postings, Weights, add_frequencies, count, fill, find_highest
from pyrite.retrieval.bm25.segmenting import Cutter
from pyrite.retrieval.bm25.terms import Terms
from pyrite.retrieval.bm25.tokenizer import Tokenizer

BLOCK_BYTES = 16 << 20
"""Text of one block; a thread works on one at a time."""


@dataclass
class _Shared:
    """What the threads agree on: words and stems by number, in the order in which any thread first met them."""

    analyzer: Analyzer
    words: dict[str, int] = field(default_factory=dict)
    stems: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def number(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The terms of these words; each distinct word is stemmed once."""
        with self.lock:
            known, numbers = self.words, self.stems
            fresh = [word for word in words if word not in known]
            for word, stem in zip(fresh, self.analyzer.stems(fresh), strict=True):
                known[word] = numbers.setdefault(stem, len(numbers))
            return np.fromiter(map(known.__getitem__, words), np.int32, len(words))


class _Worker:
    """One thread's own vocabulary and its counters."""

    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._tokenizer = Tokenizer(shared.analyzer)
        self._term_of = np.zeros(0, np.int32)
        self._seen = np.zeros(0, np.int64)
        self._stamp = 1

    def count(self, texts: pa.Array) -> Counts:
        found = self._tokenizer.word_ids(texts)
        numbered = self._shared.number(self._tokenizer.fresh_words())
        self._term_of = np.concatenate([self._term_of, numbered])
        self._seen = np.concatenate([self._seen, np.zeros(max(0, len(self._shared.stems) - len(self._seen)), np.int64)])
        terms, frequencies, bounds, lengths = count(*found, self._term_of, self._seen, self._stamp)
        self._stamp += len(texts)
        if frequencies.max(initial=0) < 1 << 16:
            frequencies = frequencies.astype(np.uint16)
        return Counts(terms, frequencies, bounds, lengths)


def blocks(corpus: Corpus, size: int) -> Iterator[tuple[int, int]]:
    """Rows [start, stop) of about so many bytes of text each, covering the corpus in order."""
    lengths = np.concatenate([np.zeros(1, np.int64), *(_lengths(chunk) for chunk in corpus.texts.chunks)])
    total = np.cumsum(lengths)
    start = 0
    while start < len(corpus):
        stop = int(np.searchsorted(total, total[start] + size, side="left"))
        stop = min(max(stop, start + 1), len(corpus))
        yield start, stop
        start = stop


def _lengths(texts: pa.Array) -> NDArray[np.int64]:
    bounds = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return np.diff(bounds)


@dataclass(frozen=True)
class Built:
    """Postings, their terms, and the mean document length in tokens."""

    postings: Postings
    terms: Terms
    average: float


def build(
    corpus: Corpus, analyzer: Analyzer, formula: Formula, *, threads: int, cutter: Cutter | NgramCutter | None = None
) -> Built:
    """The index of a corpus; the same bytes whatever the number of threads. `cutter` segments the texts before."""
    shared = _Shared(analyzer)
    idle = [_Worker(shared) for _ in range(threads)]

    def counted(rows: tuple[int, int]) -> Counts:
        contents = corpus.contents(*rows)
        texts = contents.chunk(0) if contents.num_chunks == 1 else contents.combine_chunks()
        if cutter is not None:
            texts = pa.array(cutter.cut(texts.to_pylist()), pa.large_string())
        worker = idle.pop()
        counts = worker.count(texts)
        idle.append(worker)
        return counts

    rows = list(blocks(corpus, BLOCK_BYTES))
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(counted, rows))
        return _filled(done, shared, formula, pool=pool, threads=threads)


def _filled(done: list[Counts], shared: _Shared, formula: Formula, *, pool: ThreadPoolExecutor, threads: int) -> Built:
    starts = np.cumsum([0, *(len(counts.lengths) for counts in done)]).tolist()
    # Each thread fills a run of neighbouring blocks, so that a term's documents ascend.
    groups = [group.tolist() for group in np.array_split(np.arange(len(done)), threads)]

    def frequencies_of(group: list[int]) -> NDArray[np.int64]:
        totals = np.zeros(len(shared.stems), np.int64)
        for block in group:
            add_frequencies(done[block].terms, totals)
        return totals

    by_group = list(pool.map(frequencies_of, groups))
    frequencies = np.stack(by_group).sum(axis=0)
    # A number says which thread came first; the order of the terms' text does not.
    stems = list(shared.stems)
    order = np.array(sorted((n for n in range(len(stems)) if frequencies[n]), key=stems.__getitem__), np.int64)
    ranks = np.zeros(len(stems), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    documents = starts[-1]
    length = sum(int(counts.lengths.sum()) for counts in done)
    average = length / documents if length else 1.0  # of no words, no score is made
    weights = Weights(ranks, formula.idf(documents, frequencies[order]), formula.k1, formula.b, average)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(frequencies[order])])
    postings = Postings(
        bounds,
        np.empty(bounds[-1], np.int32),
        np.empty(bounds[-1], np.float32),
        np.empty(len(order), np.float32),
    )
    heads = bounds[:-1].copy()
    jobs = []
    for group, totals in zip(groups, by_group, strict=True):
        jobs.append((group, heads.copy()))
        heads += totals[order]

    def fill_group(job: tuple[list[int], NDArray[np.int64]]) -> None:
        group, own_heads = job
        for block in group:
            fill(done[block], starts[block], weights, own_heads, postings)
            done[block] = _NOTHING  # its memory goes as the index grows

    list(pool.map(fill_group, jobs))
    find_highest(postings)
    for column in postings:
        column.flags.writeable = False
    return Built(postings, Terms.of([stems[number] for number in order.tolist()]), average)


_NOTHING = Counts(np.zeros(0, np.int32), np.zeros(0, np.uint16), np.zeros(1, np.int64), np.zeros(0, np.int64))
