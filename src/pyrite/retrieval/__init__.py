"""From a collection to a run: retrievers, by name."""

from pyrite.retrieval.bm25 import BM25, Analyzer, BM25Index, analyzer_for, detect_language
from pyrite.retrieval.candidates import as_retrieved, force_positives, missing_positives, safeguard
from pyrite.retrieval.encoded import with_encoded, write_encoded
from pyrite.retrieval.fused import Fusion
from pyrite.retrieval.fusion import rrf, weighted
from pyrite.retrieval.given import GivenRun, told_file
from pyrite.retrieval.given_candidates import GivenCandidates
from pyrite.retrieval.given_scores import GivenScores, matched_logits
from pyrite.retrieval.located import located, located_spec
from pyrite.retrieval.neural import (
    CrossEncoderScorer,
    EmbeddingScorer,
    NeuralRetriever,
    NeuralSettings,
    NeuralSystem,
    Reranker,
    RerankingIndex,
    TellingIndex,
    Told,
    VectorIndex,
    progress_to,
)
from pyrite.retrieval.registry import make_retriever, parse_system
from pyrite.retrieval.scorers import make_scorer
from pyrite.retrieval.search import ArrayVectors, Hits, Vectors, exact_search
from pyrite.retrieval.system_spec import SystemSpec
from pyrite.retrieval.systems_file import read_systems

__all__ = [
    "BM25",
    "Analyzer",
    "ArrayVectors",
    "BM25Index",
    "CrossEncoderScorer",
    "EmbeddingScorer",
    "Fusion",
    "GivenCandidates",
    "GivenRun",
    "GivenScores",
    "Hits",
    "NeuralRetriever",
    "NeuralSettings",
    "NeuralSystem",
    "Reranker",
    "RerankingIndex",
    "SystemSpec",
    "TellingIndex",
    "Told",
    "VectorIndex",
    "Vectors",
    "analyzer_for",
    "as_retrieved",
    "detect_language",
    "exact_search",
    "force_positives",
    "located",
    "located_spec",
    "make_retriever",
    "make_scorer",
    "matched_logits",
    "missing_positives",
    "parse_system",
    "progress_to",
    "read_systems",
    "rrf",
    "safeguard",
    "told_file",
    "weighted",
    "with_encoded",
    "write_encoded",
]
