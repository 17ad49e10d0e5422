"""Files that cannot be opened."""

import gzip

import pytest

from pyrite.core import DataError
from pyrite.formats.opening import not_utf8, open_bytes, unreadable


def read(path):
    with open_bytes(path) as stream:
        return stream.read()


def test_plain_and_packed_bytes_are_the_same(tmp_path):
    (tmp_path / "a").write_bytes(b"text")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"text"))
    assert read(tmp_path / "a") == read(tmp_path / "a.gz") == b"text"


def test_what_cannot_be_opened_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match=r"none: there is no such file\.$"):
        read(tmp_path / "none")
    with pytest.raises(DataError, match=r"cannot be read \(Is a directory\)\.$"):
        read(tmp_path)
    (tmp_path / "a.gz").write_bytes(b"text")
    with pytest.raises(DataError, match=r"a\.gz: is not a whole gzip file; copy or download it again\.$"):
        read(tmp_path / "a.gz")
    denied = unreadable(PermissionError(13, "Permission denied"), tmp_path / "a")
    assert str(denied) == f"{tmp_path / 'a'}: cannot be read (Permission denied)."


def test_the_bytes_around_a_bad_one_are_shown():
    raw = b"0123456789\xff0123456789"
    with pytest.raises(UnicodeDecodeError) as caught:
        raw.decode()
    said = str(not_utf8(raw, caught.value, "f, line 1"))
    assert said == r"f, line 1: is not valid UTF-8 near b'23456789\xff0123456'; write the file as UTF-8."
