"""Queries with relevant ids become pairs: order, repeats, what is missing."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.mining import Expanded, KnownPositives, PairRules, expand_pairs, place_pairs, text_numbers

TEXTS = ["a?", "b?", " ", "a?", None, "c?"]
RELEVANT = [["d1", "d2"], ["d3", "d3"], ["d4"], ["d2", "d5"], ["d6"], []]


def expanded(duplicates, relevant=RELEVANT, ids=None):
    held = None if ids is None else pa.chunked_array([ids])
    texts = pa.chunked_array([TEXTS[: len(relevant)]], pa.large_string())
    return expand_pairs(held, texts, pa.chunked_array([relevant]), duplicates=duplicates)


def pairs_of(made: Expanded | KnownPositives):
    held = made.known if isinstance(made, Expanded) else made.pairs
    return [(pair.query_id, pair.doc_id) for pair in held]


def placed(made, there, **rules):
    """The pairs over a pool that holds these documents, by id -> position; others are absent."""
    ids = made.known.doc_ids.to_pylist()
    positions = np.array([there.get(doc_id, -1) for doc_id in ids])
    return place_pairs(made, positions, absent=positions < 0, rules=PairRules(**rules))


def test_merged_queries_have_the_documents_of_all_their_rows_in_source_order():
    made = expanded("merge")
    assert pairs_of(made) == [("q0", "d1"), ("q0", "d2"), ("q1", "d3"), ("q0", "d5")]
    assert made.known.queries.ids.to_pylist() == ["q0", "q1"]
    assert made.entry.dropped == {"empty query": 2, "no relevant document": 1, "query text seen before": 1}
    assert made.listed == 6


def test_kept_queries_are_one_a_row_and_are_numbered_by_their_row():
    made = expanded("keep")
    assert pairs_of(made) == [("q0", "d1"), ("q0", "d2"), ("q1", "d3"), ("q3", "d2"), ("q3", "d5")]
    assert made.known.queries.ids.to_pylist() == ["q0", "q1", "q3"]


def test_ids_of_the_source_stay():
    assert pairs_of(expanded("merge", ids=["x", "y", "z", "w", "v", "u"]))[0] == ("x", "d1")


def test_a_bare_string_is_one_document_and_not_its_characters():
    """O09."""
    assert pairs_of(expanded("keep", ["d1", "d20"])) == [("q0", "d1"), ("q1", "d20")]


@pytest.mark.parametrize("several", ["d1,d2", "d1; d2", "d1 d2"])
def test_several_ids_in_one_cell_are_told_as_what_they_are(several):
    made = expanded("merge", [several])
    nowhere = {"absent": np.array([True]), "rules": PairRules()}
    with pytest.raises(DataError, match="; a cell of CSV or TSV is one id: write one id a row, or a list of them in J"):
        place_pairs(made, np.array([-1]), one_a_cell=True, **nowhere)
    with pytest.raises(DataError, match="; check the corpus, or set pairs"):
        place_pairs(made, np.array([-1]), **nowhere)
    with pytest.raises(DataError, match="; check the corpus, or set pairs"):
        place_pairs(expanded("merge", ["d1"]), np.array([-1]), one_a_cell=True, **nowhere)


def test_a_missing_document_is_an_error_that_names_it_or_a_counted_drop():
    made = expanded("merge")
    there = {"d1": 0, "d3": 2, "d5": 1}
    with pytest.raises(DataError, match="the relevant document 'd2' of query 'q0' is not in the corpus"):
        placed(made, there)
    kept = placed(made, there, missing="drop")
    assert pairs_of(kept) == [("q0", "d1"), ("q1", "d3"), ("q0", "d5")]
    assert kept.entry.dropped == {"relevant id repeated": 2, "not in the corpus": 1}
    assert kept.input_rows == 6


def test_two_documents_of_one_text_are_one_row_when_merged_and_two_when_kept():
    same = {"d1": 0, "d2": 0, "d3": 1, "d5": 2}
    merged = placed(expanded("merge"), same)
    assert pairs_of(merged) == [("q0", "d1"), ("q1", "d3"), ("q0", "d5")]
    assert merged.entry.dropped["same text as an earlier positive"] == 1
    kept = placed(expanded("keep"), same, duplicates="keep")
    assert pairs_of(kept) == pairs_of(expanded("keep"))


def test_a_cap_on_rows_a_query_still_knows_every_positive():
    """O14: one query with 500 positives and one with a single one."""
    many = [f"d{number}" for number in range(500)]
    made = expanded("merge", [many, ["d7"]])
    kept = placed(made, {doc: place for place, doc in enumerate(many)}, per_query=3)
    assert pairs_of(kept) == [("q0", "d0"), ("q0", "d1"), ("q0", "d2"), ("q1", "d7")]
    assert kept.entry.dropped == {"beyond pairs.per_query": 497}
    assert len(kept.known) == 501
    assert kept.rows[:4].tolist() == [0, 1, 2, -1]


def test_a_document_without_text_is_told_apart_from_one_that_is_not_there():
    made = expanded("merge")
    positions = np.array([0, -1, 1, -1])
    kept = place_pairs(made, positions, absent=np.array([False, False, False, True]), rules=PairRules(missing="drop"))
    assert kept.entry.dropped == {"relevant id repeated": 2, "not in the corpus": 1, "document without text": 1}


def test_queries_without_a_document_in_the_pool_are_gone():
    kept = placed(expanded("merge"), {"d3": 0}, missing="drop")
    assert kept.known.queries.ids.to_pylist() == ["q1"]
    assert kept.numbers.tolist() == [0]


def test_numbers_of_texts_come_in_the_order_of_their_first_appearance():
    assert text_numbers(pa.chunked_array([[], ["x"], ["y", "x"]], pa.large_string())).tolist() == [0, 1, 0]


def test_a_limit_keeps_the_first_distinct_questions_with_every_row_that_asks_them():
    """A row after the cut that asks a kept question again has positives of it, which must not become negatives."""
    texts, relevant = ["a?", "b?", "c?", "a?"], [["d1"], ["d2"], ["d3"], ["d4"]]
    asked = pa.chunked_array([texts], pa.large_string()), pa.chunked_array([relevant])
    for duplicates, queries in (("merge", ["q0", "q1"]), ("keep", ["q0", "q1", "q3"])):
        made = expand_pairs(None, *asked, duplicates=duplicates, limit=2)
        assert made.known.queries.ids.to_pylist() == queries
        assert [pair.doc_id for pair in made.known] == ["d1", "d2", "d4"]
        assert (made.entry.rows_in, made.entry.rows_out) == (4, len(queries))
        assert made.entry.dropped["beyond pairs.limit"] == 1


def test_a_limit_above_the_questions_keeps_all():
    texts = pa.chunked_array([["a?", "b?"]], pa.large_string())
    made = expand_pairs(None, texts, pa.chunked_array([[["d1"], ["d2"]]]), duplicates="merge", limit=9)
    assert (made.entry.rows_out, made.entry.dropped) == (2, {})
