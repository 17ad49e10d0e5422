"""Shards on disk: found by digest, whole or absent, nothing lost by a damaged file."""

import os
import time
from pathlib import Path

import pyarrow as pa

from pyrite.retrieval.neural.store import Store, first_places, text_digests


def shard(*texts: str) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"digest": text_digests(pa.array(texts)), "length": pa.array([len(t) for t in texts])}
    )


def test_rows_are_found_by_their_text_through_all_shards(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(shard("a", "bb"))
    store.add(shard("ccc"))
    for held in (store, Store(tmp_path)):
        rows = held.find(text_digests(pa.array(["ccc", "zz", "a"])))
        assert rows[1] == -1
        places = held.places(rows[[0, 2]])
        found = [held.shards[s].column("length")[int(p)].as_py() for s, p in zip(*places, strict=True)]
        assert found == [3, 1]
        assert len(held) == 3


def test_a_damaged_or_foreign_file_is_as_good_as_absent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(shard("a"))
    path = next(tmp_path.glob("*.arrow"))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    (tmp_path / "foreign.arrow").write_bytes(b"not arrow")
    (tmp_path / ".tmp-1-unfinished.arrow").write_bytes(whole)
    again = Store(tmp_path)
    assert again.find(text_digests(pa.array(["a"]))).tolist() == [-1]
    again.add(shard("a"))
    assert path.read_bytes() == whole


def test_what_a_killed_process_left_is_removed_after_a_day_and_not_before(tmp_path: Path) -> None:
    for name, age in ((".tmp-new-a.arrow", 10), (".tmp-old-a.arrow", 100_000)):
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    Store(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".tmp-new-a.arrow"]


def test_an_empty_store_finds_nothing_and_makes_no_folder(tmp_path: Path) -> None:
    store = Store(tmp_path / "none")
    assert store.find(text_digests(pa.array(["a"]))).tolist() == [-1]
    assert not (tmp_path / "none").exists()


def test_the_first_place_of_each_text_is_where_it_occurs_first() -> None:
    assert first_places(text_digests(pa.array(["b", "a", "b", "c", "a"]))).tolist() == [0, 1, 3]
