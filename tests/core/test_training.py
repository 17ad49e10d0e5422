"""Columns of pairs, pools and tuples that do not align are refused; views are plain records."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import (
    Corpus,
    DataError,
    Document,
    Found,
    Pair,
    Pairs,
    Pool,
    Queries,
    Query,
    TrainingTuple,
    TrainingTuples,
)

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?")])
CORPUS = Corpus.of([Document("d0", "A."), Document("d1", "B."), Document("d2", "C.")])


def pool(**changes):
    columns = {
        "offsets": np.array([0, 2, 3]),
        "documents": np.array([1, 0, 2], np.int32),
        "retriever": np.array([0, -1, 0], np.int16),
        "rank": np.array([1, 0, 4], np.int32),
        "score": np.array([0.5, np.nan, 0.25]),
        "logit": np.array([2.0, np.nan, -1.0], np.float32),
    }
    return Pool(QUERIES, CORPUS, ("bm25",), **(columns | changes))


def test_pairs_are_records_at_the_edge():
    pairs = Pairs(QUERIES, np.array([1, 0]), pa.array(["d2", "d0"]))
    assert list(pairs) == [Pair("q1", "d2"), Pair("q0", "d0")]
    assert list(pairs.take(np.array([1]))) == [Pair("q0", "d0")]
    assert pairs.query_ids().to_pylist() == ["q1", "q0"]
    with pytest.raises(DataError, match="do not align"):
        Pairs(QUERIES, np.array([1]), pa.array(["d2", "d0"]))


def test_a_pool_says_who_found_what_where():
    held = pool()
    assert held["q1"] == [Found("d2", "bm25", 4, 0.25, -1.0)]
    positive = held["q0"][1]
    assert (positive.doc_id, positive.retriever, positive.rank, positive.logit) == ("d0", "", 0, None)
    assert held.query_of.tolist() == [0, 0, 1]
    assert held.scored.tolist() == [True, False, True]


def test_scoring_and_taking_give_new_pools():
    held = pool()
    scored = held.with_logits(np.array([1]), np.array([7.0], np.float32))
    assert (held.scored.all(), scored.scored.all(), scored["q0"][1].logit) == (False, True, 7.0)
    kept = held.take(held.scored)
    assert (len(kept), kept.offsets.tolist(), [found.doc_id for found in kept["q0"]]) == (2, [0, 1, 2], ["d1"])


def test_columns_that_do_not_align_are_refused():
    with pytest.raises(DataError, match="columns of a pool"):
        pool(rank=np.array([1], np.int32))
    with pytest.raises(DataError, match="offsets of a pool"):
        pool(offsets=np.array([0, 3]))


def tuples(lengths=(2, 1)):
    total = sum(lengths)
    return TrainingTuples(
        QUERIES,
        CORPUS,
        np.array([0, 1], np.int32),
        np.array([2, 0], np.int32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array([0, 1, 2, 1][:total], np.int32),
        np.array([5.0, 4.0], np.float32),
        np.arange(total, dtype=np.float32),
    )


def test_tuples_of_different_lengths_are_rows_but_no_matrix():
    """O16."""
    held = tuples()
    assert list(held) == [
        TrainingTuple("a?", "C.", ("A.", "B."), (5.0, 0.0, 1.0)),
        TrainingTuple("b?", "A.", ("C.",), (4.0, 2.0)),
    ]
    with pytest.raises(DataError, match="different numbers of negatives"):
        held.labels()
    assert held.take(np.array([1])).labels().tolist() == [[4.0, 2.0]]
    assert list(held.take(np.array([1, 0]))) == list(held)[::-1]


def test_labels_are_a_matrix_with_the_positive_first():
    assert tuples((2, 2)).labels().tolist() == [[5.0, 0.0, 1.0], [4.0, 2.0, 3.0]]
    assert tuples((2, 2)).take(np.empty(0, np.int64)).labels().shape == (0, 1)
