"""From a source with graded judgements to a Nano split, in rows until the last step."""

from pyrite.preparation.nano.choose_documents import (
    ChosenDocuments,
    CorpusRules,
    Fill,
    HardFill,
    choose_documents,
)
from pyrite.preparation.nano.choose_queries import ChosenQueries, choose_queries, eligible_queries
from pyrite.preparation.nano.documents import DocumentMap, map_corpus, map_documents
from pyrite.preparation.nano.fallback import QuerySplitChoice, choose_query_split
from pyrite.preparation.nano.guard import close_in_score, near_positives
from pyrite.preparation.nano.source import Judgement, NanoSource, prepare_source, source_of
from pyrite.preparation.nano.split import NanoSelection, NanoSplit, assemble_split

__all__ = [
    "ChosenDocuments",
    "ChosenQueries",
    "CorpusRules",
    "DocumentMap",
    "Fill",
    "HardFill",
    "Judgement",
    "NanoSelection",
    "NanoSource",
    "NanoSplit",
    "QuerySplitChoice",
    "assemble_split",
    "choose_documents",
    "choose_queries",
    "choose_query_split",
    "close_in_score",
    "eligible_queries",
    "map_corpus",
    "map_documents",
    "near_positives",
    "prepare_source",
    "source_of",
]
