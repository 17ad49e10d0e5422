"""The published layout, written."""

import pyarrow.parquet as pq

from pyrite.core import Corpus, Document, Qrels, Queries, Query
from pyrite.formats import CORPUS, QRELS, layout, read_collection, write_published

QUERIES = Queries.of([Query("q1", "gold?")])
JUDGED = Qrels.of({"q1": {"001": 2, "no": 0}})


def corpus(title=""):
    return Corpus.of([Document("001", "An element.", title), Document("no", "")])


def test_what_is_written_is_read_back(tmp_path):
    write_published(tmp_path, corpus("Gold"), QUERIES, {"test": JUDGED})
    found = read_collection(tmp_path)
    assert (list(found.corpus), list(found.queries)) == (list(corpus("Gold")), list(QUERIES))
    assert list(found.qrels.rows()) == list(JUDGED.rows())
    assert pq.read_schema(tmp_path / "qrels" / "test.parquet").equals(QRELS)


def test_a_corpus_without_titles_has_no_column_for_them(tmp_path):
    write_published(tmp_path, corpus(), QUERIES, {"test": JUDGED})
    assert pq.read_schema(tmp_path / "corpus" / "corpus.parquet").equals(CORPUS)


def test_a_prefix_makes_configs_that_are_named_by_their_split(tmp_path):
    told = write_published(tmp_path, corpus(), QUERIES, {"dev": JUDGED}, prefix="ja")
    assert told["ja-corpus"] == {"dev": ["ja-corpus/dev.parquet"]}
    assert layout(tmp_path).splits == ("ja/dev",)


def test_a_large_corpus_is_in_several_files(tmp_path):
    told = write_published(tmp_path, corpus(), QUERIES, {"test": JUDGED}, shard_bytes=10)
    assert told["corpus"]["corpus"] == [f"corpus/corpus-0000{n}-of-00002.parquet" for n in range(2)]
    assert read_collection(tmp_path).corpus.ids.to_pylist() == ["001", "no"]


def test_an_empty_corpus_is_an_empty_file(tmp_path):
    write_published(tmp_path, Corpus.of([]), Queries.of([]), {"test": Qrels.of({})})
    assert len(read_collection(tmp_path).corpus) == 0
