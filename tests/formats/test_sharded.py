"""Large tables in several files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import must_be_whole, table_name, write_sharded

ROWS = pa.table({"_id": [f"d{row}" for row in range(10)], "text": ["x" * 98] * 10})


def test_a_table_within_the_size_is_one_file(tmp_path):
    written = write_sharded(tmp_path, "corpus", [ROWS], schema=ROWS.schema, shard_bytes=1001)
    assert [path.name for path in written] == ["corpus.parquet"]
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.parquet"]


def test_a_larger_table_is_cut_by_size_and_its_rows_stay_in_order(tmp_path):
    """100 bytes a row: four rows reach 400."""
    written = write_sharded(tmp_path, "corpus", ROWS.to_batches(max_chunksize=3), schema=ROWS.schema, shard_bytes=400)
    assert [path.name for path in written] == [f"corpus-0000{number}-of-00003.parquet" for number in range(3)]
    assert [pq.read_metadata(path).num_rows for path in written] == [4, 4, 2]
    assert pa.concat_tables([pq.read_table(path) for path in written])["_id"].to_pylist() == ROWS["_id"].to_pylist()


def test_rows_that_fill_a_file_to_the_last_leave_no_empty_one(tmp_path):
    written = write_sharded(tmp_path, "corpus", [ROWS.slice(0, 8)], schema=ROWS.schema, shard_bytes=400)
    assert [pq.read_metadata(path).num_rows for path in written] == [4, 4]


def test_no_rows_are_one_empty_file(tmp_path):
    [path] = write_sharded(tmp_path, "corpus", [], schema=ROWS.schema)
    assert pq.read_table(path).num_rows == 0


def test_a_failure_leaves_nothing_behind(tmp_path):
    def rows():
        yield ROWS
        raise KeyError

    with pytest.raises(KeyError):
        write_sharded(tmp_path, "corpus", rows(), schema=ROWS.schema, shard_bytes=400)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_of_a_sharded_table_is_named():
    names = ["corpus-00000-of-00003.parquet", "corpus-00002-of-00003.parquet"]
    with pytest.raises(DataError, match=r"toy: corpus-00001-of-00003\.parquet is missing \(1 of 3 files are\)"):
        must_be_whole(names, where="toy")
    must_be_whole([*names, "corpus-00001-of-00003.parquet"], where="toy")


def test_a_table_is_named_without_suffix_and_shard_number():
    assert table_name("corpus/ja-00001-of-00002.parquet") == "corpus/ja"
    assert table_name("qrels/v1.1.tsv") == "qrels/v1.1"
