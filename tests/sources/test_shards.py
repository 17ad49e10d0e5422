"""Parts of a table: all rows, each once, in order; and digests that see a change."""

import gzip
import os
import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import Column
from pyrite.sources.shards import TableFile, fingerprint, shards_of

COLUMNS = (Column("query", ("question",)),)
TEXTS = [f"question {number} é" for number in range(1000)]


def texts(shards):
    return [row["query"] for shard in shards for batch in shard.read() for row in batch.to_pylist()]


def jsonl(path, rows=TEXTS):
    path.write_text("".join(f'{{"question": "{text}", "more": 1}}\n' for text in rows), encoding="utf-8")
    return TableFile(path, path.name)


@pytest.mark.parametrize("shard_bytes", [1, 700, 4_096, 1 << 30])
def test_parquet_is_cut_between_row_groups(tmp_path, shard_bytes):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"question": TEXTS, "more": ["x" * 999] * 1000}), path, row_group_size=100)
    shards = shards_of(TableFile(path, "rows.parquet"), "parquet", COLUMNS, shard_bytes=shard_bytes)
    assert texts(shards) == TEXTS
    # A group's questions are about 2,000 bytes; what is not wanted does not count.
    assert len(shards) in {1: (10,), 700: (10,), 4_096: (4, 5), 1 << 30: (1,)}[shard_bytes]
    assert shards[0].name == "rows.parquet, rows 0-" + {1: "99", 700: "99", 4_096: "299", 1 << 30: "999"}[shard_bytes]


@pytest.mark.parametrize("shard_bytes", [1, 44, 45, 46, 1000, 1 << 30])
def test_json_lines_are_cut_between_lines(tmp_path, shard_bytes):
    shards = shards_of(jsonl(tmp_path / "rows.jsonl", TEXTS[:90]), "jsonl", COLUMNS, shard_bytes=shard_bytes)
    assert texts(shards) == TEXTS[:90]
    assert len({shard.name for shard in shards}) == len(shards)
    if shard_bytes == 1:
        assert len(shards) == 90
    if shard_bytes == 1 << 30:
        assert [shard.name for shard in shards] == ["rows.jsonl"]


def test_a_last_line_without_an_end_is_read(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"question": "a"}\n{"question": "b"}')
    shards = shards_of(TableFile(tmp_path / "rows.jsonl", "rows.jsonl"), "jsonl", COLUMNS, shard_bytes=5)
    assert texts(shards) == ["a", "b"]


def test_packed_files_and_csv_are_one_shard(tmp_path):
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(b'{"question": "a"}\n' * 500))
    (tmp_path / "rows.csv").write_text("question\n" + '"a\nb"\n' * 500)
    for name, kind in (("rows.jsonl.gz", "jsonl"), ("rows.csv", "csv")):
        [shard] = shards_of(TableFile(tmp_path / name, name), kind, COLUMNS, shard_bytes=10)
        assert len(texts([shard])) == 500


def test_an_empty_file_is_one_empty_shard(tmp_path):
    pq.write_table(pa.table({"question": pa.array([], pa.string())}), tmp_path / "a.parquet")
    [shard] = shards_of(TableFile(tmp_path / "a.parquet", "a.parquet"), "parquet", COLUMNS)
    assert texts([shard]) == []


def test_a_shard_travels_to_another_process(tmp_path):
    shards = shards_of(jsonl(tmp_path / "rows.jsonl"), "jsonl", COLUMNS, shard_bytes=20_000)
    assert texts(pickle.loads(pickle.dumps(shards))) == TEXTS


def test_a_digest_changes_with_the_file_the_part_and_the_columns(tmp_path):
    file = jsonl(tmp_path / "rows.jsonl")
    os.utime(file.path, ns=(1, 1))

    def digests(columns=COLUMNS):
        return [shard.digest for shard in shards_of(file, "jsonl", columns, shard_bytes=20_000)]

    first = digests()
    assert len(set(first)) == len(first) > 1
    assert digests() == first
    assert set(digests((Column("passage", ("question",)),))).isdisjoint(first)
    os.utime(file.path, ns=(2, 2))
    assert set(digests()).isdisjoint(first)


def test_an_edit_in_the_middle_of_a_file_is_seen(tmp_path):
    """Size, head and tail stay; the time of change does not."""
    file = jsonl(tmp_path / "rows.jsonl", TEXTS * 20)
    [before] = shards_of(file, "jsonl", COLUMNS)
    raw = bytearray(file.path.read_bytes())
    raw[len(raw) // 2] ^= 1
    os.utime(file.path, ns=(1, 1))
    file.path.write_bytes(raw)
    [after] = shards_of(file, "jsonl", COLUMNS)
    assert after.digest != before.digest


def test_a_fingerprint_is_the_same_on_every_machine(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        os.utime(jsonl(tmp_path / name / "rows.jsonl").path, ns=(ord(name), 1))
    one, other = (fingerprint(TableFile(tmp_path / name / "rows.jsonl", "rows.jsonl"), "jsonl") for name in ("a", "b"))
    assert one == other
    jsonl(tmp_path / "a" / "rows.jsonl", TEXTS[::-1])
    assert fingerprint(TableFile(tmp_path / "a" / "rows.jsonl", "rows.jsonl"), "jsonl") != other


def test_errors_of_a_later_shard_count_from_the_files_start(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"id": ["a"] * 8 + [None]}), path, row_group_size=3)
    shards = shards_of(TableFile(path, "rows.parquet"), "parquet", (Column("id", ("id",), "id"),), shard_bytes=1)
    with pytest.raises(DataError, match=r"rows\.parquet, row 8: column 'id' has no value"):
        list(shards[2].read())
