"""The numbers of an audit add up."""

from collections.abc import Callable

from pyrite.auditing import AuditRules, Leak, NearPairs, Sightings, audit_counts, queue_of, suspect

Look = Callable[..., Sightings]


def test_items_are_the_queues_rows_and_every_table_has_its_sum(look: Look) -> None:
    near = NearPairs.of([(0, 3, 0, True), (2, 4, 2, False)])
    seen = look({"q0": ["d4", "d6"], "q3": ["d5"]}, {"q0": ["d4"]}, near=near)
    found = suspect(seen, near, AuditRules(ambiguous=1))
    leaks = [Leak(0, -1, "a", 0), Leak(1, -1, "b", 1), Leak(2, -1, "b", 1)]
    counts = audit_counts(found, leaks)
    told = counts.to_json()
    assert told["items"]["together"] == len(queue_of(found, leaks))
    assert counts.items == {"false negative": 1, "near-duplicate": 2, "ambiguous": 1, "leak": 3}
    assert sum(counts.fates.values()) == counts.pairs == len(seen)
    assert sum(counts.evidence.values()) == 1
    assert counts.above == {
        **{"0": 0, "1": 1, "2": 0, "3 to 5": 0, "6 to 10": 0, "more than 10": 0},
        "nobody can say": 3,
    }
    assert (counts.copies, counts.uses, counts.leaks) == (1, 0, {"a": 1, "b": 2})


def test_a_query_with_very_many_above_is_in_the_last_band(look: Look) -> None:
    seen = look()
    found = suspect(seen, NearPairs.of([]), AuditRules())
    found.bars.above[:] = [0, 6, 11, 12]
    assert list(audit_counts(found, []).above.values()) == [1, 0, 0, 0, 1, 2, 0]
