from pyrite.core import Corpus, Document, Queries, Query
from pyrite.preparation.nano import Judgement, NanoSource, choose_queries, map_corpus, prepare_source


def source(judged: dict[str, dict[int, int]], documents: int = 10) -> NanoSource:
    corpus = Corpus.of(Document(f"d{row}", f"text {row}") for row in range(documents))
    queries = Queries.of(Query(query_id, f"about {query_id}?") for query_id in judged)
    rows = [Judgement(q, f"d{row}", row, grade) for q, found in judged.items() for row, grade in found.items()]
    return prepare_source(queries, rows, map_corpus(corpus))


def test_the_limit_counts_eligible_queries_only():
    chosen = choose_queries(source({"q1": {0: 0}, "q2": {1: 1}, "q3": {}, "q4": {2: 1}, "q5": {3: 1}}), limit=2)
    assert chosen.queries.ids.to_pylist() == ["q2", "q4"]
    assert (chosen.entry.rows_in, chosen.entry.rows_out) == (5, 2)
    assert dict(chosen.entry.dropped) == {"no positive in the corpus": 2, "beyond limit_queries": 1}


def test_one_kept_positive_is_the_highest_grade_then_the_first_in_qrels_order():
    chosen = choose_queries(source({"q1": {4: 1, 2: 2, 7: 2}, "q2": {9: 1, 3: 1}}), limit=9)
    assert chosen.kept == {"q1": (2,), "q2": (9,)}
    assert chosen.omitted == {4, 7, 3}


def test_all_positives_are_kept_in_qrels_order():
    chosen = choose_queries(source({"q1": {4: 1, 5: 0, 2: 2}}), limit=9, positives="all")
    assert chosen.kept == {"q1": (4, 2)}
    assert chosen.omitted == frozenset()


def test_a_positive_that_another_chosen_query_keeps_is_not_omitted():
    chosen = choose_queries(source({"q1": {4: 1, 2: 1}, "q2": {2: 1}}), limit=9)
    assert chosen.omitted == frozenset()
    assert choose_queries(source({"q1": {4: 1, 2: 1}, "q2": {2: 1}}), limit=1).omitted == {2}
