"""Rows of a run file become rankings."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats.rankings import coded, run_of_rows, run_of_scores

QUERIES = pa.chunked_array([["q2", "q1"], ["q2", "q1"]])
DOCS = pa.array(["a", "b", "b", "a"])


def listed(run):
    return {query: [(hit.doc_id, hit.score) for hit in hits] for query, hits in run}


def test_queries_stand_as_they_first_occur_and_ties_go_to_the_greater_id():
    run = run_of_scores("toy", QUERIES, DOCS, np.array([1.0, 0.5, 1.0, 2.0]), file="f")
    assert listed(run) == {"q2": [("b", 1.0), ("a", 1.0)], "q1": [("a", 2.0), ("b", 0.5)]}
    assert list(listed(run)) == ["q2", "q1"]


def test_the_order_compares_float32_and_the_scores_stay_as_they_are():
    """The greatest float64 numbers are all infinite in float32."""
    scores = np.array([20.0000004, 1e300, 20.0000003, 1e301])
    run = run_of_scores("toy", QUERIES, DOCS, scores, file="f")
    assert listed(run) == {"q2": [("b", 20.0000003), ("a", 20.0000004)], "q1": [("b", 1e300), ("a", 1e301)]}


def test_a_given_order_is_kept():
    run = run_of_rows("toy", QUERIES, DOCS, np.arange(4.0), np.array([0, 2, 3, 1]), file="f")
    assert listed(run) == {"q2": [("a", 0.0), ("b", 2.0)], "q1": [("a", 3.0), ("b", 1.0)]}


def test_a_document_that_is_there_twice_names_file_run_and_query():
    """O21."""
    with pytest.raises(DataError, match="f, run 'toy', query 'q2': document 'a' is retrieved twice"):
        run_of_scores("toy", QUERIES, pa.array(["a", "b", "a", "c"]), np.arange(4.0), file="f")


def test_codes_count_as_ids_first_occur():
    ids, codes = coded(QUERIES)
    assert ids.to_pylist() == ["q2", "q1"]
    assert codes.tolist() == [0, 1, 0, 1]
