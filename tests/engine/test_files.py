import errno
import os
import stat

import pytest
import xxhash

from pyrite.core import DataError
from pyrite.engine import atomic_file, digest_file
from pyrite.engine.files import sweep


def write_then_raise(out, error):
    out.write_text("half")
    raise error


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_digest_streams_a_file_longer_than_one_block(tmp_path):
    data = os.urandom((1 << 20) + 17)
    (tmp_path / "a").write_bytes(data)
    assert digest_file(tmp_path / "a") == xxhash.xxh3_128_hexdigest(data)


def test_a_file_is_replaced_only_when_the_block_ends(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with atomic_file(target) as out:
        out.write_text("new")
        assert target.read_text() == "old"
        assert out.parent == target.parent
        assert out.suffix == ".txt"
    assert target.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(KeyError), atomic_file(target) as out:
        write_then_raise(out, KeyError("x"))
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_the_bytes_are_on_the_disk_before_the_name_is(tmp_path, monkeypatch):
    """A power cut after a rename that came first would leave an empty file under the final name."""
    events = []
    fsync, replace = os.fsync, os.replace

    def seen_fsync(descriptor):
        events.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def seen_replace(source, target):
        events.append("replace")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    monkeypatch.setattr(os, "replace", seen_replace)
    with atomic_file(tmp_path / "a") as out:
        out.write_text("x")
    assert events == ["file", "replace", "folder"]


def test_missing_folders_are_made(tmp_path):
    with atomic_file(tmp_path / "b" / "c" / "a") as out:
        out.write_text("x")
    assert (tmp_path / "b" / "c" / "a").read_text() == "x"


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    with atomic_file(tmp_path / "link") as out:
        out.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a").read_text() == "new"


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(DataError, match=r"a\.txt: the disk is full; free some space"),
        atomic_file(tmp_path / "a.txt") as out,
    ):
        out.write_text("x")
    assert names(tmp_path) == []


def test_a_folder_at_the_place_of_the_file_is_refused_before_the_work(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(DataError, match="is a folder"), atomic_file(tmp_path / "a"):
        pytest.fail("the work began")


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(DataError, match=r"cannot be written \(Not a directory\)"),
        atomic_file(tmp_path / "file" / "b" / "a"),
    ):
        pytest.fail("the work began")


def test_a_place_without_permission_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(DataError, match=r"cannot be written \(Permission denied\)"), atomic_file(tmp_path / "a"):
        pytest.fail("the work began")


def test_a_file_system_that_refuses_only_when_the_file_is_made_is_one_sentence(tmp_path):
    """/proc says that its folder can be written to, and makes no file."""
    with (
        pytest.raises(DataError, match=r"a\.txt: cannot be written \(No such file or directory\)"),
        atomic_file(tmp_path / "a.txt") as out,
    ):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(out))
    assert names(tmp_path) == []


def test_another_file_that_is_missing_is_not_taken_for_the_target(tmp_path):
    with pytest.raises(FileNotFoundError, match="other"), atomic_file(tmp_path / "a.txt"):
        (tmp_path / "other").read_text()


def test_a_sweep_takes_the_temporary_files_and_nothing_else(tmp_path):
    with atomic_file(tmp_path / "a.txt") as out:
        out.write_text("x")
        left = out.name
    (tmp_path / left).write_text("of a killed run")
    (tmp_path / ".hidden").write_text("")
    sweep(tmp_path)
    assert names(tmp_path) == [".hidden", "a.txt"]
