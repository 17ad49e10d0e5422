"""Segmenting columns of text: what the cache lacks is cut, here or by processes where that pays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from types import TracebackType

from pyrite.retrieval.bm25.segment_cache import SegmentCache
from pyrite.retrieval.bm25.segment_worker import SegmentWorker
from pyrite.retrieval.bm25.segmenters import SEGMENTERS, segmenter

_WORTH = 10.0
"""Seconds of cutting in one process from which on processes are started; each needs seconds to load."""
_CHUNK = 64
"""Texts sent to a process at a time."""


class Cutter:
    """Segments the texts of one language; a context manager, which ends its processes and its cache.

    Args:
        language: with a segmenter.
        fingerprint: of the analyzer.
        cache: folder of the cache, or None for none.
        processes: at most so many.
        expected: characters that will be cut in all; with the language's speed it decides whether processes pay.
    """

    def __init__(
        self, language: str, fingerprint: str, *, cache: Path | None, processes: int = 1, expected: int = 0
    ) -> None:
        self._language = language
        self._stack = ExitStack()
        self._cache = SegmentCache(cache, fingerprint) if cache is not None else None
        self._processes = processes if expected > _WORTH * SEGMENTERS[language].speed else 1
        self._idle: SimpleQueue[SegmentWorker] = SimpleQueue()
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()

    def __enter__(self) -> Cutter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._cache is not None:
            self._cache.close()
        self._stack.close()

    def cut(self, texts: list[str]) -> list[str]:
        """The texts with spaces between their segments, in order."""
        known = self._cache.get(texts) if self._cache is not None else [None] * len(texts)
        fresh = [text for text, cut in zip(texts, known, strict=True) if cut is None]
        if not fresh:
            return [cut for cut in known if cut is not None]
        segmented = self._segment(fresh)
        if self._cache is not None:
            self._cache.put(fresh, segmented)
        made = iter(segmented)
        return [next(made) if cut is None else cut for cut in known]

    def _segment(self, texts: list[str]) -> list[str]:
        if self._processes == 1:
            with self._lock:  # a segmenter serves one thread at a time
                return [segmenter(self._language)(text) for text in texts]
        with self._lock:
            if self._pool is None:
                self._pool = self._start()
        chunks = [texts[start : start + _CHUNK] for start in range(0, len(texts), _CHUNK)]
        return [text for part in self._pool.map(self._by_worker, chunks) for text in part]

    def _start(self) -> ThreadPoolExecutor:
        for _ in range(self._processes):
            worker = SegmentWorker(self._language)
            self._stack.callback(worker.close)
            self._idle.put(worker)
        return self._stack.enter_context(ThreadPoolExecutor(self._processes))

    def _by_worker(self, texts: list[str]) -> list[str]:
        worker = self._idle.get()
        try:
            return worker.segment(texts)
        finally:
            self._idle.put(worker)
