"""Exact search: the best documents of each query over vectors, sparse vectors and token vectors, in bounded memory."""

from pyrite.retrieval.search.best import Best, Hits
from pyrite.retrieval.search.exact import ArrayVectors, Vectors, exact_search, inner_products
from pyrite.retrieval.search.maxsim import TokenVectors, maxsim_scores, maxsim_search
from pyrite.retrieval.search.sparse import SparseRows, SparseVectors

__all__ = [
    "ArrayVectors",
    "Best",
    "Hits",
    "SparseRows",
    "SparseVectors",
    "TokenVectors",
    "Vectors",
    "exact_search",
    "inner_products",
    "maxsim_scores",
    "maxsim_search",
]
