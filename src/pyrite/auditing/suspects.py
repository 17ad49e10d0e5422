"""Which unjudged documents are likely relevant, and on what evidence: every pair has one fate, and the fates add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pyrite.auditing.bars import Bars, Positive, bars_of
from pyrite.auditing.sightings import NOWHERE, NearPairs, Sightings
from pyrite.core import LedgerEntry, RecipeError

EVIDENCE = ("the teacher and the systems", "the teacher alone", "the systems alone")
"""What a likely false negative is suspected on, strongest first."""

FATES = (
    "likely false negative",
    "near-duplicate of a positive",
    "known to be relevant",
    "judged not relevant",
    "left out by the dataset's own rules",
    "query without a positive",
    "the teacher puts it below the positive",
    "too few systems rank it above the positive",
)
"""What became of a pair; the first two are in the queue."""


@dataclass(frozen=True)
class AuditRules:
    """When something is suspicious.

    Attributes:
        depth: ranks of each system that are looked at.
        positive: which positive of a query is the bar.
        agree: how many systems have to rank a document above the positive, where no teacher has scored both.
        top: and within how many ranks.
        near: Jaccard likeness of 5-word shingles from which a document is a near-duplicate; 0: not looked for.
        ambiguous: a query with so many documents above its positive is ambiguous.
    """

    depth: int = 50
    positive: Positive = "best"
    agree: int = 2
    top: int = 10
    near: float = 0.8
    ambiguous: int = 5

    def __post_init__(self) -> None:
        for name in ("depth", "agree", "top", "ambiguous"):
            if getattr(self, name) < 1:
                raise RecipeError(f"{name} = {getattr(self, name)} looks at nothing", fix="give 1 or more")
        if self.near and not 0.2 <= self.near <= 1:
            raise RecipeError(f"near = {self.near} is no likeness from 0.2 to 1", fix="write one, as in 0.8, or 0")


@dataclass(frozen=True, eq=False)
class Suspects:
    """What an audit suspects of its pairs.

    Attributes:
        seen: the pairs. bars: of their queries. rules: by which they were decided. near: as it was given.
        fate: int8, one a pair: a place in `FATES`.
        evidence: int8, one a pair: a place in `EVIDENCE`, for a likely false negative.
        agreeing: int32, one a pair: systems that rank it above the positive, within the top.
    """

    seen: Sightings
    bars: Bars
    rules: AuditRules
    near: NearPairs
    fate: NDArray[np.int8]
    evidence: NDArray[np.int8]
    agreeing: NDArray[np.int32]

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Fate -> pairs, every fate."""
        return dict(zip(FATES, np.bincount(self.fate, minlength=len(FATES)).tolist(), strict=True))

    def entry(self) -> LedgerEntry:
        """The account of the pairs: those in the queue, and why the others are not."""
        kept = sum(self.counts[fate] for fate in FATES[:2])
        dropped = {fate: count for fate, count in self.counts.items() if fate in FATES[2:] and count}
        return LedgerEntry("pairs looked at", "pairs", len(self.seen), kept, dropped)

    @cached_property
    def ambiguous(self) -> NDArray[np.int64]:
        """The queries that are ambiguous, most documents above the positive first, then by query."""
        queries = np.flatnonzero(self.bars.above >= self.rules.ambiguous)
        return queries[np.lexsort((queries, -self.bars.above[queries]))]

    @cached_property
    def false_negatives(self) -> NDArray[np.int64]:
        """The pairs that are likely false negatives, most suspicious first.

        Negatives of mined rows come first; then by evidence, by the teacher's logit, by how many systems agree and by
        the best rank; ties by query, then by document.
        """
        rows, seen = np.flatnonzero(self.fate == 0), self.seen
        best = seen.rank.min(axis=0, initial=NOWHERE)[rows]
        keys = (rows, best, -self.agreeing[rows], -_filled(seen.logit[rows]), self.evidence[rows], seen.uses[rows] == 0)
        return rows[np.lexsort(keys)]

    @cached_property
    def near_duplicates(self) -> NDArray[np.int64]:
        """Places in `near` of the pairs that are near-duplicates, each pair once, most suspicious first.

        Negatives of mined rows come first, then copies, then the highest logit; ties by query, document, positive.
        """
        near = self.near
        rows = self.seen.find(near.query, near.document)
        places = np.flatnonzero(self.fate[rows] == 1)
        order = places[np.lexsort((near.positive[places], ~near.same[places], rows[places]))]
        _, first = np.unique(rows[order], return_index=True)
        once = order[first]
        own = rows[once]
        keys = (own, -_filled(self.seen.logit[own]), ~near.same[once], self.seen.uses[own] == 0)
        return once[np.lexsort(keys)]


def suspect(seen: Sightings, near: NearPairs, rules: AuditRules) -> Suspects:
    """Decide every pair.

    An unjudged document is a likely false negative where the teacher puts it at or above the bar. Where the teacher has
    not scored both, or there is none, it is one where `agree` systems rank it above the positive within their first
    `top` ranks; a positive that a system did not find is below all that it found. A near-duplicate of a positive is one
    whoever finds it, judged 0 or not at all.

    Args:
        seen: the pairs.
        near: near-duplicates among them.
        rules: see `AuditRules`.
    """
    bars = bars_of(seen, rules.positive)
    ahead = (seen.rank <= rules.top) & (seen.rank < bars.rank[:, seen.query])
    agreeing = ahead.sum(axis=0, dtype=np.int32)
    asked = np.zeros(len(seen.collection.queries), dtype=np.bool_)
    asked[seen.query[seen.positive]] = True
    told = seen.scored & (bars.row[seen.query] >= 0)
    with np.errstate(invalid="ignore"):
        teacher = told & (seen.logit >= bars.logit[seen.query])
    # One system alone says nothing of a document, but beside a teacher it says something.
    support = agreeing >= max(min(rules.agree, len(seen.systems)), 1)
    alone = ~told & (agreeing >= rules.agree)
    fate = np.select(
        [
            seen.positive,
            seen.settled,
            _marks(seen, near),
            seen.judged,
            ~asked[seen.query],
            teacher | alone,
            told,
        ],
        [2, 4, 1, 3, 5, 0, 6],
        default=7,
    ).astype(np.int8)
    evidence = np.where(teacher, np.where(support, 0, 1), 2).astype(np.int8)
    return Suspects(seen, bars, rules, near, fate, evidence, agreeing)


def _marks(seen: Sightings, near: NearPairs) -> NDArray[np.bool_]:
    marks = np.zeros(len(seen), dtype=np.bool_)
    marks[seen.find(near.query, near.document)] = True
    return marks


def _filled(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(np.isnan(logits), np.float32(-np.inf), logits)
