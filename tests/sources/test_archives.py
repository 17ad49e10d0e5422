"""Zipped collections: unpacked once, and never past the cache."""

import stat
import zipfile

import pytest

from pyrite.core import DataError
from pyrite.sources import load
from pyrite.sources.archives import is_archive, unpack

FILES = {
    "corpus.jsonl": '{"_id": "001", "text": "An element.", "title": "Gold"}\n',
    "queries.jsonl": '{"_id": "1e3", "text": "gold?"}\n{"_id": "no", "text": "other?"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\n1e3\t001\t1\n",
    "qrels/dev.tsv": "query-id\tcorpus-id\tscore\nno\t001\t1\n",
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def pack(tmp_path):
    def write(files, name="toy.zip", top="toy/"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for place, text in files.items():
                archive.writestr(place if isinstance(place, zipfile.ZipInfo) else f"{top}{place}", text)
        return tmp_path / name

    return write


@pytest.mark.parametrize("top", ["", "scifact/"])
def test_a_beir_zip_is_loaded_like_its_folder(pack, top):
    found = load(str(pack(FILES, top=top)))
    assert found.name == "toy"
    assert found.corpus.contents().to_pylist() == ["Gold\n\nAn element."]
    assert (found.queries.ids.to_pylist(), list(found.qrels.rows())) == (["1e3"], [("1e3", "001", 1)])
    assert load(str(pack(FILES, top=top)), split="dev").qrels["no"] == {"001": 1}


def test_a_second_call_unpacks_nothing_and_another_zip_is_another_folder(pack, cache):
    first = unpack(pack(FILES))
    before = (first / "corpus.jsonl").stat().st_mtime_ns
    assert unpack(pack(FILES)) == first
    assert (first / "corpus.jsonl").stat().st_mtime_ns == before
    assert unpack(pack(FILES | {"qrels/test.tsv": "no\t001\t1\n"})) != first
    assert first.is_relative_to(cache)


def test_leftovers_of_a_mac_are_left_in_the_archive(pack):
    mac = {"__MACOSX/toy/._corpus.jsonl": "x", "toy/.DS_Store": "x"}
    folder = unpack(pack({f"toy/{place}": text for place, text in FILES.items()} | mac, top=""))
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "corpus.jsonl", "dev.tsv", "queries.jsonl", "test.tsv",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["../evil.txt", "toy/../../evil.txt", "/evil.txt", "C:/evil.txt", "..\\evil.txt"])
def test_a_name_that_leads_out_of_the_archive_is_refused_and_nothing_unpacked(pack, tmp_path, cache, name):
    path = pack({f"toy/{place}": text for place, text in FILES.items()} | {name: "evil"}, top="")
    with pytest.raises(DataError, match="its name leads out of the archive"):
        load(str(path))
    assert not cache.exists()
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_link_is_refused(pack, cache):
    link = zipfile.ZipInfo("toy/corpus.jsonl.link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(DataError, match=r"toy\.zip, toy/corpus\.jsonl\.link: is a link; pack the file itself"):
        unpack(pack({**FILES, link: "/etc/passwd"}))
    assert not cache.exists()


def test_an_encrypted_member_is_refused(pack):
    path = pack(FILES)
    raw = bytearray(path.read_bytes())
    start = raw.index(b"PK\x01\x02")
    raw[start + 8] |= 1
    path.write_bytes(bytes(raw))
    with pytest.raises(DataError, match="is encrypted; unpack it yourself and name the folder"):
        unpack(path)


def test_a_zip_that_is_cut_or_holds_no_collection_is_a_sentence(pack, cache):
    path = pack({"readme.txt": "x"})
    with pytest.raises(DataError, match=r"toy\.zip: holds no collection"):
        unpack(path)
    path.write_bytes(pack(FILES).read_bytes()[:-30])
    with pytest.raises(DataError, match=r"toy\.zip: is not a whole zip file; copy or download it again"):
        unpack(path)
    assert not cache.exists()


def test_bytes_that_do_not_match_their_checksum_leave_no_folder(pack, cache):
    path = pack(FILES)
    path.write_bytes(path.read_bytes().replace(b"An element.", b"An elemant."))
    with pytest.raises(DataError, match="is not a whole zip file"):
        unpack(path)
    assert [found for found in cache.rglob("*") if found.is_file()] == []


def test_a_bad_row_is_told_by_the_archive_s_name(pack):
    path = pack(FILES | {"corpus.jsonl": '{"_id": "1", "text": "a"}\n{"_id": 2.5, "text": "b"}\n'})
    with pytest.raises(DataError) as caught:
        load(str(path))
    assert str(caught.value).startswith(f"{path}/corpus.jsonl, line 2: column '_id' holds the number 2.5")


def test_only_a_zip_file_is_an_archive(pack, tmp_path):
    (tmp_path / "folder.zip").mkdir()
    assert (is_archive(pack(FILES)), is_archive(tmp_path / "folder.zip"), is_archive(tmp_path / "a.tsv")) == (
        True,
        False,
        False,
    )
