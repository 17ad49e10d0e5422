"""Ids with white space in files whose columns white space separates."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrite.core import DataError
from pyrite.formats.trec_ids import decode_ids, encode_ids, marked

TEXT = pa.large_string()


def round_trip(queries, docs):
    (query_ids, query_marks), (doc_ids, doc_marks) = (
        encode_ids(pa.array(ids, TEXT), where="f") for ids in (queries, docs)
    )
    second = marked("Q0", query_marks, doc_marks)
    for one in (*query_ids.to_pylist(), *doc_ids.to_pylist()):
        assert one.split() == [one]
    return tuple(found.to_pylist() for found in decode_ids(query_ids, doc_ids, second))


def test_the_row_says_which_id_is_encoded():
    ids, marks = encode_ids(pa.array(["a b", "c"], TEXT), where="f")
    none = pa.array([False, False])
    assert ids.to_pylist() == ["a%20b", "c"]
    assert marked("Q0", none, marks).to_pylist() == ["Q0%d", "Q0"]
    assert marked("0", marks, none).to_pylist() == ["0%q", "0"]
    assert marked("0", marks, marks).to_pylist() == ["0%qd", "0"]


def test_an_unmarked_id_with_a_percent_sign_is_left_alone():
    ids = pa.array(["http://a/%20b", "50%"], TEXT)
    assert decode_ids(ids, ids, pa.array(["Q0", "Q0"]))[1].to_pylist() == ["http://a/%20b", "50%"]
    assert encode_ids(ids, where="f")[0].to_pylist() == ["http://a/%20b", "50%"]


def test_an_id_is_spelled_alike_wherever_it_stands():
    """A run and qrels hold different ids and still have to agree."""
    alone, _ = encode_ids(pa.array(["50%"], TEXT), where="f")
    among, _ = encode_ids(pa.array(["a b", "50%"], TEXT), where="f")
    assert among.to_pylist()[1] == alone.to_pylist()[0]


def test_two_ids_that_would_be_spelled_alike_are_an_error():
    with pytest.raises(DataError, match=r"run\.trec: two ids are both spelled 'a%20b'"):
        encode_ids(pa.array(["a b", "a%20b"], TEXT), where="run.trec")


def test_every_white_space_of_unicode_is_encoded():
    ids = ["a\tb", "a\u00a0b", "a\u3000b", "a\x85b", "a\x00b", "a\nb", "50% (x)", "e\u0301 e"]
    assert round_trip(ids, ids) == (ids, ids)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=5, unique=True))
def test_any_ids_survive(ids):
    try:
        assert round_trip(ids, ids[::-1]) == (ids, ids[::-1])
    except DataError:
        assert any("%" in one for one in ids)
