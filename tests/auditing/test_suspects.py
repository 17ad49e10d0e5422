"""Which pairs are suspected, on what evidence, in which order; every pair has one fate."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pyrite.auditing import FATES, AuditRules, NearPairs, Sightings, Suspects, suspect
from pyrite.core import RecipeError

Look = Callable[..., Sightings]
NONE = NearPairs.of([])


def fates(found: Suspects) -> dict[tuple[str, str], str]:
    queries, docs = found.seen.collection.queries.ids.to_pylist(), found.seen.collection.corpus.ids.to_pylist()
    rows = zip(found.seen.query.tolist(), found.seen.document.tolist(), found.fate.tolist(), strict=True)
    return {(queries[q], docs[d]): FATES[fate] for q, d, fate in rows}


def listed(found: Suspects) -> list[tuple[int, int]]:
    rows = found.false_negatives
    return list(zip(found.seen.query[rows].tolist(), found.seen.document[rows].tolist(), strict=True))


def test_a_document_at_the_positives_logit_is_suspected_and_one_just_below_is_not(look: Look) -> None:
    logits = {("q0", "p0"): -2.0, ("q0", "d4"): -2.0, ("q0", "d6"): -2.0000002}
    found = suspect(look({"q0": ["d4", "d6"]}, logits=logits), NONE, AuditRules())
    told = fates(found)
    assert told[("q0", "d4")] == "likely false negative"
    assert told[("q0", "d6")] == "the teacher puts it below the positive"


def test_what_is_judged_not_relevant_is_never_a_false_negative(look: Look) -> None:
    logits = {("q0", "p0"): 1.0, ("q0", "d5"): 9.0}
    found = suspect(look({"q0": ["d5"]}, {"q0": ["d5"]}, logits=logits), NONE, AuditRules())
    assert fates(found)[("q0", "d5")] == "judged not relevant"
    assert found.bars.above[0] == 1, "and still it stands above"


def test_without_a_teacher_several_systems_have_to_agree(look: Look) -> None:
    runs = {"q0": ["d4", "d6", "p0"]}, {"q0": ["d4", "p0"]}, {"q1": ["p1"]}
    told = fates(suspect(look(*runs), NONE, AuditRules()))
    assert told[("q0", "d4")] == "likely false negative"
    assert told[("q0", "d6")] == "too few systems rank it above the positive"
    strict = fates(suspect(look(*runs), NONE, AuditRules(agree=3)))
    assert strict[("q0", "d4")] == "too few systems rank it above the positive"


def test_systems_count_within_their_first_ranks_only(look: Look) -> None:
    runs = {"q1": ["d5", "d4"]}, {"q1": ["d6", "d4"]}
    assert fates(suspect(look(*runs), NONE, AuditRules(top=2)))[("q1", "d4")] == "likely false negative"
    assert fates(suspect(look(*runs), NONE, AuditRules(top=1)))[("q1", "d4")] != "likely false negative"


def test_where_the_teacher_says_no_the_systems_are_not_asked(look: Look) -> None:
    runs = {"q0": ["d4", "p0"]}, {"q0": ["d4", "p0"]}
    found = suspect(look(*runs, logits={("q0", "p0"): 2.0, ("q0", "d4"): 1.0}), NONE, AuditRules())
    assert fates(found)[("q0", "d4")] == "the teacher puts it below the positive"
    half = suspect(look(*runs, logits={("q0", "p0"): 2.0}), NONE, AuditRules())
    assert fates(half)[("q0", "d4")] == "likely false negative", "it has not scored both"


def test_a_query_without_a_positive_suspects_nothing(look: Look) -> None:
    told = fates(suspect(look({"q3": ["d4"]}, {"q3": ["d4"]}), NONE, AuditRules()))
    assert told[("q3", "d4")] == "query without a positive"


def test_a_near_duplicate_has_that_fate_whoever_finds_it(look: Look) -> None:
    near = NearPairs.of([(0, 3, 0, True), (0, 5, 0, False)])
    logits = {("q0", "p0"): 1.0, ("q0", "d3"): 2.0}
    found = suspect(look({"q0": ["d3"]}, near=near, logits=logits), near, AuditRules())
    told = fates(found)
    assert told[("q0", "d3")] == told[("q0", "d5")] == "near-duplicate of a positive", "judged 0 or not at all"
    assert found.near_duplicates.tolist() == [0, 1]


def test_what_the_datasets_own_rules_leave_out_is_not_suspected(look: Look) -> None:
    seen = look({"q0": ["d4"]}, logits={("q0", "p0"): 1.0, ("q0", "d4"): 2.0})
    settled = seen.document == 4
    found = suspect(seen.with_uses(np.zeros(len(seen), np.int32), settled), NONE, AuditRules())
    assert fates(found)[("q0", "d4")] == "left out by the dataset's own rules"


def test_the_fates_add_up(look: Look) -> None:
    near = NearPairs.of([(0, 3, 0, True)])
    runs = {"q0": ["d4", "p0", "d6"], "q3": ["d5"]}, {"q0": ["d4"], "q1": ["d4", "d5"]}
    found = suspect(look(*runs, near=near, logits={("q0", "p0"): 1.0, ("q0", "d4"): 2.0}), near, AuditRules())
    entry = found.entry()
    assert sum(found.counts.values()) == len(found.seen) == entry.rows_in
    assert entry.rows_out == len(found.false_negatives) + len(found.near_duplicates) == 2


def test_the_most_suspicious_come_first_and_ties_go_by_query_then_document(look: Look) -> None:
    logits = {("q0", "p0"): 1.0, ("q0", "d4"): 2.0, ("q0", "d6"): 5.0, ("q1", "p1"): 0.0}
    logits |= {("q1", "d4"): 5.0, ("q1", "d5"): 2.0, ("q1", "d6"): 2.0}
    one = {"q0": ["d4", "d6"], "q1": ["d4", "d5", "d6"]}
    seen = look(one, {"q0": ["d4"]}, logits=logits)
    found = suspect(seen, NONE, AuditRules())
    assert [found.evidence[row] for row in found.false_negatives] == [0, 1, 1, 1, 1]
    assert listed(found) == [(0, 4), (1, 4), (0, 6), (1, 5), (1, 6)], "agreement, then logit, then best rank"
    uses = np.where((seen.query == 1) & (seen.document == 6), 3, 0)
    used = suspect(seen.with_uses(uses, seen.settled), NONE, AuditRules())
    assert listed(used)[0] == (1, 6), "a negative of mined rows does harm, and comes first"


def test_ambiguous_queries_have_many_documents_above(look: Look) -> None:
    seen = look({"q0": ["d4", "d6", "p0"], "q1": ["d4", "d5", "d6", "p1"]})
    found = suspect(seen, NONE, AuditRules(ambiguous=2))
    assert found.ambiguous.tolist() == [1, 0], "three above, then two"
    assert replace(found, rules=AuditRules(ambiguous=3)).ambiguous.tolist() == [1]


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"agree": 0}, {"near": 0.1}, {"near": 1.5}])
def test_rules_that_look_at_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RecipeError):
        AuditRules(**wrong)
