"""Rows of judgements: repeated, conflicting, dangling."""

import pyarrow as pa
import pytest

from pyrite.core import Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.formats import DataWarning, check_references, drop_dangling
from pyrite.formats.judgements import judged

CORPUS = Corpus.of([Document("d1", "a"), Document("d2", "b")])
QUERIES = Queries.of([Query(f"q{number}", "?") for number in range(1, 5)])


def table(*rows):
    return pa.Table.from_pylist([dict(zip(("query", "doc", "relevance"), row, strict=True)) for row in rows])


def test_a_repeated_row_counts_once_and_is_counted():
    """O36."""
    with pytest.warns(DataWarning, match=r"^qrels\.tsv: 2 of 4 judgements repeat an earlier pair"):
        qrels = judged(table(("q1", "d1", 1), ("q2", "d1", 0), ("q1", "d1", 1), ("q1", "d1", 1)), where="qrels.tsv")
    assert list(qrels.rows()) == [("q1", "d1", 1), ("q2", "d1", 0)]


def test_two_grades_for_one_pair_stop_with_the_pair():
    """O36."""
    rows = table(("q1", "d2", 1), ("q1", "d1", 0), ("q1", "d1", 2))
    with pytest.raises(DataError) as caught:
        judged(rows, where="qrels.tsv")
    assert str(caught.value) == ("qrels.tsv: query 'q1' and document 'd1' are judged both 0 and 2; keep one judgement.")


def test_the_greatest_grade_is_taken_where_that_is_asked_for():
    """O36."""
    rows = table(("q1", "d2", 1), ("q1", "d1", 0), ("q1", "d1", 2))
    with pytest.warns(DataWarning, match="with its greatest grade"):
        qrels = judged(rows, where="qrels.tsv", conflicts="max")
    assert list(qrels.rows()) == [("q1", "d2", 1), ("q1", "d1", 2)]


def test_order_zeros_and_negative_grades_stay():
    rows = [("q2", "d9", -1), ("q2", "d1", 0), ("q1", "d5", 3), ("q1", "d4", 2)]
    assert list(judged(table(*rows), where="f").rows()) == rows


def test_absent_documents_are_counted_and_the_first_are_named():
    """O31."""
    qrels = Qrels.of({"q1": {"d1": 1, "d9": 1}, "q2": {f"x{number}": 1 for number in range(6)}, "q3": {"d9": 0}})
    with pytest.raises(DataError) as caught:
        check_references(qrels, CORPUS, QUERIES, where="split 'test'")
    assert str(caught.value) == (
        "split 'test': 8 of 9 judgements name 7 documents that are not in the corpus: "
        "'d9', 'x0', 'x1', 'x2', 'x3' and 2 more; add what is missing, or leave the judgements out."
    )


def test_an_absent_query_is_named():
    """O32: qrels q5, queries q1-q4."""
    with pytest.raises(DataError) as caught:
        check_references(Qrels.of({"q1": {"d1": 1}, "q5": {"d2": 1}}), CORPUS, QUERIES, where="split 'dev'")
    assert str(caught.value) == (
        "split 'dev': 1 of 2 judgements name 1 query that is not among the queries: 'q5'; "
        "add what is missing, or leave the judgements out."
    )


def test_whole_references_are_fine():
    check_references(Qrels.of({"q1": {"d1": 1}}), CORPUS, QUERIES, where="test")
    check_references(Qrels.of({}), CORPUS, QUERIES, where="test")


def test_dangling_judgements_are_dropped_with_an_account_and_the_queries_they_empty():
    """O31, O32."""
    qrels = Qrels.of({"q1": {"d1": 1, "d9": 1}, "q2": {"d9": 1, "d2": 0}, "q5": {"d1": 1, "d8": 1}})
    kept, entry = drop_dangling(qrels, CORPUS, QUERIES)
    assert list(kept.rows()) == [("q1", "d1", 1), ("q2", "d2", 0)]
    assert (entry.rows_in, entry.rows_out) == (6, 2)
    assert entry.dropped == {"document not in the corpus": 3, "query not among the queries": 1}
    assert entry.notes == ("1 queries lose every positive: 'q2'",)


def test_nothing_dangling_is_nothing_dropped():
    kept, entry = drop_dangling(Qrels.of({"q1": {"d1": 1}}), CORPUS, QUERIES)
    assert list(kept.rows()) == [("q1", "d1", 1)]
    assert (entry.dropped, entry.notes) == ({}, ())
