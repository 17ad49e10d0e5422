import pytest

from pyrite.core import Corpus, Document, Queries, Query, RecipeError
from pyrite.preparation.nano import (
    ChosenDocuments,
    CorpusRules,
    HardFill,
    Judgement,
    NanoSource,
    choose_documents,
    choose_queries,
    map_corpus,
    prepare_source,
)

JUDGED = {
    "q1": {0: 1, 10: 0, 11: 0, 12: 0},
    "q2": {1: 1, 2: 1, 11: 0, 13: 0},
    "q3": {3: 1, 2: 0, 14: 0, 0: 0},
}
"""Row 2 is a positive that q2 does not keep, and a judged negative of q3; row 0 is q1's and a negative of q3."""


def source(judged: dict[str, dict[int, int]] = JUDGED, documents: int = 20) -> NanoSource:
    corpus = Corpus.of(Document(f"d{row}", f"text {row}") for row in range(documents))
    queries = Queries.of(Query(query_id, f"about {query_id}?") for query_id in judged)
    rows = [Judgement(q, f"d{row}", row, grade) for q, found in judged.items() for row, grade in found.items()]
    return prepare_source(queries, rows, map_corpus(corpus))


def choose(rules: CorpusRules, hard: HardFill | None = None, queries: int = 3) -> ChosenDocuments:
    made = source()
    return choose_documents(made, choose_queries(made, limit=queries), rules, hard=hard)


def test_the_ith_negative_of_each_query_comes_in_round_i():
    # Round 0: 10, 11, (2 stays out). Round 1: (11 is in), 13, 14. Round 2: 12, -, (0 is in).
    found = choose(CorpusRules())
    assert found.rows.tolist() == [0, 1, 3, 10, 11, 13, 14, 12]
    assert found.counts == {"positives": 3, "judged negatives": 5, "fill": 0}
    assert dict(found.entry.dropped) == {
        "positive that its query does not keep": 1,
        "not judged for a chosen query": 11,
    }


def test_a_limit_inside_a_round_cuts_the_round():
    found = choose(CorpusRules(limit=6))
    assert found.rows.tolist() == [0, 1, 3, 10, 11, 13]
    assert dict(found.entry.dropped) == {
        "positive that its query does not keep": 1,
        "beyond limit_documents": 2,
        "not judged for a chosen query": 11,
    }


def test_source_order_fill_takes_what_is_left_except_unmarked_positives():
    found = choose(CorpusRules(limit=11, fill="source-order"))
    assert found.rows.tolist() == [0, 1, 3, 10, 11, 13, 14, 12, 4, 5, 6]
    assert found.counts["fill"] == 3
    assert dict(found.entry.dropped) == {"positive that its query does not keep": 1, "beyond limit_documents": 8}


def test_an_unmarked_positive_stays_out_even_where_everything_fits():
    found = choose(CorpusRules(limit=100, fill="source-order"))
    assert 2 not in found.rows
    assert len(found.rows) == 19


def test_random_fill_is_seeded_and_a_smaller_corpus_is_a_prefix_of_a_larger_one():
    """X09."""
    small, large = (choose(CorpusRules(limit=limit, fill="random", seed=7)).rows.tolist() for limit in (10, 14))
    assert large[:10] == small
    assert len(set(large)) == 14
    assert 2 not in large
    others = {tuple(choose(CorpusRules(limit=14, fill="random", seed=seed)).rows.tolist()) for seed in range(5)}
    assert len(others) == 5


def test_random_fill_does_not_follow_the_order_of_the_source():
    """X09: a source sorted by topic."""
    filled = choose(CorpusRules(limit=14, fill="random", seed=1)).rows.tolist()[8:]
    assert filled != sorted(filled)


def test_hard_fill_takes_each_query_s_next_ranked_document_and_never_a_guarded_one():
    hard = HardFill({"q1": [0, 4, 5, 6], "q2": [2, 4, 7], "q3": [8, 9]}, guarded=frozenset({5}))
    found = choose(CorpusRules(limit=13, fill="hard"), hard)
    # Round 0: 4, 7 (2 stays out, 4 is taken), 8. Round 1: 6 (5 is guarded), -, 9.
    assert found.rows.tolist()[8:] == [4, 7, 8, 6, 9]
    assert dict(found.entry.dropped) == {
        "positive that its query does not keep": 1,
        "may be relevant to a chosen query": 1,
        "not ranked for a chosen query": 5,
    }


def test_hard_fill_stops_at_the_limit_and_says_so():
    found = choose(CorpusRules(limit=9, fill="hard"), HardFill({"q1": [4, 5], "q2": [6]}))
    assert found.rows.tolist()[8:] == [4]
    assert found.entry.dropped["beyond limit_documents"] == 2


def test_hard_fill_without_rankings_is_refused():
    with pytest.raises(RecipeError, match="no rankings"):
        choose(CorpusRules(fill="hard"))


def test_more_positives_than_documents_is_an_error_that_names_both():
    with pytest.raises(RecipeError, match=r"3 kept positives of 3 queries .* nano.limit_documents = 2"):
        choose(CorpusRules(limit=2))


def test_shuffled_order_holds_the_same_documents_and_depends_on_the_seed_alone():
    plain = choose(CorpusRules()).rows.tolist()
    first, again, other = (choose(CorpusRules(order="shuffled", seed=seed)).rows.tolist() for seed in (1, 1, 2))
    assert first == again
    assert sorted(first) == sorted(plain)
    assert len({tuple(plain), tuple(first), tuple(other)}) == 3


def test_a_shuffle_does_not_tell_the_random_fill_apart():
    # With one seed for both, the fill, which has the smallest numbers, would stand in front.
    judged = {"q1": {0: 1}}
    made = source(judged, documents=400)
    rules = CorpusRules(limit=200, fill="random", order="shuffled", seed=3)
    asked = choose_queries(made, limit=1)
    found = choose_documents(made, asked, rules).rows.tolist()
    drawn = choose_documents(made, asked, CorpusRules(limit=101, fill="random", seed=3)).rows.tolist()[1:]
    first_half = len(set(found[:100]) & set(drawn))
    assert 30 <= first_half <= 70


def test_a_positive_of_an_unchosen_query_may_be_fill():
    made = source({"q1": {0: 1}, "q2": {5: 1}})
    found = choose_documents(made, choose_queries(made, limit=1), CorpusRules(limit=20, fill="source-order"))
    assert 5 in found.rows
