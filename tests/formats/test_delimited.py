"""CSV and TSV: every value a string."""

import csv

import pytest

from pyrite.core import DataError
from pyrite.formats import delimited_batches
from pyrite.formats.columns import Column
from pyrite.formats.delimited import first_row

ID, TEXT = Column("id", ("id",), "id"), Column("text", ("text",))


def rows(path, columns=(ID, TEXT), delimiter=",", **more):
    return [row for batch in delimited_batches(path, columns, delimiter=delimiter, **more) for row in batch.to_pylist()]


def written(tmp_path, raw):
    path = tmp_path / "rows.csv"
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return path


def test_no_type_is_guessed(tmp_path):
    """X11, O33: what a CSV reader with types makes 1, 1000.0, False and None of."""
    path = written(tmp_path, "id,text\n001,1e3\nno,NA\nnull,\n")
    assert rows(path) == [{"id": "001", "text": "1e3"}, {"id": "no", "text": "NA"}, {"id": "null", "text": ""}]


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_what_the_csv_module_writes_is_read_back(tmp_path, delimiter):
    values = [
        "plain",
        "two\nlines",
        'a "quote"',
        "comma, tab\t",
        "carriage\rreturn",
        "e\u0301",
        "  spaces  ",
        "x" * 200_000,
    ]
    path = tmp_path / "rows"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "text"])
        writer.writerows((value, value) for value in values)
    assert [row["id"] for row in rows(path, delimiter=delimiter)] == values


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path):
    assert rows(written(tmp_path, b"\xef\xbb\xbfid,text\r\n\r\na,b\r\n")) == [{"id": "a", "text": "b"}]


def test_names_stand_in_for_a_header(tmp_path):
    path = written(tmp_path, "a,b\nc,d\n")
    assert rows(path, (ID,), names=["id", "text"]) == [{"id": "a"}, {"id": "c"}]
    assert first_row(path, ",") == ["a", "b"]


def test_an_empty_file_has_no_columns(tmp_path):
    with pytest.raises(DataError, match=r"the file is empty; it should have a column 'id'"):
        rows(written(tmp_path, ""))
    assert first_row(tmp_path / "rows.csv", ",") == []


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('id,text\n"a\nb",x\nc\n', "line 4: has 1 fields where 2 are due; quote a field that holds the delimiter"),
        ("id,text\na,b,c\n", "line 2: has 3 fields where 2 are due"),
        ('id,text\na,b\nc,"never closed\nd,e\n', "line 3: a quote is out of place"),
        ('id,text\n"a"b,c\n', "line 2: a quote is out of place"),
        (b"id,text\na,b\nc,caf\xe9\n", "line 3: is not valid UTF-8 near b'c,caf\\xe9\\n'"),
        ("id,text\na,b\n,c\n", "line 3: column 'id' holds an empty id"),
    ],
)
def test_a_bad_row_names_file_and_line(tmp_path, raw, said):
    path = written(tmp_path, raw)
    with pytest.raises(DataError) as caught:
        rows(path)
    assert str(caught.value).startswith(f"{path}, {said}")
