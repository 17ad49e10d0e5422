import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.engine import atomic_folder


def tree(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def write(out, text="new"):
    (out / "corpus").mkdir()
    (out / "corpus" / "a").write_text(text)


def write_then_raise(out, error):
    write(out)
    raise error


@pytest.fixture
def target(tmp_path):
    target = tmp_path / "data[1]"
    target.mkdir()
    (target / "a").write_text("old")
    (target / "b").write_text("old")
    return target


def test_a_folder_is_replaced_whole_when_the_block_ends(tmp_path, target):
    with atomic_folder(target) as out:
        write(out)
        assert tree(target) == {"a": "old", "b": "old"}
    assert tree(tmp_path) == {"data[1]/corpus/a": "new"}


def test_a_new_folder_appears_with_those_above_it(tmp_path):
    with atomic_folder(tmp_path / "x" / "y") as out:
        write(out)
        assert not (tmp_path / "x" / "y").exists()
    assert tree(tmp_path) == {"x/y/corpus/a": "new"}


def test_an_error_leaves_the_old_folder_and_nothing_half_written(tmp_path, target):
    with pytest.raises(KeyError), atomic_folder(target) as out:
        write_then_raise(out, KeyError("x"))
    assert tree(tmp_path) == {"data[1]/a": "old", "data[1]/b": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["data[1]"]


def test_a_failed_swap_puts_the_old_folder_back(tmp_path, target, monkeypatch):
    rename = Path.rename

    def fail_on_the_new(self, to):
        if ".new-" in self.name:
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", fail_on_the_new)
    with pytest.raises(OSError, match="Input/output"), atomic_folder(target) as out:
        write(out)
    assert tree(tmp_path) == {"data[1]/a": "old", "data[1]/b": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["data[1]"]


def test_a_full_disk_is_one_sentence_and_leaves_the_old_folder(tmp_path, target):
    with pytest.raises(DataError, match="the disk is full"), atomic_folder(target) as out:
        write_then_raise(out, OSError(errno.ENOSPC, "No space left on device"))
    assert tree(tmp_path) == {"data[1]/a": "old", "data[1]/b": "old"}


KILLED = """
import os, signal, sys
from pathlib import Path
from pyrite.engine import atomic_folder

rename, point = Path.rename, sys.argv[2]

def killing(self, to):
    role = "new" if ".new-" in self.name else "old"
    if point == f"before {role}":
        os.kill(os.getpid(), signal.SIGKILL)
    rename(self, to)
    if point == f"after {role}":
        os.kill(os.getpid(), signal.SIGKILL)

Path.rename = killing
with atomic_folder(Path(sys.argv[1])) as out:
    Path(out, "a").write_text("new")
"""
OLD, NEW = {"a": "old", "b": "old"}, {"a": "new"}


@pytest.mark.parametrize(
    ("point", "left"), [("before old", OLD), ("after old", None), ("before new", None), ("after new", NEW)]
)
def test_a_kill_in_the_swap_leaves_the_old_or_the_new_and_the_next_call_clears_up(tmp_path, target, point, left):
    killed = subprocess.run([sys.executable, "-c", KILLED, str(target), point], check=False)
    assert killed.returncode == -signal.SIGKILL
    if left is None:
        (old,) = tmp_path.glob(".data*.old-*")
        assert tree(old) == OLD
    else:
        assert tree(target) == left
    # The next call sees the old folder again even when it fails itself, and sweeps what was left.
    with pytest.raises(KeyError), atomic_folder(target):
        raise KeyError("x")
    assert tree(target) == (left or OLD)
    assert [path.name for path in tmp_path.iterdir()] == ["data[1]"]


def test_the_unfinished_folder_of_a_run_that_lives_is_left_alone(tmp_path, target):
    with atomic_folder(target) as first:
        write(first, "first")
        with atomic_folder(target) as second:
            write(second, "second")
        assert tree(first) == {"corpus/a": "first"}
    assert tree(tmp_path) == {"data[1]/corpus/a": "first"}


def test_a_file_at_the_place_of_the_folder_is_refused_before_the_work(tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(DataError, match="is a file"), atomic_folder(tmp_path / "a"):
        pytest.fail("the work began")


def test_a_mounted_disk_is_refused_before_the_work():
    with pytest.raises(DataError, match="mounted disk"), atomic_folder(Path("/proc")):
        pytest.fail("the work began")


def test_a_folder_that_is_a_link_is_replaced_where_it_points(tmp_path, target):
    (tmp_path / "link").symlink_to(target)
    with atomic_folder(tmp_path / "link") as out:
        write(out)
    assert (tmp_path / "link").readlink() == target
    assert tree(target) == {"corpus/a": "new"}
