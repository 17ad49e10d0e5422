"""What is done about each suspicion: a person's decision, else a judge's, else a rule, else nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from pyrite.core import LedgerEntry, RecipeError
from pyrite.formats import Review

Relevant = Literal["add", "drop-document", "drop-query"]
"""What becomes of a pair that is decided to be relevant: a judgement is added, or one side is taken out."""

Near = Literal["review", "add", "merge", "drop"]
"""What becomes of near-duplicates that nobody decided on: nothing, a judgement, one document, or none of it."""


@dataclass(frozen=True)
class Remedy:
    """How suspicions are settled; with nothing set only a person's decisions count.

    Attributes:
        relevant_at: a pair with such a logit of the judge, or more, is relevant, one with less is not; None: nobody
            but a person decides.
        relevant: what becomes of a pair that is relevant.
        near: what becomes of near-duplicates that no person called not relevant.
        drop_leaks, drop_ambiguous: whether queries that leak, or are ambiguous, are taken out, unless a person called
            the item not relevant.
    """

    relevant_at: float | None = None
    relevant: Relevant = "add"
    near: Near = "review"
    drop_leaks: bool = False
    drop_ambiguous: bool = False

    @property
    def rules(self) -> bool:
        """Whether anything but a person decides."""
        return self.relevant_at is not None or self.near != "review" or self.drop_leaks or self.drop_ambiguous

    def to_json(self) -> dict[str, Any]:
        """Plain values for a manifest."""
        return {
            "relevant_at": self.relevant_at,
            "relevant": self.relevant,
            "near": self.near,
            "drop_leaks": self.drop_leaks,
            "drop_ambiguous": self.drop_ambiguous,
        }


@dataclass(frozen=True)
class Remedies:
    """What is to be done to a dataset, by ids.

    Attributes:
        add: (query, document) that are relevant, in the queue's order.
        merge: document -> the positive that it becomes one with.
        documents, queries: id -> why it is taken out.
        entry: the account of the queue's items: how many changed nothing, and why the others went.
    """

    add: tuple[tuple[str, str], ...] = ()
    merge: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)
    entry: LedgerEntry | None = None

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.add or self.merge or self.documents or self.queries)


def remedies_of(
    queue: pa.Table,
    reviews: Mapping[str, Review],
    remedy: Remedy,
    *,
    judged: Mapping[tuple[str, str], float] | None = None,
) -> Remedies:
    """Decide every item of a queue.

    A person's decision comes first: "relevant" means for a pair that the document answers the query, for a leak that
    it is one; "not relevant" spares the item from every rule; "unsure" leaves it to the rules. Decisions on ambiguous
    queries other than "not relevant" change nothing by themselves.

    Args:
        queue: of an audit.
        reviews: item -> its last decision.
        remedy: the rules for the rest.
        judged: (query, document) -> the judge's logit; None: the queue's own logits are the judge's.

    Raises:
        RecipeError: neither a decision nor a rule says anything.
    """
    known = set(queue["item"].to_pylist())
    if not remedy.rules and not any(one.item in known and one.decision != "unsure" for one in reviews.values()):
        raise RecipeError(
            "nothing is decided: no item of the queue is reviewed and no rule is given",
            fix="review the queue, or give a rule, as in --relevant-at 4 or --near-duplicates merge",
        )
    made = _Made()
    for row in queue.to_pylist():
        review = reviews.get(row["item"])
        decision = review.decision if review is not None else None
        if decision == "not relevant":
            made.leave("a person called it not relevant")
        elif row["kind"] == "leak":
            made.leak(row, decision, remedy)
        elif row["kind"] == "ambiguous":
            made.ambiguous(row, remedy)
        else:
            made.pair(row, decision, remedy, judged)
    return made.remedies(len(queue))


class _Made:
    """What is decided so far."""

    def __init__(self) -> None:
        self._add: dict[tuple[str, str], None] = {}
        self._merge: dict[str, str] = {}
        self._documents: dict[str, str] = {}
        self._queries: dict[str, str] = {}
        self._why: Counter[str] = Counter()
        self._left: Counter[str] = Counter()

    def leave(self, why: str) -> None:
        """Nothing is done about an item."""
        self._left[why] += 1

    def leak(self, row: Mapping[str, Any], decision: str | None, remedy: Remedy) -> None:
        """A leak is taken out with its query."""
        if decision == "relevant" or remedy.drop_leaks:
            self._why["leak: the query is taken out"] += 1
            self._queries.setdefault(row["query-id"], "leak")
        else:
            self.leave("not decided")

    def ambiguous(self, row: Mapping[str, Any], remedy: Remedy) -> None:
        """An ambiguous query is taken out where a rule says so."""
        if remedy.drop_ambiguous:
            self._why["ambiguous: the query is taken out"] += 1
            self._queries.setdefault(row["query-id"], "ambiguous")
        else:
            self.leave("not decided")

    def pair(
        self,
        row: Mapping[str, Any],
        decision: str | None,
        remedy: Remedy,
        judged: Mapping[tuple[str, str], float] | None,
    ) -> None:
        """A pair is relevant by a person, by a judge, or as a near-duplicate."""
        pair = (row["query-id"], row["corpus-id"])
        if row["kind"] == "near-duplicate" and remedy.near != "review":
            self._near(row, remedy.near)
            return
        logit = row["logit"] if judged is None else judged.get(pair)
        if decision != "relevant" and (remedy.relevant_at is None or logit is None):
            self.leave("not decided" if remedy.relevant_at is None else "the judge has not scored it")
        elif decision != "relevant" and remedy.relevant_at is not None and logit is not None:
            if logit >= remedy.relevant_at:
                self._relevant(pair, remedy.relevant, by="a judge")
            else:
                self.leave("the judge puts it below relevant_at")
        else:
            self._relevant(pair, remedy.relevant, by="a person")

    def _near(self, row: Mapping[str, Any], near: Near) -> None:
        document = row["corpus-id"]
        if near == "merge":
            # A document goes to the first positive that it is like; later rows find it gone.
            self._why["near-duplicate: merged"] += 1
            self._merge.setdefault(document, row["positive-id"])
        elif near == "drop":
            self._why["near-duplicate: the document is taken out"] += 1
            self._documents.setdefault(document, "near-duplicate of a positive")
        else:
            self._why["near-duplicate: judged relevant"] += 1
            self._add[row["query-id"], document] = None

    def _relevant(self, pair: tuple[str, str], relevant: Relevant, *, by: str) -> None:
        if relevant == "add":
            self._why[f"relevant by {by}: judged relevant"] += 1
            self._add[pair] = None
        elif relevant == "drop-document":
            self._why[f"relevant by {by}: the document is taken out"] += 1
            self._documents.setdefault(pair[1], "unmarked positive")
        else:
            self._why[f"relevant by {by}: the query is taken out"] += 1
            self._queries.setdefault(pair[0], "unmarked positive")

    def remedies(self, items: int) -> Remedies:
        """All of it, with its account."""
        notes = tuple(f"{count:,} items changed nothing: {why}" for why, count in sorted(self._left.items()))
        left = sum(self._left.values())
        entry = LedgerEntry("audit: items of the queue", "items", items, left, dict(sorted(self._why.items())), notes)
        return Remedies(tuple(self._add), self._merge, self._documents, self._queries, entry)
