"""The rows of the queue: ids, order, numbers and reasons."""

from collections.abc import Callable
from typing import Any

from pyrite.auditing import AuditRules, Leak, NearPairs, Sightings, item_id, queue_of, suspect
from pyrite.formats import KINDS

Look = Callable[..., Sightings]
NONE = NearPairs.of([])


def rows(
    seen: Sightings, near: NearPairs = NONE, leaks: list[Leak] | None = None, **rules: Any
) -> list[dict[str, Any]]:
    return queue_of(suspect(seen, near, AuditRules(**rules)), leaks or []).to_pylist()


def test_a_likely_false_negative_says_who_scores_and_ranks_it_how(look: Look) -> None:
    logits = {("q0", "p0"): 7.0, ("q0", "d4"): 7.25}
    (row,) = rows(look({"q0": ["d6", "p0"]}, {"q0": ["d4", "p0"]}, logits=logits))
    assert row == {
        "item": item_id("pair", "q0", "d4"),
        "kind": "false negative",
        "query-id": "q0",
        "corpus-id": "d4",
        "positive-id": "p0",
        "system": "s1",
        "rank": 1,
        "score": 9.0,
        "logit": 7.25,
        "positive_logit": 7.0,
        "above": 1,
        "reason": "The teacher scores it 7.25 and the best positive 7.00, "
        "and 1 of 2 systems ranks it above the positive.",
    }


def test_by_the_systems_alone_there_are_no_logits(look: Look) -> None:
    (row,) = rows(look({"q1": ["d4"]}, {"q1": ["d5", "d4"]}))
    assert (row["corpus-id"], row["logit"], row["positive_logit"], row["above"]) == ("d4", None, None, 1)
    assert row["reason"] == "2 of 2 systems rank it above the positive, s0 at rank 1."


def test_a_near_duplicate_is_listed_once_under_the_id_that_the_pair_has_anyway(look: Look) -> None:
    near = NearPairs.of([(2, 4, 2, False), (2, 4, 6, False), (0, 3, 0, True)])
    first, second = rows(look(near=near), near)
    assert [first["kind"], first["item"]] == ["near-duplicate", item_id("pair", "q0", "d3")]
    assert first["reason"].startswith("Its text is that of the positive but for case, width and white space")
    assert (second["positive-id"], second["system"], second["rank"]) == ("p2", None, None)


def test_kinds_stand_in_their_order_and_items_are_there_once(look: Look) -> None:
    near = NearPairs.of([(0, 3, 0, True)])
    seen = look({"q0": ["d4", "d6"], "q1": ["d4"]}, {"q0": ["d4"], "q1": ["d4"]}, near=near)
    leaks = [Leak(0, 0, "the same as a document", 0), Leak(0, -1, "the same as a query", 1)]
    found = rows(seen, near, leaks, ambiguous=1)
    assert [row["kind"] for row in found] == sorted([row["kind"] for row in found], key=KINDS.index)
    assert {row["kind"] for row in found} == set(KINDS)
    assert len({row["item"] for row in found}) == len(found)


def test_an_ambiguous_query_names_no_document_and_how_many_are_above(look: Look) -> None:
    found = rows(look({"q0": ["d4", "d6", "p0"]}, logits={("q0", "p0"): 0.5, ("q0", "d4"): 1.0}), ambiguous=1)
    (row,) = [row for row in found if row["kind"] == "ambiguous"]
    assert (row["query-id"], row["corpus-id"], row["positive-id"], row["above"]) == ("q0", None, "p0", 1)
    assert (
        row["reason"]
        == "Of the documents that are not known to be relevant, the teacher scores 1 above the best positive."
    )


def test_leaks_stand_by_the_strength_of_the_reason_and_a_query_shows_its_first_positive(look: Look) -> None:
    leaks = [Leak(1, 1, "the same as a document", 0), Leak(2, -1, "the same as a query", 1), Leak(0, 0, "x", 1)]
    found = rows(look(), leaks=leaks)
    assert [(row["query-id"], row["corpus-id"]) for row in found] == [("q1", "p1"), ("q2", "p2"), ("q0", "p0")]
    assert found[1]["reason"] == "The text of the query is the same as a query of the other dataset."


def test_ids_do_not_run_into_each_other() -> None:
    assert item_id("pair", "a", "b/c") != item_id("pair", "a/b", "c")
    assert item_id("pair", "a\x00b", "c") != item_id("pair", "a", "b\x00c")


def test_a_negative_of_mined_rows_says_so(look: Look) -> None:
    seen = look({"q0": ["d4"]}, logits={("q0", "p0"): 1.0, ("q0", "d4"): 2.0})
    (row,) = rows(seen.with_uses((seen.document == 4) * 2, seen.settled))
    assert row["reason"].endswith("; it is a negative of 2 mined rows.")
