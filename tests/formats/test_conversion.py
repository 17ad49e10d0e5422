"""What a value may be, and the sentence for one that may not."""

import re

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats.columns import Column, DataWarning, Origin
from pyrite.formats.conversion import convert, convert_python, converted

IDS = ["001", "no", "1e3", "Geneva Durben", "(a) b", "tab\tid", "e\u0301", "\u00e9", "null", " ", "012"]


def origin() -> Origin:
    return Origin("c.parquet", "_id", lambda index: f"c.parquet, row {index}")


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()])
def test_ids_stay_the_strings_they_are(kind):
    """O33."""
    assert convert(pa.array([one.encode() for one in IDS]).cast(kind), "id", origin()).to_pylist() == IDS
    assert convert_python(IDS, "id", origin()).to_pylist() == IDS


def test_a_dictionary_column_is_its_strings():
    assert convert(pa.array(["b", "a", "b"]).dictionary_encode(), "id", origin()).to_pylist() == ["b", "a", "b"]


def test_integers_are_cast_with_one_warning_a_column():
    """O33."""
    one = origin()
    with pytest.warns(DataWarning, match=r"c\.parquet: column '_id' holds integers"):
        first = convert(pa.array([1, 20]), "id", one)
    assert first.to_pylist() == ["1", "20"]
    # A second warning would be an error here.
    assert convert(pa.array([3]), "id", one).to_pylist() == ["3"]
    assert convert_python(["001", 1], "id", one).to_pylist() == ["001", "1"]


def test_a_column_that_was_told_of_is_cast_in_silence():
    assert convert(pa.array([7]), "text", Origin("f", "x", str, {"x"})).to_pylist() == ["7"]


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.0, "number 1.0"), (True, "boolean True"), ({"a": 1}, "object {'a': 1}")],
)
def test_a_value_that_is_no_string_is_named_with_its_row(value, said):
    """O33: nothing is guessed from a float or a boolean."""
    sentence = f"c.parquet, row 1: column '_id' holds the {said}; write it as a string."
    with pytest.raises(DataError, match=f"^{re.escape(sentence)}$"):
        convert(pa.array([None, value]), "text", origin())
    with pytest.raises(DataError, match=f"^{re.escape(sentence)}$"):
        convert_python(["a", value], "text", origin())


def test_a_missing_or_empty_id_is_an_error_and_a_missing_text_is_kept():
    for values in (["a", None], ["a", ""]):
        with pytest.raises(DataError, match=r"row 1: column '_id' (has no value|holds an empty id)"):
            convert(pa.array(values), "id", origin())
        with pytest.raises(DataError, match="row 1"):
            convert_python(values, "id", origin())
    assert convert(pa.array(["a", None, ""]), "text", origin()).to_pylist() == ["a", None, ""]
    assert convert(pa.nulls(2), "text", origin()).to_pylist() == [None, None]
    with pytest.raises(DataError, match="row 0: column '_id' has no value"):
        convert(pa.nulls(2), "given", origin())


def test_invalid_utf8_is_named_with_its_row():
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"good", b"ba\xffd"]).buffers())
    with pytest.raises(DataError, match=r"row 1: column '_id' is not valid UTF-8 near b'ba\\xffd'"):
        convert(broken, "text", origin())


def test_half_a_surrogate_pair_is_named_with_its_row():
    with pytest.raises(DataError, match="row 1: column '_id' holds half of a surrogate pair"):
        convert_python(["a", "\ud800"], "text", origin())


@pytest.mark.parametrize("kind", [pa.list_(pa.string()), pa.large_list(pa.large_string())])
def test_lists_of_ids_pass_through(kind):
    values = [["d1", "d2"], None, [], ["001"]]
    for found in (
        convert(pa.array(values, kind), "text", origin()),
        convert(pa.array([["x"], *values], kind)[1:], "text", origin()),
        convert_python(values, "text", origin()),
    ):
        assert found.type == pa.large_list(pa.large_string())
        assert found.to_pylist() == values


def test_lists_of_integers_are_cast_and_a_bad_item_is_named_by_its_row():
    with pytest.warns(DataWarning, match="holds integers"):
        assert convert(pa.array([[1], [2, 3]]), "text", origin()).to_pylist() == [["1"], ["2", "3"]]
    with pytest.raises(DataError, match=r"row 1: column '_id' holds the number 2\.5"):
        convert(pa.array([[], [2.5]]), "text", origin())
    with pytest.raises(DataError, match=r"row 1: column '_id' holds the number 2\.5"):
        convert_python([["a"], ["b", 2.5]], "text", origin())
    with pytest.raises(DataError, match="row 1: column '_id' holds a list with a missing item"):
        convert(pa.array([["a"], ["b", None]]), "text", origin())
    with pytest.raises(DataError, match="row 1: column '_id' holds an empty id"):
        convert(pa.array([["a"], ["b", ""]]), "id", origin())


def test_a_bare_string_among_lists_is_an_error():
    """O09: a string is not a list of its characters."""
    with pytest.raises(DataError, match="row 1: column '_id' holds 'some text' where other rows hold a list"):
        convert_python([["a"], "some text"], "text", origin())


@pytest.mark.parametrize("values", [[None, ["a", "b"]], pa.array([None, ["a", "b"]])])
def test_a_list_where_one_value_is_due_is_named_with_its_row(values):
    column = Column("id", ("_id",), single=True)
    message = re.escape("c.parquet, row 1: column '_id' holds the list ['a', 'b']; write one string a row.")
    with pytest.raises(DataError, match=message):
        converted(values, column, origin())
    assert converted(values, Column("id", ("_id",)), origin()).to_pylist() == [None, ["a", "b"]]


def test_a_column_of_lists_that_are_all_missing_is_a_column_without_values():
    column = Column("title", ("title",), single=True)
    made = converted(pa.array([None, None], pa.list_(pa.string())), column, origin())
    assert (made.type, made.to_pylist()) == (pa.large_string(), [None, None])
