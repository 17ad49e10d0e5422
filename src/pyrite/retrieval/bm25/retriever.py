"""BM25 as a retriever: a frozen description that makes indexes."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import Corpus, RecipeError
from pyrite.retrieval.bm25.analyzers import Analyzer, analyzer_for, is_default
from pyrite.retrieval.bm25.build import build
from pyrite.retrieval.bm25.formula import VARIANTS, Formula
from pyrite.retrieval.bm25.index import BM25Index
from pyrite.retrieval.bm25.ngram_cutting import NgramCutter
from pyrite.retrieval.bm25.scripts import warn_unspaced
from pyrite.retrieval.bm25.segment_cache import cache_folder
from pyrite.retrieval.bm25.segmenting import Cutter


@dataclass(frozen=True)
class BM25:
    """A BM25 retriever.

    Args:
        analyzer: how text becomes words: a language or an analyzer's full name, see `analyzer_for`.
        variant: "lucene" or "robertson" (idf never below 0; a match of idf 0 is no match).
        k1, b: saturation of term frequency, and how much document length counts (0 to 1).
        threads: for building and searching; None is all cores. Results do not depend on it.
        label: what reports call it instead of its analyzer ("bm25:letters").

    >>> from pyrite.core import Document, Queries, Query
    >>> corpus = Corpus.of([Document("d1", "Fool's gold glitters."), Document("d2", "Gold."), Document("d3", "Iron.")])
    >>> run = BM25("en").index(corpus).search(Queries.of([Query("q1", "what is fool's gold?")]), 10)
    >>> [(hit.doc_id, round(hit.score, 3)) for hit in run["q1"]]
    [('d1', 0.671), ('d2', 0.243)]
    """

    analyzer: str = "en"
    _: KW_ONLY
    variant: str = "lucene"
    k1: float = 1.5
    b: float = 0.75
    threads: int | None = field(default=None, compare=False)
    label: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise RecipeError(f"unknown BM25 variant '{self.variant}'", fix=f"take one of {', '.join(VARIANTS)}")
        if not (np.isfinite(self.k1) and self.k1 >= 0):
            raise RecipeError(f"k1 is {self.k1}", fix="give a number of 0 or more")
        if not 0 <= self.b <= 1:
            raise RecipeError(f"b is {self.b}", fix="give a number from 0 to 1")
        if self.threads is not None and self.threads < 1:
            raise RecipeError(f"threads is {self.threads}", fix="give 1 or more, or None for all cores")
        self.resolved  # noqa: B018 - an unknown analyzer is known here, not when the corpus has been read

    @cached_property
    def resolved(self) -> Analyzer:
        """The analyzer that the name stands for."""
        return analyzer_for(self.analyzer)

    @property
    def name(self) -> str:
        """What reports call it: "bm25:en", with whatever is not the default ("bm25:whitespace:de,k1=0.9")."""
        if self.label is not None:
            return f"bm25:{self.label}"
        own = self.resolved
        changed = [("k1", self.k1, 1.5), ("b", self.b, 0.75), ("variant", self.variant, "lucene")]
        settings = "".join(f",{key}={value}" for key, value, usual in changed if value != usual)
        return f"bm25:{own.language if is_default(own) else own.name}{settings}"

    @property
    def family(self) -> str:
        """Always "lexical"."""
        return "lexical"

    def settings(self) -> dict[str, Any]:
        """Everything that decides its rankings, for reports and manifests."""
        return {
            "analyzer": self.resolved.name,
            "fingerprint": self.resolved.fingerprint,
            "versions": self.resolved.versions,
            "variant": self.variant,
            "k1": float(self.k1),
            "b": float(self.b),
        }

    def index(self, corpus: Corpus) -> BM25Index:
        """An index of this corpus; every document keeps its position, an empty one too.

        Warns where the corpus is in a script without spaces and the analyzer trusts in them.
        """
        warn_unspaced(corpus, self.resolved)
        with self.cutter(corpus.texts) as cutter:
            formula = Formula(self.variant, float(self.k1), float(self.b))
            built = build(corpus, self.resolved, formula, threads=self.workers, cutter=cutter)
        return BM25Index(self, built, corpus.ids)

    @property
    def workers(self) -> int:
        """How many threads it uses."""
        if self.threads is not None:
            return self.threads
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def cutter(self, texts: pa.ChunkedArray) -> AbstractContextManager[Cutter | NgramCutter | None]:
        """What segments these texts before they are cut into words; None where the analyzer does not segment."""
        if self.resolved.kind == "ngram":
            return NgramCutter(self.resolved)
        if self.resolved.kind != "wordseg":
            return nullcontext()
        return Cutter(
            self.resolved.language,
            self.resolved.fingerprint,
            cache=cache_folder(),
            processes=self.workers,
            expected=pc.sum(pc.utf8_length(texts)).as_py() or 0,
        )
