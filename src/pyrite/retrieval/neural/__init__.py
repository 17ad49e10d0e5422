"""Systems that are neural models: dense, sparse, multi-vector and rerankers, through sentence-transformers."""

from pyrite.retrieval.neural.embedding_scorer import EmbeddingScorer
from pyrite.retrieval.neural.indexes import NeuralIndex
from pyrite.retrieval.neural.pair_scores import CrossEncoderScorer
from pyrite.retrieval.neural.reranker import Reranker, RerankingIndex
from pyrite.retrieval.neural.retriever import NeuralRetriever
from pyrite.retrieval.neural.settings import NeuralSettings
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.neural.telling import progress_to
from pyrite.retrieval.neural.told import TellingIndex, Told
from pyrite.retrieval.neural.vector_index import VectorIndex

__all__ = [
    "CrossEncoderScorer",
    "EmbeddingScorer",
    "NeuralIndex",
    "NeuralRetriever",
    "NeuralSettings",
    "NeuralSystem",
    "Reranker",
    "RerankingIndex",
    "TellingIndex",
    "Told",
    "VectorIndex",
    "progress_to",
]
