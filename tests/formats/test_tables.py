"""Tables of any format, in one or several files."""

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import column_names, format_of, integer_columns, write_parquet
from pyrite.formats.columns import Column
from pyrite.formats.tables import batches, read_table


def test_a_name_tells_the_format():
    names = ["a.parquet", "a.jsonl", "a.ndjson", "a.json", "a.csv", "a.tsv", "a.tsv.gz", "a.parquet.gz", "a.txt", "a"]
    assert [format_of(name) for name in names] == [
        "parquet", "jsonl", "jsonl", "jsonl", "csv", "tsv", "tsv", None, None, None,
    ]  # fmt: skip


def test_columns_and_integers_are_told_without_reading_all(tmp_path):
    write_parquet(tmp_path / "a.parquet", pa.table({"id": [1], "ids": [[1]], "text": ["a"]}))
    (tmp_path / "a.jsonl").write_text('{"id": "1", "flag": true}\n{"text": "a", "id": 2, "ids": [3]}\n')
    (tmp_path / "a.csv").write_text("id,text\n1,2\n")
    assert column_names(tmp_path / "a.parquet", "parquet") == ["id", "ids", "text"]
    assert column_names(tmp_path / "a.jsonl", "jsonl") == ["id", "flag", "text", "ids"]
    assert column_names(tmp_path / "a.csv", "csv") == ["id", "text"]
    assert integer_columns(tmp_path / "a.parquet", "parquet") == {"id", "ids"}
    assert integer_columns(tmp_path / "a.jsonl", "jsonl") == {"id", "ids"}
    assert integer_columns(tmp_path / "a.csv", "csv") == set()


def test_files_of_several_formats_are_one_table(tmp_path):
    write_parquet(tmp_path / "a.parquet", pa.table({"id": ["a"]}))
    (tmp_path / "b.jsonl").write_text('{"id": "b", "title": "T"}\n')
    columns = [Column("id", ("id",), "id"), Column("title", ("title",), optional=True)]
    found = read_table([tmp_path / "a.parquet", tmp_path / "b.jsonl"], columns)
    assert found.to_pylist() == [{"id": "a", "title": None}, {"id": "b", "title": "T"}]


def test_a_json_array_is_told_from_json_lines(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[\n{"id": "a"}\n]')
    with pytest.raises(DataError, match=r"a\.json: is one JSON array, not JSON lines"):
        list(batches(path, [Column("id", ("id",))]))
    with pytest.raises(DataError, match="is one JSON array"):
        column_names(path, "jsonl")


def test_an_unknown_format_names_the_known_ones(tmp_path):
    with pytest.raises(DataError, match="the formats are parquet, jsonl, csv, tsv"):
        batches(tmp_path / "a.xlsx", [])
