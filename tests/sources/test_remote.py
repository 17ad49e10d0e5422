"""Tables and folders of object stores read like those of a disk."""

import gzip
import json
import pickle

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.engine import Storage, local_copy
from pyrite.sources import SourceSpec, fetch, load, open_table, outline
from pyrite.sources.remote import remote_files

ROWS = [{"question": f"why {number}?", "answer": f"because {number}"} for number in range(5000)]


@pytest.fixture(params=["bucket", "gs_bucket", "hub_folder", "disk"])
def store(request, tmp_path, monkeypatch) -> Storage:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param == "disk":
        return Storage(f"local://{tmp_path}/store")
    return Storage(f"{request.getfixturevalue(request.param)}/raw")


@pytest.fixture
def tables(store, tmp_path) -> Storage:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.parquet", row_group_size=1000)
    store.put(tmp_path / "rows.parquet", "parquet/rows.parquet")
    lines = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    store.write("jsonl/rows-0.jsonl", lines[: len(lines) // 2 + lines[len(lines) // 2 :].index(b"\n") + 1])
    store.write("jsonl/rows-1.jsonl", lines[len(lines) // 2 + lines[len(lines) // 2 :].index(b"\n") + 1 :])
    store.write("packed/rows.jsonl.gz", gzip.compress(lines))
    store.write("csv/rows.csv", b"question,answer\n" + b"".join(b"%s,%s\n" % one for one in _cells()))
    return store


def _cells() -> list[tuple[bytes, bytes]]:
    return [(row["question"].encode(), row["answer"].encode()) for row in ROWS]


@pytest.mark.parametrize(
    "path", ["parquet/rows.parquet", "parquet", "jsonl", "jsonl/rows-*.jsonl", "packed/rows.jsonl.gz", "csv/*.csv"]
)
def test_a_table_has_the_rows_and_shards_that_it_has_on_a_disk(tables, tmp_path, path):
    spec = SourceSpec(tables.at(path), columns={"query": "question", "passage": "answer"})
    table = open_table(spec, needs=["query", "passage"], base=tmp_path)
    # A shard travels to a machine that has never seen the table.
    shards = pickle.loads(pickle.dumps(table.shards(shard_bytes=20_000)))
    assert len(shards) >= {"parquet": 5, "jsonl": 8}.get(path.partition("/")[0], 1)
    read = [row for shard in shards for batch in shard.read() for row in batch.to_pylist()]
    assert read == [{"query": row["question"], "passage": row["answer"]} for row in ROWS]
    low, high = outline(spec, base=tmp_path).rows
    assert low <= len(ROWS) <= high


def test_a_file_that_was_written_again_has_other_digests(store, tmp_path):
    store.write("rows.csv", b"id,text\n1,a\n")
    spec = SourceSpec(store.at("rows.csv"))
    before = open_table(spec, needs=["id", "text"], base=tmp_path).shards()[0].digest
    assert open_table(spec, needs=["id", "text"], base=tmp_path).shards()[0].digest == before
    store.write("rows.csv", b"id,text\n1,b\n")
    assert open_table(spec, needs=["id", "text"], base=tmp_path).shards()[0].digest != before


def test_a_wrong_value_is_named_by_url_and_line(store, tmp_path):
    store.write("rows.csv", b'id,text\n1,a\n2,"b\n')
    table = open_table(SourceSpec(store.at("rows.csv")), needs=["id", "text"], base=tmp_path)
    with pytest.raises(DataError) as wrong:
        list(table.read())
    assert wrong.value.where == f"{store.at('rows.csv')}, line 3"


def test_what_is_not_there_is_said(store, tmp_path):
    for url in (store.at("nothing.csv"), store.at("*.csv")):
        with pytest.raises(RecipeError, match="there is no such file or folder; check the URL"):
            remote_files(url)
    with pytest.raises(RecipeError, match="there is no such folder; check the URL"):
        fetch(store.at("nothing"))


def test_a_file_that_is_gone_when_it_is_read_is_one_sentence(store, tmp_path):
    store.write("rows.csv", b"id,text\n1,a\n")
    table = open_table(SourceSpec(store.at("rows.csv")), needs=["id", "text"], base=tmp_path)
    store.remove(["rows.csv"])
    with pytest.raises(DataError) as gone:
        list(table.read())
    assert str(gone.value).startswith(store.at("rows.csv"))


def test_a_folder_is_fetched_once_and_again_where_it_changed(store):
    store.write("toy/corpus.jsonl", b'{"_id": "d1", "text": "An element."}')
    store.write("toy/queries.jsonl", b'{"_id": "1", "text": "gold?"}')
    store.write("toy/qrels.tsv", b"1\td1\t1")
    assert load(store.at("toy")).qrels["1"] == {"d1": 1}
    folder = fetch(store.at("toy"))
    (folder / "stray").write_text("")
    assert fetch(store.at("toy")) == folder
    store.write("toy/qrels.tsv", b"1\td1\t2\n")
    assert load(store.at("toy")).qrels["1"] == {"d1": 2}
    assert not (folder / "stray").exists()
    store.write("toy/.unfinished", b"")
    with pytest.raises(DataError, match="is not delivered to its end; let the build that writes it end"):
        fetch(store.at("toy"))


def test_what_is_no_dataset_is_told_before_it_is_fetched(store):
    store.write("big/a.bin", b"0" * 1000)
    with pytest.raises(DataError, match="holds no collection"):
        fetch(store.at("big"))
    assert not (local_copy(store.at("big")) / "a.bin").exists()


def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, monkeypatch):
    fs = fsspec.filesystem("memory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        type(fs), "find", lambda self, path, **_: {f"{path}/../../evil": {"name": "x", "size": 1, "type": "file"}}
    )
    with pytest.raises(DataError, match=r"evil: has a name that leads elsewhere; remove it"):
        fetch("memory://trap")
