import numpy as np

from pyrite.preparation.nano.fill import hard_rows, round_robin, shuffled

DIGESTS = np.random.default_rng(5).integers(0, 2**63, size=(2000, 2)).astype(np.uint64)


def test_every_list_gives_one_entry_a_round_until_it_is_empty():
    assert list(round_robin([[1, 2, 3], [4], [], [5, 6]])) == [1, 4, 5, 2, 6, 3]
    assert list(round_robin([])) == []


def test_a_query_whose_next_document_is_taken_offers_the_one_after_it():
    assert list(hard_rows({"q1": [1, 2, 3], "q2": [1, 2, 4]}, blocked=frozenset())) == [1, 2, 3, 4]


def test_a_blocked_document_costs_its_query_no_turn():
    assert list(hard_rows({"q1": [9, 1], "q2": [9, 2]}, blocked={9})) == [1, 2]


def test_a_shuffle_follows_the_texts_and_not_the_places():
    rows = np.arange(2000)
    turned = rows[::-1]
    assert shuffled(rows, DIGESTS, 3).tolist() == shuffled(turned, DIGESTS[::-1], 3).tolist()
    assert shuffled(rows, DIGESTS, 3).tolist() != shuffled(rows, DIGESTS, 4).tolist()


def test_the_head_of_a_shuffle_is_spread_over_the_whole_source():
    """X09: a source sorted by topic."""
    head = shuffled(np.arange(2000), DIGESTS, 0)[:200]
    quarters = np.bincount(head // 500, minlength=4)
    assert quarters.min() > 25
    assert quarters.max() < 80
