"""Preparation: which rows become queries, gold passages and distractors, and why the others do not."""

from pyrite.preparation.distractors import DistractorChoice, priorities
from pyrite.preparation.first_seen import FirstSeen
from pyrite.preparation.identity import Identical, blank, digests, normalise
from pyrite.preparation.questions import Questions, choose_questions

__all__ = [
    "DistractorChoice",
    "FirstSeen",
    "Identical",
    "Questions",
    "blank",
    "choose_questions",
    "digests",
    "normalise",
    "priorities",
]
