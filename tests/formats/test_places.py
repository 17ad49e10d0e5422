"""Layouts that are told by patterns of names."""

import pytest

from pyrite.formats import Layout, collection_files
from pyrite.formats.layout import layout_of


def files(names, split=None):
    found = collection_files(names, split, where="toy")
    return found.layout, found.split, found.corpus, found.queries, found.qrels


def test_a_task_of_mteb_with_languages_has_a_split_for_each():
    names = [f"{code}-{role}/dev-00000-of-00001.parquet" for code in ("ja", "ko") for role in ("corpus", "queries")]
    names += ["ja-qrels/dev.parquet", "ko-qrels/dev.parquet", "ko-qrels/test.parquet"]
    layout = Layout("configs", ("ja/dev", "ko/dev", "ko/test"))
    assert files(names, "ja/dev") == (
        layout,
        "ja/dev",
        ("ja-corpus/dev-00000-of-00001.parquet",),
        ("ja-queries/dev-00000-of-00001.parquet",),
        ("ja-qrels/dev.parquet",),
    )
    assert files(names, "ja") == files(names, "ja/dev")
    assert files(names, "ko/test")[3] == ("ko-queries/dev-00000-of-00001.parquet",)
    assert collection_files(names, "ko/test", where="toy").other_qrels == ("ko-qrels/dev.parquet",)


def test_the_layout_that_mteb_pushes_has_its_qrels_in_data():
    names = ["corpus/test-00000-of-00001.parquet", "queries/test-00000-of-00001.parquet", "data/test.parquet"]
    assert files(names)[0] == Layout("configs", ("test",))
    assert files(names)[4] == ("data/test.parquet",)


def test_the_hub_s_parquet_copies_are_in_numbered_files():
    names = ["jaqket-query/train/0000.parquet", "jaqket-query/train/0001.parquet", "jaqket-query/test/0000.parquet"]
    names += ["jaqket-corpus/corpus/0000.parquet"]
    assert files(names, "jaqket/train") == (
        Layout("configs", ("jaqket/test", "jaqket/train")),
        "jaqket/train",
        ("jaqket-corpus/corpus/0000.parquet",),
        ("jaqket-query/train/0000.parquet", "jaqket-query/train/0001.parquet"),
        (),
    )


@pytest.mark.parametrize("queries", ["queries.jsonl", "query.parquet"])
def test_a_corpus_beside_queries_alone_is_listed(queries):
    assert files(["corpus.jsonl", queries])[:4] == (Layout("listed", ()), "", ("corpus.jsonl",), (queries,))


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (["docs.trec", "topics.trec", "qrels.txt"], ()),
        (["collection.tsv", "queries.dev.tsv", "qrels.dev.tsv"], ("dev",)),
        (["docs/a.trec.gz", "docs/b.trec.gz", "topics.dl19.txt", "qrels.dl19.qrels"], ("dl19",)),
        (["corpus.jsonl.gz", "topics.txt", "qrels/dev.txt", "qrels/test.txt"], ("dev", "test")),
    ],
)
def test_the_names_of_trec_collections_are_known(names, splits):
    assert layout_of(names, where="toy") == Layout("trec", splits)


def test_documents_in_a_folder_are_read_in_order_of_their_names():
    assert files(["docs/b.trec", "docs/a.trec", "topics.txt", "qrels.txt"])[2] == ("docs/a.trec", "docs/b.trec")
