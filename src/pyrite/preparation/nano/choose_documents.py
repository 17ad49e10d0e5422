"""Which documents the corpus of a Nano split holds, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry, RecipeError
from pyrite.preparation.nano.account import account
from pyrite.preparation.nano.choose_queries import ChosenQueries
from pyrite.preparation.nano.fill import hard_rows, round_robin, shuffled
from pyrite.preparation.nano.source import NanoSource

Fill = Literal["none", "source-order", "random", "hard"]


@dataclass(frozen=True)
class CorpusRules:
    """How the corpus of a split is filled.

    Attributes:
        limit: documents at most.
        fill: what follows the judged documents while there is room.
        order: "selection" puts positives first; "shuffled" hides where they are.
        seed: of the random fill and of the shuffle.
    """

    limit: int = 10_000
    fill: Fill = "none"
    order: Literal["selection", "shuffled"] = "selection"
    seed: int = 0


@dataclass(frozen=True)
class HardFill:
    """What fill = "hard" takes documents from.

    Attributes:
        rankings: query id -> source rows, best first.
        guarded: rows that may be relevant to a chosen query; they are never offered.
    """

    rankings: Mapping[str, Sequence[int]]
    guarded: frozenset[int] = frozenset()


@dataclass(frozen=True)
class ChosenDocuments:
    """The corpus of a split.

    Attributes:
        rows: int64, source rows in published order.
        counts: how many came in as "positives", "judged negatives" and "fill".
        entry: the account of the source's documents.
    """

    rows: NDArray[np.int64]
    counts: Mapping[str, int]
    entry: LedgerEntry


def choose_documents(
    source: NanoSource, chosen: ChosenQueries, rules: CorpusRules, *, hard: HardFill | None = None
) -> ChosenDocuments:
    """Kept positives, then judged negatives round-robin over the queries, then fill, up to the limit.

    The i-th judged negative of each query comes in round i, in qrels order. A positive that a chosen query does not
    keep comes in only as another chosen query's kept positive, never as a judged negative or as fill.

    Args:
        source: what is chosen from.
        chosen: its queries.
        rules: limit, fill and order.
        hard: needed for fill = "hard", and only there.
    """
    positives = list(dict.fromkeys(chain.from_iterable(chosen.kept.values())))
    if len(positives) > rules.limit:
        raise RecipeError(
            f"the {len(positives)} kept positives of {len(chosen.queries)} queries are more than "
            f"nano.limit_documents = {rules.limit}",
            fix="raise limit_documents or lower limit_queries",
        )
    rows = dict.fromkeys(positives)
    judged = list(round_robin([source.negatives(query_id) for query_id in chosen.kept]))
    _add(rows, judged, rules.limit, chosen.omitted)
    negatives = len(rows) - len(positives)
    _add(rows, _offered(source, chosen, rules, hard, frozenset(rows)), rules.limit, chosen.omitted)
    counts = {
        "positives": len(positives),
        "judged negatives": negatives,
        "fill": len(rows) - len(positives) - negatives,
    }
    entry = account(
        "documents of the split",
        "documents",
        rows_in=len(source.documents),
        rows_out=len(rows),
        dropped=_left_out(source, chosen, rules, hard, rows),
        notes=tuple(f"{count} {origin}" for origin, count in counts.items()),
    )
    published = np.array(list(rows), dtype=np.int64)
    if rules.order == "shuffled":
        # Not the seed of the fill: with that one, what the fill took would stand together.
        digests = source.digests[np.searchsorted(source.documents, published)]
        published = shuffled(published, digests, 2**63 - 1 - rules.seed)
    return ChosenDocuments(published, counts, entry)


def _add(rows: dict[int, None], offered: Iterable[int], limit: int, omitted: Set[int]) -> None:
    for row in offered:
        if len(rows) >= limit:
            return
        if row not in omitted:
            rows.setdefault(row)


def _offered(
    source: NanoSource, chosen: ChosenQueries, rules: CorpusRules, hard: HardFill | None, inside: frozenset[int]
) -> Iterator[int]:
    if rules.fill == "none":
        return iter(())
    if rules.fill == "source-order":
        return iter(source.documents.tolist())
    if rules.fill == "random":
        return iter(shuffled(source.documents, source.digests, rules.seed).tolist())
    if hard is None:
        raise RecipeError('nano.fill = "hard" has no rankings to take from', fix="rank the source corpus first")
    ranked = {query_id: hard.rankings.get(query_id, ()) for query_id in chosen.kept}
    return hard_rows(ranked, blocked=hard.guarded | chosen.omitted | inside)


def _left_out(
    source: NanoSource, chosen: ChosenQueries, rules: CorpusRules, hard: HardFill | None, rows: Mapping[int, None]
) -> dict[str, int]:
    """Reason -> count of the source's documents that are not in `rows`; each counts once, under the first that fits."""
    judged = frozenset(chain.from_iterable(source.negatives(query_id) for query_id in chosen.kept))
    guarded = hard.guarded if hard else frozenset()
    ranked = frozenset(chain.from_iterable(hard.rankings.values())) if hard else frozenset()
    reasons = [
        ("positive that its query does not keep", chosen.omitted),
        ("beyond limit_documents", judged),
        ("may be relevant to a chosen query", guarded),
        ("beyond limit_documents", ranked),
    ]
    counts: dict[str, int] = {}
    seen = set(rows)
    for reason, members in reasons:
        counts[reason] = counts.get(reason, 0) + len(members - seen)
        seen |= members
    rest = {"none": "not judged for a chosen query", "hard": "not ranked for a chosen query"}
    reason = rest.get(rules.fill, "beyond limit_documents")
    counts[reason] = counts.get(reason, 0) + len(source.documents) - len(seen)
    return counts
