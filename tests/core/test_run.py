"""Runs and their total order."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError, Run, rank_order, trec_ties


def test_equal_scores_are_ordered_by_the_tie_key_alone() -> None:
    """O19, O44: the order of the input decides nothing."""
    scores = np.array([1.0, 1.0, 2.0, 1.0])
    positions = np.array([7, 3, 9, 5])
    order = rank_order(scores, positions)
    shuffle = np.array([3, 0, 2, 1])
    again = rank_order(scores[shuffle], positions[shuffle])
    assert positions[order].tolist() == positions[shuffle][again].tolist() == [9, 3, 5, 7]


def test_trec_ties_go_to_the_greater_id_as_bytes() -> None:
    ids = ["9", "10", "a", "B", "é"]
    order = rank_order(np.zeros(5), trec_ties(ids))
    assert [ids[place] for place in order] == ["é", "a", "B", "9", "10"]


def test_a_document_twice_in_one_ranking_is_refused_with_both_names() -> None:
    """O21: it would count twice and lift nDCG above 1."""
    with pytest.raises(DataError, match="run 'toy', query 'q2': document 'a' is retrieved twice"):
        Run.of("toy", {"q1": [("a", 1.0)], "q2": [("a", 2.0), ("b", 1.5), ("a", 1.0)]})


def test_the_same_document_for_two_queries_is_fine() -> None:
    assert Run.of("toy", {"q1": [("a", 1.0)], "q2": [("a", 2.0)]}).depth == 1


def test_a_score_that_is_no_number_names_its_query() -> None:
    with pytest.raises(DataError, match="query 'q2': a score is not a number"):
        Run.of("toy", {"q1": [("a", 1.0)], "q2": [("b", float("nan"))]})


def test_cutting_keeps_queries_without_hits() -> None:
    run = Run.of("toy", {"q1": [("a", 3.0), ("b", 2.0)], "q2": [], "q3": [("c", 1.0)]}).cut(1)
    assert [(query, [hit.doc_id for hit in hits]) for query, hits in run] == [("q1", ["a"]), ("q2", []), ("q3", ["c"])]


def test_a_query_is_taken_out_of_its_own_ranking_only() -> None:
    run = Run.of("toy", {"d1": [("d1", 3.0), ("d2", 2.0)], "d2": [("d1", 1.0)]})
    assert [hit.doc_id for hit in run.without_self()["d1"]] == ["d2"]
    assert [hit.rank for hit in run.without_self()["d1"]] == [1]
    assert [hit.doc_id for hit in run.without_self()["d2"]] == ["d1"]


def test_offsets_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DataError, match="offsets"):
        Run(
            "toy",
            query_ids=pa.array(["q1"]),
            offsets=np.array([0, 2]),
            positions=np.array([0], dtype=np.int32),
            doc_ids=pa.array(["a"]),
            scores=np.array([1.0]),
        )
