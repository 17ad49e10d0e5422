"""How large a table is, before it is read."""

import gzip
import hashlib
import json
import sys
from types import SimpleNamespace

import pytest

from pyrite.core import RecipeError
from pyrite.sources import Outline, SourceSpec, outline, outline_collection

LINES = [json.dumps({"n": n, "text": "x" * (n % 50)}) + "\n" for n in range(2000)]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(sys.modules[outline.__module__], "COUNTED", 1000)
    monkeypatch.setattr(sys.modules[outline.__module__], "_BLOCK", 2000)


def rows(tmp_path, name):
    return outline(SourceSpec(name), base=tmp_path).rows


def test_rows_of_parquet_are_counted_in_the_footers(put, tmp_path):
    put("rows/a.parquet", {"n": [1, 2]})
    put("rows/b.parquet", {"n": [3]})
    found = outline(SourceSpec("rows"), base=tmp_path)
    size = sum(path.stat().st_size for path in (tmp_path / "rows").iterdir())
    assert found == Outline("rows", 2, size, (3, 3), True)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("rows.jsonl", '{"a": 1}\n\n{"a": 2}', 2),
        ("rows.csv", 'a,b\n1,"x\ny"\n\n2,z\n', 2),
        ("rows.tsv", "a\n", 0),
        ("empty.jsonl", "", 0),
    ],
)
def test_rows_of_small_files_are_counted(put, tmp_path, name, text, count):
    put(name, text)
    assert rows(tmp_path, name) == (count, count)


def test_rows_of_a_packed_file_are_counted_where_it_is_small(put, tmp_path):
    put("rows.jsonl.gz", gzip.compress("".join(LINES).encode()))
    assert rows(tmp_path, "rows.jsonl.gz") == (2000, 2000)


def test_rows_of_a_large_packed_file_are_a_range_that_holds_them(put, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[outline.__module__], "COUNTED", 200_000)
    texts = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(20_000)]
    put("rows.jsonl.gz", gzip.compress("".join(json.dumps({"text": text}) + "\n" for text in texts).encode()))
    low, high = rows(tmp_path, "rows.jsonl.gz")
    assert 10_000 < low <= 20_000 <= high < 40_000


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_rows_of_a_large_file_are_a_range_that_holds_them(put, tmp_path, small_blocks, name):
    text = "".join(LINES)
    if name.endswith("csv"):
        text = "n,text\n" + "".join(f'{n},"{"x" * (n % 40)}\n{n}"\n' for n in range(2000))
    put(name, text)
    low, high = rows(tmp_path, name)
    assert low <= 2000 <= high
    assert 0 < low < high < 6000


class SizedHub:
    """A dataset on a hub that may say how large its files are."""

    def __init__(self, sizes):
        self.sizes, self.fetched = sizes, []

    def repo_info(self, repo_id, *, revision=None, repo_type=None, files_metadata=False):
        siblings = [
            SimpleNamespace(rfilename=name, size=size if files_metadata else None) for name, size in self.sizes.items()
        ]
        return SimpleNamespace(sha="c0ffee", siblings=siblings)

    def hf_hub_download(self, repo_id, filename, *, repo_type=None, revision=None):
        self.fetched.append(filename)
        raise AssertionError("nothing is downloaded for a plan")


@pytest.mark.parametrize(("size", "told"), [(7, 12), (None, None)])
def test_a_table_on_the_hub_is_not_downloaded(tmp_path, size, told):
    hub = SizedHub({"data/train-00000-of-00002.parquet": 5, "data/train-00001-of-00002.parquet": size})
    found = outline(SourceSpec("org/rows", split="train"), base=tmp_path, hub=hub)
    assert found == Outline("org/rows", 2, told, None, False)
    assert hub.fetched == []


def test_a_collection_is_all_its_tables_together(put, tmp_path):
    put("toy/corpus.jsonl", '{"_id": "d1", "text": "a"}\n{"_id": "d2", "text": "b"}\n')
    put("toy/queries.jsonl", '{"_id": "q", "text": "?"}\n')
    put("toy/qrels/test.tsv", "q\td1\t1\nq\td2\t1\n")
    size = sum(path.stat().st_size for path in (tmp_path / "toy").rglob("*.*"))
    assert outline_collection("toy", base=tmp_path) == Outline("toy", 3, size, (4, 4), True)


def test_a_collection_on_the_hub_is_not_downloaded(tmp_path):
    hub = SizedHub({"corpus/ja.parquet": 5, "queries/ja.parquet": 2, "qrels/ja.parquet": 1, "corpus/ko.parquet": 9})
    found = outline_collection("org/nano", split="ja", base=tmp_path, hub=hub)
    assert found == Outline("org/nano", 3, 8, None, False)


def test_what_is_nowhere_is_a_sentence(tmp_path):
    with pytest.raises(RecipeError, match="there is no such file or folder"):
        outline(SourceSpec("none.parquet"), base=tmp_path)
