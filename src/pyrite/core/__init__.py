"""The values that travel between rooms; no model, file or network."""

from pyrite.core.collection import TEMPLATE, Collection, Corpus, Document, Queries, Query, join_title
from pyrite.core.errors import DataError, MissingExtraError, PyriteError, RecipeError
from pyrite.core.ledger import Ledger, LedgerEntry
from pyrite.core.protocols import Index, Retriever, Scorer, TextPairs
from pyrite.core.qrels import Qrels
from pyrite.core.report import FORCED_POSITIVES, Estimate, QueryCounts, Report, SweepPoint, SystemReport
from pyrite.core.run import Candidates, Hit, Run, rank_order, trec_ties
from pyrite.core.texts import rows_of, taken
from pyrite.core.training import Found, Pair, Pairs, Pool, TrainingTuple, TrainingTuples

__all__ = [
    "FORCED_POSITIVES",
    "TEMPLATE",
    "Candidates",
    "Collection",
    "Corpus",
    "DataError",
    "Document",
    "Estimate",
    "Found",
    "Hit",
    "Index",
    "Ledger",
    "LedgerEntry",
    "MissingExtraError",
    "Pair",
    "Pairs",
    "Pool",
    "PyriteError",
    "Qrels",
    "Queries",
    "Query",
    "QueryCounts",
    "RecipeError",
    "Report",
    "Retriever",
    "Run",
    "Scorer",
    "SweepPoint",
    "SystemReport",
    "TextPairs",
    "TrainingTuple",
    "TrainingTuples",
    "join_title",
    "rank_order",
    "rows_of",
    "taken",
    "trec_ties",
]
