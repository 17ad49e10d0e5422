"""Preparation: which rows become queries, gold passages and distractors, and why the others do not."""

from pyrite.preparation.distractors import DistractorChoice, priorities, too_few
from pyrite.preparation.excluding import REASONS, Leaks, Protection
from pyrite.preparation.first_seen import FirstSeen
from pyrite.preparation.identity import Identical, blank, digest_numbers, digests, normalise
from pyrite.preparation.nano import (
    ChosenQueries,
    CorpusRules,
    DocumentMap,
    HardFill,
    Judgement,
    NanoSelection,
    NanoSource,
    NanoSplit,
    QuerySplitChoice,
    assemble_split,
    choose_documents,
    choose_queries,
    choose_query_split,
    close_in_score,
    eligible_queries,
    map_corpus,
    map_documents,
    near_positives,
    prepare_source,
)
from pyrite.preparation.nano.fill import hard_rows
from pyrite.preparation.near import NearIndex, near_duplicates
from pyrite.preparation.passages import Numbered, Passages
from pyrite.preparation.questions import Questions, choose_questions
from pyrite.preparation.signatures import Signatures, read_signatures, signatures, signed_parts, write_signatures

__all__ = [
    "REASONS",
    "ChosenQueries",
    "CorpusRules",
    "DistractorChoice",
    "DocumentMap",
    "FirstSeen",
    "HardFill",
    "Identical",
    "Judgement",
    "Leaks",
    "NanoSelection",
    "NanoSource",
    "NanoSplit",
    "NearIndex",
    "Numbered",
    "Passages",
    "Protection",
    "QuerySplitChoice",
    "Questions",
    "Signatures",
    "assemble_split",
    "blank",
    "choose_documents",
    "choose_queries",
    "choose_query_split",
    "choose_questions",
    "close_in_score",
    "digest_numbers",
    "digests",
    "eligible_queries",
    "hard_rows",
    "map_corpus",
    "map_documents",
    "near_duplicates",
    "near_positives",
    "normalise",
    "prepare_source",
    "priorities",
    "read_signatures",
    "signatures",
    "signed_parts",
    "too_few",
    "write_signatures",
]
