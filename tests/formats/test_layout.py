"""Folders of every layout that is known."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, Qrels
from pyrite.formats import (
    DataWarning,
    Layout,
    Manifest,
    collection_files,
    layout,
    read_collection,
    write_manifest,
    write_parquet,
)

DOCS = pa.table({"_id": ["d1", "d2"], "text": ["An element.", "A mineral."]})
QUERIES = pa.table({"_id": ["q1", "q2", "q3"], "text": ["gold?", "pyrite?", "both?"]})


def qrels(*rows):
    return pa.table({"query-id": [q for q, _ in rows], "corpus-id": [d for _, d in rows], "score": [1] * len(rows)})


QRELS = qrels(("q1", "d1"), ("q2", "d2"))


def make(folder, **tables):
    """Keyword "corpus__ja" is corpus/ja.parquet."""
    for name, table in tables.items():
        path = folder / f"{name.replace('__', '/')}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(path, table)
    return folder


def ids(collection):
    return collection.corpus.ids.to_pylist(), collection.queries.ids.to_pylist(), list(collection.qrels.rows())


WHOLE = (["d1", "d2"], ["q1", "q2", "q3"], [("q1", "d1", 1), ("q2", "d2", 1)])


def test_a_published_folder_without_a_card_is_all_read(tmp_path):
    """X13, O51: a loader that guesses splits finds only qrels/test here."""
    make(tmp_path, corpus__corpus=DOCS, queries__queries=QUERIES, qrels__test=QRELS, provenance__leaks=DOCS)
    assert layout(tmp_path) == Layout("published", ("test",))
    assert ids(read_collection(tmp_path)) == WHOLE


def test_a_nano_folder_keeps_its_splits_apart(tmp_path):
    """O50."""
    make(tmp_path, corpus__ja=DOCS, queries__ja=QUERIES, qrels__ja=QRELS.drop_columns("score"), bm25__ja=DOCS)
    other = pa.table({"_id": ["x1"], "text": ["x"]})
    make(tmp_path, corpus__en=other, queries__en=other, qrels__en=qrels(("x1", "x1")))
    assert layout(tmp_path) == Layout("nano", ("en", "ja"))
    assert ids(read_collection(tmp_path, split="ja")) == WHOLE
    assert ids(read_collection(tmp_path, split="en")) == (["x1"], ["x1"], [("x1", "x1", 1)])
    with pytest.raises(DataError, match="has several splits; choose one of en, ja"):
        read_collection(tmp_path)
    with pytest.raises(DataError, match="has no split 'ko'; choose one of en, ja"):
        read_collection(tmp_path, split="ko")


def test_a_nano_splits_language_is_in_its_metadata(tmp_path):
    make(tmp_path, corpus__ja=DOCS, queries__ja=QUERIES, qrels__ja=QRELS, corpus__en=DOCS, queries__en=QUERIES)
    make(tmp_path, qrels__en=QRELS)
    write_manifest(tmp_path / "manifest.json", Manifest("nano", "NanoToy", language="mul"))
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "ja.json").write_text('{"language": "ja"}')
    assert [read_collection(tmp_path, split=split).language for split in ("ja", "en")] == ["ja", "mul"]


def test_a_flat_folder_has_no_splits(tmp_path):
    make(tmp_path, corpus=DOCS, queries=QUERIES, qrels=QRELS)
    assert layout(tmp_path) == Layout("flat", ())
    assert ids(read_collection(tmp_path)) == WHOLE
    with pytest.raises(DataError, match="has no splits, so there is no 'test'"):
        read_collection(tmp_path, split="test")


def test_a_beir_folder_may_be_packed(tmp_path):
    rows = [{"_id": "d1", "text": "An element."}, {"_id": "d2", "text": "A mineral.", "title": None}]
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES.to_pylist()))
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("q1\td1\t1\nq2\td2\t1\n")
    assert layout(tmp_path) == Layout("beir", ("test",))
    assert ids(read_collection(tmp_path)) == WHOLE


def test_the_hub_copies_of_mteb_are_read(tmp_path):
    make(tmp_path, **{"corpus__corpus-00000-of-00001": DOCS, "queries__queries-00000-of-00001": QUERIES})
    make(tmp_path, **{"data__test-00000-of-00001": QRELS})
    assert layout(tmp_path) == Layout("published", ("test",))
    assert ids(read_collection(tmp_path)) == WHOLE


def test_a_sharded_corpus_is_read_in_order_and_a_missing_shard_is_told(tmp_path):
    make(tmp_path, queries__queries=QUERIES, qrels__test=QRELS)
    make(
        tmp_path, **{"corpus__corpus-00001-of-00002": DOCS.slice(1), "corpus__corpus-00000-of-00002": DOCS.slice(0, 1)}
    )
    assert ids(read_collection(tmp_path)) == WHOLE
    (tmp_path / "corpus" / "corpus-00000-of-00002.parquet").unlink()
    with pytest.raises(DataError, match=r"corpus-00000-of-00002\.parquet is missing"):
        read_collection(tmp_path)


def test_queries_that_only_another_split_judges_are_left_out(tmp_path):
    """O32: q3 is judged by nobody and stays; q2 belongs to train."""
    make(tmp_path, corpus__corpus=DOCS, queries__queries=QUERIES)
    make(tmp_path, qrels__test=qrels(("q1", "d1")), qrels__train=qrels(("q2", "d2"), ("q1", "d2")))
    assert read_collection(tmp_path).queries.ids.to_pylist() == ["q1", "q3"]
    assert read_collection(tmp_path, split="train").queries.ids.to_pylist() == ["q1", "q2", "q3"]
    names = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.parquet")]
    assert "qrels/train.parquet" in collection_files(names, "test", where="toy").all()


def test_dangling_judgements_name_ids_file_and_split(tmp_path):
    """O31, O32."""
    make(tmp_path, corpus__corpus=DOCS, queries__queries=QUERIES, qrels__test=QRELS)
    make(tmp_path, qrels__dev=qrels(("q1", "d9"), ("q5", "d1")))
    assert len(read_collection(tmp_path, split="test").qrels) == 2
    with pytest.raises(DataError) as caught:
        read_collection(tmp_path, split="dev")
    assert str(caught.value) == (
        f"{tmp_path}/qrels/dev.parquet, split 'dev': "
        "1 of 2 judgements name 1 document that is not in the corpus: 'd9'; "
        "1 of 2 judgements name 1 query that is not among the queries: 'q5'; "
        "add what is missing, or leave the judgements out."
    )
    with pytest.warns(DataWarning, match=r"1 with a document not in the corpus, .* lose every positive: 'q1'"):
        found = read_collection(tmp_path, split="dev", dangling="drop")
    assert len(found.qrels) == 0


def test_conflicting_grades_stop_or_take_the_greatest(tmp_path):
    """O36."""
    rows = pa.table({"query-id": ["q1", "q1"], "corpus-id": ["d1", "d1"], "score": [0, 2]})
    make(tmp_path, corpus=DOCS, queries=QUERIES, qrels=rows)
    with pytest.raises(DataError, match=r"qrels\.parquet: query 'q1' and document 'd1' are judged both 0 and 2"):
        read_collection(tmp_path)
    with pytest.warns(DataWarning, match="greatest grade"):
        assert read_collection(tmp_path, conflicts="max").qrels["q1"] == {"d1": 2}


def test_the_manifest_says_name_language_and_protocol(tmp_path):
    titled = DOCS.append_column("title", pa.array(["Gold", None]))
    make(tmp_path, corpus__corpus=titled, queries__queries=QUERIES, qrels__test=QRELS)
    protocol = {"headline_queries": 2, "remove_self": True, "template": "{title}: {text}"}
    write_manifest(tmp_path / "manifest.json", Manifest("benchmark", "toy", language="en", protocol=protocol))
    found = read_collection(tmp_path)
    assert (found.name, found.language, found.headline_queries, found.remove_self) == ("toy", "en", 2, True)
    assert found.corpus.contents().to_pylist() == ["Gold: An element.", "A mineral."]
    assert read_collection(tmp_path, name="mine").name == "mine"


def test_without_a_manifest_the_folder_names_the_collection(tmp_path):
    found = read_collection(make(tmp_path / "toy", corpus=DOCS, queries=QUERIES, qrels=QRELS))
    assert (found.name, found.language, found.headline_queries, found.remove_self) == ("toy", "", None, False)


def test_integer_ids_of_one_table_meet_strings_of_another_after_a_warning(tmp_path):
    """O33."""
    integers = pa.table({"_id": [1, 2], "text": ["a", "b"]})
    make(tmp_path, corpus=integers, queries=QUERIES, qrels=qrels(("q1", "1")))
    with pytest.warns(DataWarning, match=r"corpus\.parquet: column '_id' holds integers"):
        found = read_collection(tmp_path)
    assert found.corpus.ids.to_pylist() == ["1", "2"]


def test_leading_zeros_are_other_ids(tmp_path):
    """O33, X11: "001" and "1" are two documents, in Parquet and in BEIR's TSV."""
    docs = pa.table({"_id": ["001", "1"], "text": ["a", "b"]})
    make(tmp_path, corpus=docs, queries=QUERIES)
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t001\t1\nq2\t1\t1\n")
    assert list(read_collection(tmp_path).qrels.rows()) == [("q1", "001", 1), ("q2", "1", 1)]


