import errno
import json
import os

import pytest

from pyrite.core import DataError
from pyrite.engine import digest_file
from pyrite.engine.keys import WorkKey
from pyrite.engine.manifest import NAME, ShardRow, WorkManifest


def row(work, name, text="content"):
    path = work / "count" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    key = WorkKey.of("count", 1, {"unit": "words"}, name)
    return ShardRow(key, name, f"count/{name}", len(text), digest_file(path), {"words": 1})


def filled(work, *names):
    manifest = WorkManifest(work)
    rows = [row(work, name) for name in names]
    for each in rows:
        manifest.add(each)
    manifest.close()
    return rows


def test_rows_are_read_back_as_they_were_added(tmp_path):
    rows = filled(tmp_path, "a", "b")
    manifest = WorkManifest(tmp_path)
    assert [manifest.get(each.key) for each in rows] == rows
    assert manifest.get(WorkKey.of("count", 2, {"unit": "words"}, "a")) is None
    manifest.close()


def test_a_row_is_one_line_of_json_that_says_why_its_key_is_what_it_is(tmp_path):
    (added,) = filled(tmp_path, "a")
    line = json.loads((tmp_path / NAME).read_text())
    assert line == {
        "key": added.key.digest,
        "stage": "count",
        "shard": "a",
        "file": "count/a",
        "size": 7,
        "digest": added.digest,
        "facts": {"words": 1},
        "version": 1,
        "params": dict(added.key.params),
        "input": "a",
        "parts": {},
        "run": 0,
    }


@pytest.mark.parametrize("torn", [b'{"key": "ab', b"\0\0\0", "whole"])
def test_a_torn_last_line_is_cut_off_and_the_next_row_is_whole(tmp_path, torn):
    """Without its end a line may be whole by chance; it was not yet committed."""
    first, second = filled(tmp_path, "a", "b")
    path = tmp_path / NAME
    lines = path.read_bytes().splitlines()
    path.write_bytes(lines[0] + b"\n" + (lines[1] if torn == "whole" else torn))
    manifest = WorkManifest(tmp_path)
    assert manifest.get(second.key) is None
    assert path.read_bytes() == lines[0] + b"\n"
    manifest.add(second)
    manifest.close()
    again = WorkManifest(tmp_path)
    assert (again.get(first.key), again.get(second.key)) == (first, second)
    again.close()


@pytest.mark.parametrize("damage", [b"not json", b"{}", b"[1]", b"\xff", "edited"])
def test_a_damaged_line_in_the_middle_costs_its_own_shard_only(tmp_path, damage):
    first, second = filled(tmp_path, "a", "b")
    path = tmp_path / NAME
    lines = path.read_bytes().splitlines()
    lines[0] = lines[0].replace(b'"version":1', b'"version":2') if damage == "edited" else damage
    path.write_bytes(b"\n".join([*lines, b""]))
    with pytest.warns(UserWarning, match="line 1 is damaged"):
        manifest = WorkManifest(tmp_path)
    assert (manifest.get(first.key), manifest.get(second.key)) == (None, second)
    manifest.close()


def test_of_two_rows_of_one_key_the_later_is_true(tmp_path):
    filled(tmp_path, "a")
    later = row(tmp_path, "a", "other content")
    manifest = WorkManifest(tmp_path)
    manifest.add(later)
    manifest.close()
    manifest = WorkManifest(tmp_path)
    assert manifest.get(later.key) == later
    manifest.close()


@pytest.mark.parametrize("failing", ["write", "fsync"])
def test_a_full_disk_leaves_the_manifest_as_it_was(tmp_path, monkeypatch, failing):
    (first,) = filled(tmp_path, "a")
    before = (tmp_path / NAME).read_bytes()
    second = row(tmp_path, "b")
    manifest = WorkManifest(tmp_path)
    original = getattr(os, failing)

    def full(descriptor, *data):
        # Half of the row still fits.
        if data:
            original(descriptor, bytes(data[0])[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, failing, full)
        with pytest.raises(DataError, match=r"manifest\.jsonl: the disk is full"):
            manifest.add(second)
    assert (tmp_path / NAME).read_bytes() == before
    assert manifest.get(second.key) is None
    manifest.add(second)
    manifest.close()
    again = WorkManifest(tmp_path)
    assert (again.get(first.key), again.get(second.key)) == (first, second)
    again.close()


def test_an_output_holds_only_while_its_bytes_are_those_written(tmp_path):
    (added,) = filled(tmp_path, "a")
    path = tmp_path / added.file
    assert added.holds(tmp_path)
    path.write_text("cOntent")
    assert not added.holds(tmp_path)
    path.write_text("conten")
    assert not added.holds(tmp_path)
    path.unlink()
    assert not added.holds(tmp_path)


@pytest.mark.parametrize(("name", "value"), [("run", "x"), ("size", "12"), ("file", 3), ("facts", []), ("parts", "p")])
def test_a_row_with_a_value_of_another_type_is_damaged(tmp_path, name, value):
    (one,) = filled(tmp_path, "a")
    told = {**json.loads(one.to_line()), name: value}
    (tmp_path / NAME).write_text(json.dumps(told) + "\n")
    with pytest.warns(UserWarning, match="line 1 is damaged; its shard is done again"):
        manifest = WorkManifest(tmp_path)
    assert manifest.get(one.key) is None
