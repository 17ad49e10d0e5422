"""Some rows of a table, as they stand."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import delimited_batches, jsonl_batches, write_kept
from pyrite.formats.columns import Column

CSV = 'id,text,other\r\n001,"a, ""b""\nc",x\r\n\r\n1e3,,"y"\nno,z,w'


def keep(*flags):
    return np.array(flags, dtype=np.bool_)


def test_lines_of_json_stay_as_they_are_spelled(tmp_path):
    lines = ['{"a": 1.50, "b":"\\u00e9"}\n', "\n", '{"a":2}\r\n', '{"a": 3}']
    (tmp_path / "rows.jsonl").write_text("".join(lines), newline="")
    out = tmp_path / "out.jsonl"
    assert write_kept(out, [(tmp_path / "rows.jsonl", keep(True, False, True))], kind="jsonl") == 2
    assert out.read_bytes() == (lines[0] + lines[3] + "\n").encode()


def test_rows_of_csv_stay_as_they_are_spelled_line_ends_and_quotes_included(tmp_path):
    """O33: "001" stays "001"."""
    (tmp_path / "rows.csv").write_bytes(CSV.encode())
    out = tmp_path / "out.csv"
    assert write_kept(out, [(tmp_path / "rows.csv", keep(True, False, True))], kind="csv") == 2
    assert out.read_bytes() == b'id,text,other\r\n001,"a, ""b""\nc",x\r\nno,z,w\n'
    everything = write_kept(out, [(tmp_path / "rows.csv", keep(True, True, True))], kind="csv")
    wanted = [Column(name, (name,)) for name in ("id", "text", "other")]
    assert everything == 3
    assert [batch.to_pylist() for batch in delimited_batches(out, wanted, delimiter=",")] == [
        batch.to_pylist() for batch in delimited_batches(tmp_path / "rows.csv", wanted, delimiter=",")
    ]


def test_parquet_keeps_types_metadata_and_nested_columns(tmp_path):
    schema = pa.schema(
        [
            pa.field("id", pa.large_string()),
            pa.field("score", pa.float32()),
            pa.field("lists", pa.list_(pa.string())),
            pa.field("held", pa.struct([("a", pa.int8()), ("b", pa.list_(pa.int16()))])),
        ],
        metadata={"huggingface": "{}"},
    )
    rows = [{"id": f"{n:03}", "score": n / 3, "lists": ["x"] * n, "held": {"a": n, "b": [n]}} for n in range(9)]
    pq.write_table(
        pa.Table.from_pylist([*rows, dict.fromkeys(schema.names)], schema), tmp_path / "rows.parquet", row_group_size=4
    )
    flags = keep(*(n % 2 == 0 for n in range(9)), True)
    assert write_kept(tmp_path / "out.parquet", [(tmp_path / "rows.parquet", flags)], kind="parquet") == 6
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.schema.equals(pq.read_schema(tmp_path / "rows.parquet"), check_metadata=True)
    assert found.schema.metadata == {b"huggingface": b"{}"}
    assert found.to_pylist() == [*pa.Table.from_pylist(rows[::2], schema).to_pylist(), dict.fromkeys(schema.names)]


@pytest.mark.parametrize(("kind", "left"), [("jsonl", b""), ("csv", b"id,text,other\r\n")])
def test_nothing_kept_is_an_empty_table_with_its_columns(tmp_path, kind, left):
    text = {"jsonl": '{"a": 1}\n', "csv": CSV}[kind]
    (tmp_path / "rows").write_bytes(text.encode())
    flags = keep(*[False] * {"jsonl": 1, "csv": 3}[kind])
    assert write_kept(tmp_path / "out", [(tmp_path / "rows", flags)], kind=kind) == 0
    assert (tmp_path / "out").read_bytes() == left


def test_nothing_kept_of_parquet_is_a_file_with_its_schema(tmp_path):
    pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / "rows.parquet")
    write_kept(tmp_path / "out.parquet", [(tmp_path / "rows.parquet", keep(False))], kind="parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"a": [], "b": []}


def test_several_files_become_one_with_one_header(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"id\n{name}1\n{name}2")
    parts = [(tmp_path / f"{name}.csv", keep(True, name == "b")) for name in ("a", "b")]
    write_kept(tmp_path / "out.csv", parts, kind="csv")
    assert (tmp_path / "out.csv").read_text() == "id\na1\nb1\nb2\n"


def test_packed_files_are_read_and_written_the_same_bytes_every_time(tmp_path):
    lines = [json.dumps({"n": n}) + "\n" for n in range(3)]
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    outs = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"]
    for out in outs:
        write_kept(out, [(tmp_path / "rows.jsonl.gz", keep(True, False, True))], kind="jsonl")
    assert outs[0].read_bytes() == outs[1].read_bytes()
    read = [row["n"] for batch in jsonl_batches(outs[0], [Column("n", ("n",), "integer")]) for row in batch.to_pylist()]
    assert read == [0, 2]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_file_that_changed_meanwhile_is_an_error(tmp_path, kind, count):
    if kind == "jsonl":
        (tmp_path / "rows").write_text('{"a": 1}\n{"a": 2}\n')
    else:
        pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "rows")
    with pytest.raises(DataError, match="rows: has other rows than"):
        write_kept(tmp_path / "out", [(tmp_path / "rows", keep(*[True] * count))], kind=kind)


def test_files_of_other_columns_are_an_error(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "b.parquet")
    with pytest.raises(DataError, match=r"b\.parquet: has other columns or types than a\.parquet"):
        write_kept(
            tmp_path / "out.parquet",
            [(tmp_path / "a.parquet", keep(True)), (tmp_path / "b.parquet", keep(True))],
            kind="parquet",
        )
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "b.csv").write_text("b,a\n1,2\n")
    parts = [(tmp_path / "a.csv", keep(True)), (tmp_path / "b.csv", keep(True))]
    with pytest.raises(DataError, match=r"b\.csv: has other columns than the file before it"):
        write_kept(tmp_path / "out.csv", parts, kind="csv")
