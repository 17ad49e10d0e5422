"""BM25 in many languages: analyzers, an index of our own, and its search."""

from pyrite.retrieval.bm25.analyzers import Analyzer, analyzer_for
from pyrite.retrieval.bm25.detection import detect_language
from pyrite.retrieval.bm25.index import BM25Index
from pyrite.retrieval.bm25.retriever import BM25

__all__ = ["BM25", "Analyzer", "BM25Index", "analyzer_for", "detect_language"]
