"""A cleaned collection: what was decided is done, nothing else changes, and the account adds up."""

import pytest

from pyrite.auditing import Remedies, clean
from pyrite.core import Collection, DataError


def test_an_added_judgement_has_relevance_1_and_never_lowers_a_grade(minerals: Collection) -> None:
    cleaned = clean(minerals, Remedies(add=(("q0", "d4"), ("q0", "d5"), ("q1", "p1"))))
    assert cleaned.collection.qrels["q0"] == {"p0": 1, "d5": 1, "d4": 1}
    assert cleaned.collection.qrels["q1"] == {"p1": 2}
    assert cleaned.added == 1
    assert minerals.qrels["q0"] == {"p0": 1, "d5": 0}, "the collection itself is as it was"


def test_a_merged_document_gives_its_judgements_to_the_positive(minerals: Collection) -> None:
    cleaned = clean(minerals, Remedies(merge={"d6": "p1", "d3": "p0"}))
    assert cleaned.collection.corpus.ids.to_pylist() == ["p0", "p1", "p2", "d4", "d5"]
    assert cleaned.collection.qrels["q2"] == {"p2": 2, "p1": 1}
    assert cleaned.ledger.entries[1].dropped == {"merged into a positive": 2}


def test_likeness_is_never_handed_on(minerals: Collection) -> None:
    cleaned = clean(minerals, Remedies(merge={"d3": "p0", "p0": "p1", "d4": "d3"}))
    assert cleaned.merged == {"d3": "p0"}
    assert cleaned.collection.qrels["q1"] == {"p1": 2, "p0": 1}, "it stays, judged relevant where its positive is"


def test_documents_go_with_their_judgements_and_queries_without_a_positive_go_too(minerals: Collection) -> None:
    cleaned = clean(minerals, Remedies(documents={"p0": "unmarked positive"}, queries={"q2": "leak"}))
    assert cleaned.collection.queries.ids.to_pylist() == ["q1", "q3"], "q3 had no positive before"
    assert cleaned.queries == {"q2": "leak", "q0": "no positive is left"}
    queries, documents, judgements = cleaned.ledger.entries
    assert (queries.rows_in, queries.rows_out) == (4, 2)
    assert (documents.rows_in, documents.rows_out) == (7, 6)
    assert (judgements.rows_in, judgements.rows_out) == (5, 1)
    assert judgements.dropped == {"their document is taken out": 1, "their query is taken out": 3}


def test_what_is_not_there_is_named(minerals: Collection) -> None:
    with pytest.raises(DataError, match="names the document 'd9'"):
        clean(minerals, Remedies(add=(("q0", "d9"),)))
    with pytest.raises(DataError, match="names the query 'q9'"):
        clean(minerals, Remedies(queries={"q9": "leak"}))


def test_a_collection_of_which_no_query_is_left_is_refused(minerals: Collection) -> None:
    with pytest.raises(DataError, match="no query is left"):
        clean(minerals, Remedies(queries=dict.fromkeys(["q0", "q1", "q2", "q3"], "leak")))
