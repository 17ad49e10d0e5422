"""Qrels keep grades, orders and the difference between 0 and unjudged."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError, Qrels


def test_zero_is_judged_and_absent_is_not() -> None:
    qrels = Qrels.of({"q1": {"a": 2, "b": 0}})
    assert qrels["q1"] == {"a": 2, "b": 0}
    assert qrels.positives("q1") == ["a"]
    assert qrels["q9"] == {}
    assert "q9" not in qrels


def test_scattered_rows_are_gathered_by_query_in_order_of_first_appearance() -> None:
    qrels = Qrels(pa.array(["q2", "q1", "q2"]), pa.array(["c", "a", "b"]), np.array([1, 1, 3]))
    assert list(qrels.rows()) == [("q2", "c", 1), ("q2", "b", 3), ("q1", "a", 1)]


def test_a_pair_judged_twice_is_refused_by_name() -> None:
    """O36: which of the two grades holds is not for us to guess."""
    with pytest.raises(DataError, match="query 'q1' and document 'a' are judged more than once"):
        Qrels(pa.array(["q1", "q2", "q1"]), pa.array(["a", "a", "a"]), np.array([0, 1, 2]))


def test_restricting_follows_the_given_order_and_ignores_strangers() -> None:
    qrels = Qrels.of({"q1": {"a": 1}, "q2": {"b": 1, "c": 2}})
    assert list(qrels.restrict(["q2", "q7", "q1"]).rows()) == [("q2", "b", 1), ("q2", "c", 2), ("q1", "a", 1)]


def test_ids_that_look_like_numbers_stay_as_they_are() -> None:
    """O33: "001" and "1" are two documents."""
    assert Qrels.of({"1": {"001": 1, "1": 2, "1e3": 1}})["1"] == {"001": 1, "1": 2, "1e3": 1}


def test_no_judgements_are_fine() -> None:
    assert len(Qrels.of({})) == 0
