"""The layouts that a Nano source may have."""

import json
import warnings
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import DataWarning, read_manifest

DOCS = ["alpha", "beta", "gamma", "delta", "alpha"]
"""Row 4 is row 0's twin."""


def rows(folder: Path, place: str) -> list[dict]:
    return pq.read_table(folder / f"{place}.parquet").to_pylist()


def row_numbered(write_rows, *, positives: list[int], negatives: list[int]) -> None:
    """The layout of MIRACL's unified form: configs LANGUAGE_queries and LANGUAGE_corpus, judgements by row."""
    corpus = [{"docid": f"{n}#0", "title": f"T{n % 4}", "text": text} for n, text in enumerate(DOCS)]
    write_rows("unified/ja_corpus/train-00000-of-00001.parquet", corpus)
    query = {"query_id": "q#1", "query": "beta?", "positives": positives, "negatives": negatives}
    write_rows("unified/ja_queries/testA-00000-of-00001.parquet", [query])


UNIFIED = {
    "source": {
        "path": "unified",
        "queries": {
            "config": "{language}_queries",
            "columns": {"id": "query_id", "query": "query", "positives": "positives", "negatives": "negatives"},
            "refer_by": "row",
        },
        "corpus": {
            "config": "{language}_corpus",
            "split": "train",
            "columns": {"id": "docid", "title": "title", "text": "text"},
        },
        "query_split": "testB",
        "fallback": ["testA"],
    },
    "split": [{"name": "ja", "language": "ja", "analyzer": "en", "source_task": "{language}_queries"}],
}


def test_row_numbers_of_the_corpus_are_judgements_of_its_documents(write_rows, make_nano):
    row_numbered(write_rows, positives=[1], negatives=[4, 2])
    with warnings.catch_warnings():
        # Row numbers are integers by right, so there is nothing to warn of.
        warnings.simplefilter("error", DataWarning)
        folder = make_nano(UNIFIED)
    # Row 4 stands for row 0, whose title and text it has.
    assert rows(folder, "corpus/ja") == [
        {"_id": "1#0", "text": "T1\n\nbeta"},
        {"_id": "0#0", "text": "T0\n\nalpha"},
        {"_id": "2#0", "text": "T2\n\ngamma"},
    ]
    assert rows(folder, "qrels/ja") == [{"query-id": "q#1", "corpus-id": "1#0"}]
    assert [(row["corpus-id"], row["score"]) for row in rows(folder, "provenance/qrels/ja")] == [
        ("1#0", 1),
        ("0#0", 0),
        ("2#0", 0),
    ]
    told = json.loads((folder / "metadata/ja.json").read_text())
    assert told["query_split"]["used"] == "testA"
    assert told["source"]["config"] == "ja_queries"
    assert read_manifest(folder).sources["ja"]["rows"] == 5


def test_a_row_number_beyond_the_corpus_is_an_error_that_names_the_query(write_rows, make_nano):
    row_numbered(write_rows, positives=[5], negatives=[])
    with pytest.raises(DataError, match="query 'q#1' refers to row '5' of a corpus of 5 rows"):
        make_nano(UNIFIED)


def test_a_document_that_is_listed_as_positive_and_negative_is_a_conflict_that_the_ledger_lists(write_rows, make_nano):
    row_numbered(write_rows, positives=[0], negatives=[4, 1])
    folder = make_nano(UNIFIED)
    stages = {entry["stage"]: entry for entry in json.loads((folder / "metadata/ja.json").read_text())["ledger"]}
    assert stages["judgements"]["notes"] == ["conflict: query 'q#1', document '4#0': grades 1 and 0, 1 stays"]
    assert rows(folder, "qrels/ja") == [{"query-id": "q#1", "corpus-id": "0#0"}]


def test_lists_of_ids_beside_each_query_are_judgements(write_rows, make_nano):
    """The layout of JMTEB: relevant_docs; without negatives."""
    write_rows("jmteb/corpus.parquet", [{"docid": f"d{n}", "text": text} for n, text in enumerate(DOCS)])
    write_rows("jmteb/queries.parquet", [{"qid": "q1", "query": "beta?", "relevant_docs": ["d1", "d9"]}])
    recipe = {
        "source": {
            "path": "jmteb",
            "queries": {
                "path": "jmteb/queries.parquet",
                "columns": {"id": "qid", "positives": "relevant_docs"},
            },
            "corpus": {"path": "jmteb/corpus.parquet", "columns": {"id": "docid"}},
        },
        "split": [{"name": "ja", "analyzer": "en"}],
    }
    folder = make_nano(recipe)
    assert rows(folder, "qrels/ja") == [{"query-id": "q1", "corpus-id": "d1"}]
    stages = {entry["stage"]: entry for entry in json.loads((folder / "metadata/ja.json").read_text())["ledger"]}
    assert stages["judgements"]["dropped"] == {"document is not in the corpus": 1}
    assert stages["judgements"]["notes"] == ["left out: document 'd9'"]


