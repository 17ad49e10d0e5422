"""From a collection to a run: retrievers, by name."""

from pyrite.retrieval.bm25 import BM25, Analyzer, BM25Index, analyzer_for, detect_language
from pyrite.retrieval.candidates import as_retrieved, force_positives, missing_positives, safeguard
from pyrite.retrieval.fusion import rrf
from pyrite.retrieval.given import GivenRun
from pyrite.retrieval.given_scores import GivenScores, matched_logits
from pyrite.retrieval.registry import SystemSpec, make_retriever, parse_system
from pyrite.retrieval.scorers import make_scorer

__all__ = [
    "BM25",
    "Analyzer",
    "BM25Index",
    "GivenRun",
    "GivenScores",
    "SystemSpec",
    "analyzer_for",
    "as_retrieved",
    "detect_language",
    "force_positives",
    "make_retriever",
    "make_scorer",
    "matched_logits",
    "missing_positives",
    "parse_system",
    "rrf",
    "safeguard",
]
