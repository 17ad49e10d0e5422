"""ir_datasets ids: a package that behaves like it, and the package itself on files made here."""

import sys
from types import SimpleNamespace
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.sources import irds, load
from pyrite.sources.irds import fetch_irds


class Titled(NamedTuple):
    doc_id: str
    text: str
    title: str


class Parsed(NamedTuple):
    doc_id: str
    title: str
    body: str

    def default_text(self):
        return f"{self.title} {self.body}"


class Asked(NamedTuple):
    query_id: str
    text: str


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Dataset:
    """What ir_datasets gives for an id."""

    def __init__(self, docs, lacks=()):
        self.docs, self.lacks = docs, lacks
        self.queries, self.qrels = [Asked("1e3", "gold?")], [Judged("1e3", "001", 2)]
        self.passes = 0

    def docs_iter(self):
        self.passes += 1
        return iter(self.docs)

    def queries_iter(self):
        return iter(self.queries)

    def qrels_iter(self):
        return iter(self.qrels)

    def docs_lang(self):
        return "en"

    queries_lang = docs_lang

    def __getattr__(self, name):
        kind = name.removeprefix("has_")
        return lambda: kind not in self.lacks


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Ids that the stand-in knows."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    datasets = {}
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=datasets.__getitem__, __version__="1"))
    return datasets


def test_an_id_is_loaded_with_titles_grades_and_language(known):
    """O30: a missing title is none."""
    known["beir/toy/test"] = Dataset([Titled("001", "An element.", "Gold"), Titled("no", "A mineral.", None)])
    found = load("ir-datasets:beir/toy/test")
    assert (found.name, found.language) == ("beir/toy/test", "en")
    assert found.corpus.contents().to_pylist() == ["Gold\n\nAn element.", "A mineral."]
    assert (found.corpus.ids.to_pylist(), found.qrels["1e3"]) == (["001", "no"], {"001": 2})


def test_what_was_fetched_once_is_kept(known):
    known["toy"] = Dataset([Titled("001", "a", "")])
    assert fetch_irds("ir-datasets:toy") == fetch_irds("ir-datasets:toy")
    assert known["toy"].passes == 1


def test_documents_stream_in_batches_and_keep_their_order(known, monkeypatch):
    monkeypatch.setattr(irds, "_BATCH", 2)
    docs = [Titled(f"{number:03}", str(number), "") for number in range(1, 6)]
    known["toy"] = Dataset(docs)
    assert load("ir-datasets:toy").corpus.ids.to_pylist() == ["001", "002", "003", "004", "005"]
    table = pq.read_table(fetch_irds("ir-datasets:toy") / "corpus" / "corpus.parquet")
    assert table.column_names == ["_id", "text", "title"]


def test_a_record_without_a_text_has_its_default_text(known):
    known["toy"] = Dataset([Parsed("001", "Gold", "An element.")])
    assert load("ir-datasets:toy").corpus.contents().to_pylist() == ["Gold An element."]


@pytest.mark.parametrize(
    ("dataset", "error", "said"),
    [
        (None, RecipeError, "ir-datasets:toy: is no id of ir_datasets; see https://ir-datasets.com."),
        (Dataset([], lacks=("qrels", "queries")), RecipeError, "has no queries and no qrels; choose an id with all"),
        (Dataset([Titled("001", None, "T")]), DataError, "'001' has no text"),
        (Dataset([Titled("", "a", "")]), DataError, "a row has no id"),
        (Dataset([Titled("001", "a", ""), Titled("001", "b", "")]), DataError, "id '001' occurs more than once"),
        (Dataset([Titled("d", "a", "")]), DataError, "name 1 document that is not in the corpus: '001'"),
    ],
)
def test_what_is_not_fit_is_a_sentence_that_names_the_id(known, dataset, error, said):
    if dataset is not None:
        known["toy"] = dataset
    with pytest.raises(error) as caught:
        load("ir-datasets:toy")
    assert said in str(caught.value)
    assert "ir-datasets:toy" in str(caught.value)


def test_a_download_that_fails_is_a_sentence_and_leaves_nothing(known, tmp_path):
    class Unreachable(Dataset):
        def docs_iter(self):
            raise ConnectionError("name not\n resolved")

    known["toy"] = Unreachable([])
    with pytest.raises(DataError, match=r"ir_datasets cannot read it \(ConnectionError: name not resolved\)"):
        load("ir-datasets:toy")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_missing_package_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r'run: pip install "pyrite\[irds\]"'):
        load("ir-datasets:beir/scifact/test")


def test_the_package_itself_is_read(tmp_path, monkeypatch):
    """The oracle: ir_datasets 0.6 over three files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets")
    (tmp_path / "docs.tsv").write_text("001\tAn element.\n1\tA mineral.\n")
    (tmp_path / "queries.tsv").write_text("1e3\tgold?\n")
    (tmp_path / "qrels.txt").write_text("1e3 0 001 2\n1e3 0 1 0\n")
    toy = ir_datasets.create_dataset(
        docs_tsv=str(tmp_path / "docs.tsv"),
        queries_tsv=str(tmp_path / "queries.tsv"),
        qrels_trec=str(tmp_path / "qrels.txt"),
    )
    monkeypatch.setattr(ir_datasets, "load", {"toy": toy}.__getitem__)
    found = load("ir-datasets:toy")
    assert found.corpus.ids.to_pylist() == ["001", "1"]
    assert (found.queries[0].text, found.qrels["1e3"]) == ("gold?", {"001": 2, "1": 0})
