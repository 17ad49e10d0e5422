import numpy as np
import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query
from pyrite.preparation.nano import Judgement, NanoSource, map_corpus, prepare_source, source_of


def collection(documents: dict[str, str], queries: dict[str, str], qrels: dict[str, dict[str, int]]) -> Collection:
    return Collection(
        "toy",
        "en",
        Corpus.of(Document(doc_id, text) for doc_id, text in documents.items()),
        Queries.of(Query(query_id, text) for query_id, text in queries.items()),
        Qrels.of(qrels),
    )


def dropped(source: NanoSource, stage: str) -> dict[str, int]:
    return dict(next(entry.dropped for entry in source.ledger if entry.stage == stage))


def notes(source: NanoSource, stage: str) -> tuple[str, ...]:
    return next(entry.notes for entry in source.ledger if entry.stage == stage)


def test_a_judgement_of_a_removed_twin_moves_to_the_document_that_stays():
    """X06."""
    source = source_of(collection({"a": "same", "b": "same", "c": "other"}, {"q": "why?"}, {"q": {"b": 1}}))
    assert source.judged == {"q": {0: 1}}
    assert source.documents.tolist() == [0, 2]


def test_three_copies_of_ten_documents_become_ten_and_the_judgement_stays_on_its_text():
    """O34."""
    documents = {f"{copy}{number}": f"text {number}" for copy in "abc" for number in range(10)}
    source = source_of(collection(documents, {"q": "why?"}, {"q": {"c7": 1}}))
    assert len(source.documents) == 10
    assert source.judged == {"q": {7: 1}}
    assert dropped(source, "duplicate texts") == {"same text as an earlier one": 20}


def test_a_cluster_of_equal_texts_takes_the_judgement_of_any_member():
    """O35."""
    source = source_of(collection({"judged": "same", "unjudged": "same"}, {"q": "why?"}, {"q": {"judged": 2}}))
    assert source.judged == {"q": {0: 2}}
    assert len(source.documents) == 1


def test_twins_judged_apart_keep_the_highest_grade_at_the_first_place_and_the_conflict_is_listed():
    source = source_of(
        collection({"a": "same", "b": "same", "c": "other"}, {"q": "why?"}, {"q": {"a": 0, "c": 1, "b": 2}})
    )
    assert list(source.judged["q"].items()) == [(0, 2), (2, 1)]
    assert dropped(source, "judgements") == {"same pair after merging": 1}
    assert notes(source, "judgements") == ("conflict: query 'q', document 'b': grades 0 and 2, 2 stays",)


def test_twins_across_two_queries_qrels_are_one_document_to_both():
    source = source_of(
        collection({"a": "same", "b": "same"}, {"q1": "why?", "q2": "how?"}, {"q1": {"a": 1}, "q2": {"b": 1}})
    )
    assert source.judged == {"q1": {0: 1}, "q2": {0: 1}}


def test_queries_of_equal_text_are_one_with_the_union_of_their_judgements():
    """X07."""
    source = source_of(
        collection(
            {"a": "A", "b": "B", "c": "C"},
            {"q1": "why?", "q2": "how?", "q3": "why?"},
            {"q1": {"a": 1, "c": 0}, "q2": {"b": 1}, "q3": {"b": 1, "c": 0}},
        )
    )
    assert source.queries.ids.to_pylist() == ["q1", "q2"]
    assert source.judged["q1"] == {0: 1, 2: 0, 1: 1}
    assert dropped(source, "judgements") == {"same pair after merging": 1}
    assert notes(source, "judgements") == ()


def test_a_query_that_differs_by_a_space_is_another_query():
    source = source_of(collection({"a": "A"}, {"q1": "why?", "q2": "why? "}, {"q1": {"a": 1}}))
    assert len(source.queries) == 2


def test_empty_documents_and_queries_are_left_out_with_their_judgements_and_counted():
    source = source_of(
        collection(
            {"a": "A", "blank": " \u3000\n", "b": "B"},
            {"q1": "why?", "void": "  "},
            {"q1": {"a": 1, "blank": 1}, "void": {"b": 1}},
        )
    )
    assert source.judged == {"q1": {0: 1}}
    assert source.documents.tolist() == [0, 2]
    assert dropped(source, "empty documents") == {"empty text": 1}
    assert dropped(source, "queries of equal text") == {"empty text": 1}
    assert dropped(source, "judgements") == {"document text is empty": 1, "query text is empty": 1}
    assert notes(source, "judgements") == ("left out: document 'blank'", "left out: query 'void'")


def test_judgements_of_absent_documents_and_queries_are_named():
    """O31, O32."""
    source = source_of(collection({"d1": "A"}, {"q1": "why?"}, {"q1": {"d1": 1, "d9": 1}, "q5": {"d1": 1}}))
    assert source.judged == {"q1": {0: 1}}
    assert dropped(source, "judgements") == {"document is not in the corpus": 1, "query is not in the source": 1}
    assert notes(source, "judgements") == ("left out: document 'd9'", "left out: query 'q5'")


def test_normalised_identity_merges_what_exact_identity_keeps():
    corpus = Corpus.of([Document("a", "Fool's  gold"), Document("b", "fool's gold ")])
    assert map_corpus(corpus).kept.tolist() == [0, 1]
    assert map_corpus(corpus, "normalised").kept.tolist() == [0, 0]


def test_only_a_hundred_conflicts_are_named_and_the_rest_counted():
    corpus = Corpus.of(Document(f"d{number}", f"text {number}") for number in range(130))
    twice = [Judgement("q", f"d{row}", row, grade) for grade in (0, 1) for row in range(130)]
    source = prepare_source(Queries.of([Query("q", "why?")]), twice, map_corpus(corpus))
    listed = notes(source, "judgements")
    assert (len(listed), listed[-1]) == (101, "conflict: 30 more")


@pytest.mark.parametrize("rows", [0, 1])
def test_a_corpus_without_usable_documents_leaves_no_judgement(rows: int):
    corpus = Corpus.of(Document(f"d{number}", " ") for number in range(rows))
    source = prepare_source(Queries.of([Query("q", "why?")]), [Judgement("q", "d0", rows - 1, 1)], map_corpus(corpus))
    assert source.judged == {"q": {}}
    assert np.array_equal(source.documents, [])
