"""Tables of queries that list their relevant documents."""

import json
import warnings

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import DataWarning, read_collection, write_parquet

DOCS = {"docid": ["x", "y", "z"], "text": ["a", "b", "c"]}


def make(folder, queries, corpus=DOCS):
    for name, table in (("corpus", corpus), ("queries", queries)):
        write_parquet(folder / f"{name}.parquet", pa.table(table))
    return folder


def rows(folder, **options):
    return list(read_collection(folder, **options).qrels.rows())


def test_the_queries_of_jmteb_list_their_documents(tmp_path):
    make(tmp_path, {"query": ["a?", "b?", "c?"], "relevant_docs": [["y", "x"], ["z"], []]})
    found = read_collection(tmp_path)
    assert found.queries.ids.to_pylist() == ["q0", "q1", "q2"]
    assert list(found.qrels.rows()) == [("q0", "y", 1), ("q0", "x", 1), ("q1", "z", 1)]


def test_negatives_are_judged_zero_and_ids_kept(tmp_path):
    make(tmp_path, {"query_id": ["001"], "query": ["a?"], "positives": [["x"]], "negatives": [["z", "y"]]})
    assert rows(tmp_path) == [("001", "x", 1), ("001", "z", 0), ("001", "y", 0)]


def test_row_numbers_are_the_documents_there(tmp_path):
    make(tmp_path, {"id": ["q"], "query": ["a?"], "positives": [[2, 0]], "negatives": [[1]]})
    with pytest.warns(DataWarning, match="none is the id of a document; they are taken as rows of the corpus, from 0"):
        assert rows(tmp_path) == [("q", "z", 1), ("q", "x", 1), ("q", "y", 0)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows(tmp_path, refer_by="row") == [("q", "z", 1), ("q", "x", 1), ("q", "y", 0)]


def test_integer_ids_are_ids_where_the_corpus_has_them(tmp_path):
    """O33: an integer here and its string there are one id."""
    make(tmp_path, {"id": ["q"], "query": ["a?"], "relevant_docs": [[1]]}, {"_id": ["0", "1"], "text": ["a", "b"]})
    with pytest.warns(DataWarning, match="hold integers; they are cast to strings"):
        assert rows(tmp_path) == [("q", "1", 1)]


def test_a_row_beyond_the_corpus_and_an_unknown_id_are_named(tmp_path):
    """O31."""
    make(tmp_path, {"id": ["q"], "query": ["a?"], "positives": [[3]]})
    with pytest.raises(DataError, match=r"queries\.parquet: query 'q' refers to row '3' of a corpus of 3 rows"):
        rows(tmp_path, refer_by="row")
    make(tmp_path, {"id": ["q"], "query": ["a?"], "positives": [["w"]]})
    with pytest.raises(
        DataError, match=r"queries\.parquet: 1 of 1 judgements name 1 document .* not in the corpus: 'w'"
    ):
        rows(tmp_path)


def test_a_bare_string_is_one_document_and_never_its_letters(tmp_path):
    """O09."""
    make(tmp_path, {"id": ["q"], "query": ["a?"], "relevant_docs": ["xy"]}, {"id": ["x", "y", "xy"], "text": ["a"] * 3})
    assert rows(tmp_path) == [("q", "xy", 1)]


def test_a_string_among_lists_is_an_error_with_its_line(tmp_path):
    """O09."""
    (tmp_path / "corpus.jsonl").write_text('{"_id": "x", "text": "a"}\n')
    lines = [{"_id": "1", "text": "a?", "positives": ["x"]}, {"_id": "2", "text": "b?", "positives": "x"}]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(
        DataError, match=r"queries\.jsonl, line 2: column 'positives' holds 'x' where other rows hold a"
    ):
        read_collection(tmp_path)


def test_a_document_listed_twice_counts_once_and_one_of_both_lists_is_an_error(tmp_path):
    """O36."""
    make(tmp_path, {"id": ["q"], "query": ["a?"], "positives": [["x", "x"]]})
    with pytest.warns(DataWarning, match="1 of 2 judgements repeat an earlier pair"):
        assert rows(tmp_path) == [("q", "x", 1)]
    make(tmp_path, {"id": ["q"], "query": ["a?"], "positives": [["x"]], "negatives": [["x"]]})
    with pytest.raises(DataError, match="query 'q' and document 'x' are judged both 0 and 1"):
        rows(tmp_path)


def test_queries_that_list_nothing_are_a_sentence_with_their_columns(tmp_path):
    make(tmp_path, {"_id": ["q"], "text": ["a?"]})
    with pytest.raises(DataError, match=r"queries\.parquet: there are no qrels, and no column lists .* _id, text; add"):
        read_collection(tmp_path)
