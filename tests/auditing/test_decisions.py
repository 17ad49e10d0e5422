"""A person decides first, then a judge, then a rule; every item is accounted for."""

from typing import Any

import pyarrow as pa
import pytest

from pyrite.auditing import Remedies, Remedy, remedies_of
from pyrite.core import RecipeError
from pyrite.formats import QUEUE, Review


def queue() -> pa.Table:
    rows: list[dict[str, Any]] = [
        {"item": "a", "kind": "false negative", "query-id": "q0", "corpus-id": "d1", "logit": 5.0},
        {"item": "b", "kind": "false negative", "query-id": "q0", "corpus-id": "d2", "logit": None},
        {"item": "c", "kind": "near-duplicate", "query-id": "q1", "corpus-id": "d3", "positive-id": "p1"},
        {"item": "d", "kind": "near-duplicate", "query-id": "q2", "corpus-id": "d3", "positive-id": "p2"},
        {"item": "e", "kind": "ambiguous", "query-id": "q3"},
        {"item": "f", "kind": "leak", "query-id": "q4", "corpus-id": "p4"},
    ]
    whole = [{name: row.get(name, "" if name == "reason" else None) for name in QUEUE.names} for row in rows]
    return pa.Table.from_pylist(whole, schema=QUEUE)


def decide(remedy: Remedy, judged: dict[tuple[str, str], float] | None = None, **said: str) -> Remedies:
    reviews = {item: Review(item, None, None, decision) for item, decision in said.items()}  # type: ignore[arg-type]
    made = remedies_of(queue(), reviews, remedy, judged=judged)
    assert made.entry is not None
    assert made.entry.rows_in == 6
    return made


def test_only_what_a_person_decides_is_done_where_there_is_no_rule() -> None:
    made = decide(Remedy(), a="relevant", b="not relevant", c="unsure", e="relevant", f="relevant")
    assert made.add == (("q0", "d1"),)
    assert made.queries == {"q4": "leak"}
    assert (made.merge, made.documents) == ({}, {})
    assert made.entry is not None
    assert made.entry.rows_out == 4


def test_nothing_decided_is_refused() -> None:
    for said in ({}, {"a": "unsure"}, {"elsewhere": "relevant"}):
        with pytest.raises(RecipeError, match="nothing is decided"):
            decide(Remedy(), **said)


def test_a_threshold_decides_on_the_audits_own_logits_and_a_person_overrules_it() -> None:
    assert decide(Remedy(relevant_at=5.0)).add == (("q0", "d1"),)
    assert not decide(Remedy(relevant_at=5.0), a="not relevant").any
    assert not decide(Remedy(relevant_at=5.1)).any
    assert decide(Remedy(relevant_at=5.1), a="relevant").add == (("q0", "d1"),)


def test_a_judge_from_outside_decides_on_its_own_logits() -> None:
    judged = {("q0", "d1"): -1.0, ("q0", "d2"): 3.0, ("q1", "d3"): 9.0}
    assert decide(Remedy(relevant_at=3.0), judged).add == (("q0", "d2"), ("q1", "d3"))


def test_near_duplicates_are_merged_added_or_dropped_by_rule() -> None:
    assert decide(Remedy(near="merge")).merge == {"d3": "p1"}, "to the first positive that it is like"
    assert decide(Remedy(near="merge"), c="not relevant").merge == {"d3": "p2"}
    assert decide(Remedy(near="add")).add == (("q1", "d3"), ("q2", "d3"))
    assert decide(Remedy(near="drop")).documents == {"d3": "near-duplicate of a positive"}


def test_leaks_and_ambiguous_queries_go_by_rule_but_for_those_that_a_person_spares() -> None:
    made = decide(Remedy(drop_leaks=True, drop_ambiguous=True))
    assert made.queries == {"q3": "ambiguous", "q4": "leak"}
    assert decide(Remedy(drop_leaks=True, drop_ambiguous=True), e="not relevant").queries == {"q4": "leak"}


def test_what_is_relevant_can_take_the_document_or_the_query_out() -> None:
    assert decide(Remedy(relevant="drop-document"), a="relevant").documents == {"d1": "unmarked positive"}
    assert decide(Remedy(relevant="drop-query"), a="relevant").queries == {"q0": "unmarked positive"}
