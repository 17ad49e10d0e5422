"""Parquet files: the same rows are the same bytes, and a bad one is a sentence."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import ParquetWriter, group_batches, open_parquet, parquet_batches, write_parquet
from pyrite.formats.columns import Column
from pyrite.formats.parquet import Cutter, row_bytes

ID, TEXT = Column("id", ("_id",), "id"), Column("text", ("text",))


def table(rows: int) -> pa.Table:
    generator = np.random.default_rng(0)
    texts = ["x" * int(length) + str(row) for row, length in enumerate(generator.integers(0, 900, rows))]
    return pa.table({"_id": [f"d{row}" for row in range(rows)], "text": texts, "score": np.arange(rows)})


def test_the_bytes_depend_on_the_rows_and_not_on_how_they_arrive(tmp_path):
    """Row groups are cut by size here: 120,000 rows are more than one."""
    rows = table(120_000)
    write_parquet(tmp_path / "whole.parquet", rows)
    with ParquetWriter(tmp_path / "pieces.parquet", rows.schema) as writer:
        for start in range(0, 120_000, 7_001):
            for batch in rows.slice(start, 7_001).to_batches(max_chunksize=999):
                writer.write(batch)
    large = rows.cast(pa.schema([("_id", pa.large_string()), ("text", pa.large_string()), ("score", pa.int64())]))
    write_parquet(tmp_path / "large.parquet", large.replace_schema_metadata({"made": "yesterday"}))
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found["whole.parquet"] == found["pieces.parquet"] == found["large.parquet"]
    metadata = pq.read_metadata(tmp_path / "whole.parquet")
    assert metadata.num_row_groups > 1
    assert max(metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)) <= 100_000


def test_a_file_has_plain_strings_zstd_and_no_metadata(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path, pa.table({"_id": pa.array(["001"], pa.large_string()), "docs": [["d1"]]}))
    assert pq.read_schema(path).metadata is None
    assert pq.read_schema(path).types == [pa.string(), pa.list_(pa.field("element", pa.string()))]
    assert pq.read_metadata(path).row_group(0).column(0).compression == "ZSTD"


def test_an_empty_table_is_a_whole_file(tmp_path):
    write_parquet(tmp_path / "a.parquet", table(0))
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0
    assert list(parquet_batches(tmp_path / "a.parquet", [ID])) == []


def test_a_file_whose_writing_fails_is_not_there(tmp_path):
    def fail() -> None:
        with ParquetWriter(tmp_path / "a.parquet", table(1).schema) as writer:
            writer.write(table(5))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_values_are_sized_by_their_utf8():
    rows = pa.table({"t": ["é", None, "abc"], "l": [["a", "bb"], [], None], "n": [1, 2, 3]})
    assert row_bytes(rows).tolist() == [2 + 3 + 8, 8, 3 + 8]


def test_a_cut_falls_after_the_same_row_however_the_stream_is_batched():
    rows = pa.table({"t": ["aa", "bbbb", "c", "ddddd", "e", "f"]})
    for size in (1, 2, 4, 6):
        cutter, units = Cutter(5), [[]]
        for start in range(0, 6, size):
            for piece, full in cutter.pieces(rows.slice(start, size)):
                units[-1] += piece["t"].to_pylist()
                if full:
                    units.append([])
        assert units == [["aa", "bbbb"], ["c", "ddddd"], ["e", "f"]]


def test_batches_do_not_cross_row_groups(tmp_path):
    pq.write_table(pa.table({"a": range(5), "b": range(5)}), tmp_path / "a.parquet", row_group_size=3)
    with open_parquet(tmp_path / "a.parquet") as file:
        assert [batch.to_pydict() for batch in group_batches(file, 2, ["a"])] == [
            {"a": [0, 1]},
            {"a": [2]},
            {"a": [3, 4]},
        ]
        assert [batch.schema.names for batch in group_batches(file, 9)] == [["a", "b"]] * 2


def test_wanted_columns_come_in_row_order_under_our_names(tmp_path):
    write_parquet(tmp_path / "a.parquet", table(70_000))
    batches = list(parquet_batches(tmp_path / "a.parquet", [TEXT, ID]))
    assert len(batches) > 1
    assert [batch.schema.names for batch in batches] == [["text", "id"]] * len(batches)
    assert pa.Table.from_batches(batches)["id"].to_pylist() == [f"d{row}" for row in range(70_000)]


def test_one_column_may_be_wanted_under_two_names(tmp_path):
    write_parquet(tmp_path / "a.parquet", pa.table({"text": ["a"]}))
    [batch] = parquet_batches(tmp_path / "a.parquet", [Column("query", ("text",)), Column("passage", ("text",))])
    assert batch.to_pylist() == [{"query": "a", "passage": "a"}]


def test_row_groups_are_read_apart_and_errors_count_rows_in_the_file(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"_id": ["a", "b", "c", None]}), path, row_group_size=2)
    assert [b.to_pylist() for b in parquet_batches(path, [ID], groups=(0, 1))] == [[{"id": "a"}, {"id": "b"}]]
    with pytest.raises(DataError) as caught:
        list(parquet_batches(path, [ID], groups=(1, 2)))
    assert str(caught.value) == f"{path}, row 3: column '_id' has no value; give it one."


@pytest.mark.parametrize("kept", [0, 3, 100, 1500])
def test_a_truncated_file_is_one_sentence(tmp_path, kept):
    path = tmp_path / "a.parquet"
    write_parquet(path, table(100))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError) as caught:
        list(parquet_batches(path, [ID]))
    assert str(caught.value) == f"{path}: is not a whole Parquet file; copy or download it again."


def test_a_file_damaged_in_its_middle_names_the_row_group(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(table(3000), path, row_group_size=1000, compression="zstd")
    second = pq.read_metadata(path).row_group(1).column(1)
    raw = bytearray(path.read_bytes())
    start = second.dictionary_page_offset or second.data_page_offset
    raw[start : start + 400] = b"\xff" * 400
    path.write_bytes(raw)
    with pytest.raises(DataError, match=r"a\.parquet, row group 1: is not a whole Parquet file"):
        list(parquet_batches(path, [ID, TEXT]))


def test_an_absent_file_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match=r"none\.parquet: there is no such file\.$"):
        list(parquet_batches(tmp_path / "none.parquet", [ID]))
