"""What an audit found, in numbers that add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrite.auditing.queue import Leak
from pyrite.auditing.suspects import EVIDENCE, Suspects

BANDS = (("0", 0, 0), ("1", 1, 1), ("2", 2, 2), ("3 to 5", 3, 5), ("6 to 10", 6, 10), ("more than 10", 11, None))
"""How many documents stand above a query's positive."""


@dataclass(frozen=True)
class AuditCounts:
    """What an audit found.

    Attributes:
        queries, documents, pairs, scored: that were looked at; scored are the pairs that have a logit.
        fates: what became of the pairs; the sum is `pairs`.
        evidence: of the likely false negatives; the sum is theirs.
        uses: likely false negatives and near-duplicates that are a negative of a mined row.
        copies: near-duplicates whose text is the positive's but for case, width and white space.
        above: documents above the positive -> queries; the sum is `queries`.
        ambiguous: queries.
        leaks: why -> items.
    """

    queries: int
    documents: int
    pairs: int
    scored: int
    fates: Mapping[str, int]
    evidence: Mapping[str, int]
    uses: int
    copies: int
    above: Mapping[str, int]
    ambiguous: int
    leaks: Mapping[str, int]

    @property
    def items(self) -> Mapping[str, int]:
        """Kind -> items of the queue."""
        return {
            "false negative": self.fates["likely false negative"],
            "near-duplicate": self.fates["near-duplicate of a positive"],
            "ambiguous": self.ambiguous,
            "leak": sum(self.leaks.values()),
        }

    def to_json(self) -> dict[str, Any]:
        """Plain values for audit.json."""
        return {
            "queries": self.queries,
            "documents": self.documents,
            "pairs": self.pairs,
            "scored": self.scored,
            "fates": dict(self.fates),
            "evidence": dict(self.evidence),
            "negatives of mined rows": self.uses,
            "copies": self.copies,
            "above": dict(self.above),
            "leaks": dict(self.leaks),
            "items": {**self.items, "together": sum(self.items.values())},
        }


def audit_counts(suspects: Suspects, leaks: Sequence[Leak]) -> AuditCounts:
    """The numbers of an audit."""
    seen, above = suspects.seen, suspects.bars.above
    evidence = np.bincount(suspects.evidence[suspects.fate == 0], minlength=len(EVIDENCE)).tolist()
    bands = {"nobody can say": int((above < 0).sum())}
    for name, least, most in BANDS:
        bands[name] = int(((above >= least) & (above <= (above.max(initial=0) if most is None else most))).sum())
    return AuditCounts(
        queries=len(seen.collection.queries),
        documents=len(seen.collection.corpus),
        pairs=len(seen),
        scored=int(seen.scored.sum()),
        fates=suspects.counts,
        evidence=dict(zip(EVIDENCE, evidence, strict=True)),
        uses=int(((suspects.fate <= 1) & (seen.uses > 0)).sum()),
        copies=int(suspects.near.same[suspects.near_duplicates].sum()),
        above={**{name: bands[name] for name, _, _ in BANDS}, "nobody can say": bands["nobody can say"]},
        ambiguous=len(suspects.ambiguous),
        leaks={
            reason: sum(leak.reason == reason for leak in leaks) for reason in sorted({one.reason for one in leaks})
        },
    )