def test_a_table_of_judgements_beside_queries_and_corpus_is_read(write_rows, make_nano):
    """The layout of MTEB: configs corpus, queries and default, the split is the judgements'."""
    write_rows(
        "mteb/corpus/corpus.parquet", [{"_id": f"d{n}", "title": "", "text": text} for n, text in enumerate(DOCS)]
    )
    write_rows("mteb/queries/queries.parquet", [{"_id": "q1", "text": "beta?"}, {"_id": "q2", "text": "gamma?"}])
    write_rows("mteb/default/dev.parquet", [{"query-id": "q2", "corpus-id": "d2", "score": 2.0}])
    recipe = {
        "source": {
            "path": "mteb",
            "queries": {"config": "queries", "split": "queries", "columns": {"id": "_id", "query": "text"}},
            "corpus": {"config": "corpus", "split": "corpus", "columns": {"id": "_id"}},
            "qrels": {
                "config": "default",
                "columns": {"query_id": "query-id", "doc_id": "corpus-id", "relevance": "score"},
            },
            "query_split": "test",
            "fallback": ["dev"],
        },
        "split": [{"name": "en", "analyzer": "en"}],
    }
    folder = make_nano(recipe)
    assert rows(folder, "queries/en") == [{"_id": "q2", "text": "gamma?"}]
    assert rows(folder, "provenance/qrels/en") == [{"query-id": "q2", "corpus-id": "d2", "score": 2}]
    assert json.loads((folder / "metadata/en.json").read_text())["query_split"]["used"] == "dev"


def test_a_nano_folder_is_a_source_too(write_rows, make_nano):
    for split in ("en", "ja"):
        write_rows(f"nano/corpus/{split}.parquet", [{"_id": "d1", "text": f"beta {split}"}])
        write_rows(f"nano/queries/{split}.parquet", [{"_id": "q1", "text": "beta"}])
        write_rows(f"nano/qrels/{split}.parquet", [{"query-id": "q1", "corpus-id": "d1"}])
    splits = [{"name": name, "split": name, "analyzer": "en"} for name in ("en", "ja")]
    folder = make_nano({"source": {"path": "nano"}, "split": splits})
    assert [rows(folder, f"corpus/{split}")[0]["text"] for split in ("en", "ja")] == ["beta en", "beta ja"]


def test_beir_jsonl_with_titles_is_a_source(tmp_path, make_nano):
    """O30."""
    (tmp_path / "beir/qrels").mkdir(parents=True)
    documents = [{"_id": "001", "title": "T", "text": "beta"}, {"_id": "1", "title": None, "text": "gamma"}]
    (tmp_path / "beir/corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in documents))
    (tmp_path / "beir/queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "beta"}) + "\n")
    (tmp_path / "beir/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t001\t1\n")
    folder = make_nano(
        {"source": {"path": "beir"}, "nano": {"fill": "source-order"}, "split": [{"name": "en", "analyzer": "en"}]}
    )
    assert rows(folder, "corpus/en") == [{"_id": "001", "text": "T\n\nbeta"}, {"_id": "1", "text": "gamma"}]


def test_a_column_that_a_table_lacks_is_an_error_and_no_reason_for_a_fallback(write_rows, make_nano):
    row_numbered(write_rows, positives=[1], negatives=[])
    write_rows("unified/ja_queries/testB-00000-of-00001.parquet", [{"query_id": "q#1", "text": "beta?"}])
    with pytest.raises(DataError, match="there is no column 'query'"):
        make_nano(UNIFIED)


def test_a_repeated_document_id_is_an_error(write_rows, make_nano):
    write_rows("unified/ja_corpus/train-00000-of-00001.parquet", [{"docid": "d", "title": "", "text": t} for t in "ab"])
    query = {"query_id": "q#1", "query": "beta?", "positives": [0], "negatives": [1]}
    write_rows("unified/ja_queries/testA-00000-of-00001.parquet", [query])
    with pytest.raises(DataError, match="document id 'd' occurs more than once"):
        make_nano(UNIFIED)
