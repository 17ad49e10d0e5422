"""Auditing: what may be wrong with a dataset, and the dataset without what was found to be."""

from pyrite.auditing.bars import Bars, Positive, bars_of
from pyrite.auditing.cleaning import Cleaned, clean
from pyrite.auditing.decisions import Near, Relevant, Remedies, Remedy, remedies_of
from pyrite.auditing.queue import Leak, item_id, queue_of
from pyrite.auditing.sightings import NearPairs, Ranked, Sightings, pair_keys, sight
from pyrite.auditing.summary import AuditCounts, audit_counts
from pyrite.auditing.suspects import EVIDENCE, FATES, AuditRules, Suspects, suspect

__all__ = [
    "EVIDENCE",
    "FATES",
    "AuditCounts",
    "AuditRules",
    "Bars",
    "Cleaned",
    "Leak",
    "Near",
    "NearPairs",
    "Positive",
    "Ranked",
    "Relevant",
    "Remedies",
    "Remedy",
    "Sightings",
    "Suspects",
    "audit_counts",
    "bars_of",
    "clean",
    "item_id",
    "pair_keys",
    "queue_of",
    "remedies_of",
    "sight",
    "suspect",
]