def test_what_is_no_collection_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match="holds no collection: corpus, queries and qrels are not all there"):
        read_collection(tmp_path)
    with pytest.raises(DataError, match="none: is not there"):
        read_collection(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"file: is not a folder; name .* becomes a dataset with pyrite build"):
        layout(tmp_path / "file")


def test_an_empty_judgement_table_is_a_collection_without_judgements(tmp_path):
    make(tmp_path, corpus=DOCS, queries=QUERIES, qrels=QRELS.slice(0, 0))
    assert len(read_collection(tmp_path).qrels) == len(Qrels.of({})) == 0


def test_every_real_collection_has_its_counts(shared_data):
    told = json.loads((shared_data / "collections.json").read_text())
    for one in told:
        found = read_collection(shared_data / one["path"].removeprefix("open/"), split=one["split"])
        counts = (len(found.queries), len(found.corpus), len(found.qrels))
        assert counts == (one["queries"], one["docs"], one["qrels"]), one["path"]
        grades = sorted(set(found.qrels.relevance.tolist()))
        assert grades == one["grades"], one["path"]


def test_a_real_id_with_white_space_stays_whole(shared_data):
    found = read_collection(shared_data / "limit-small")
    assert "Geneva Durben" in found.qrels["query_0"]
    expected = pq.read_table(shared_data / "limit-small" / "corpus.parquet")["_id"].to_pylist()
    assert found.corpus.ids.to_pylist() == expected
