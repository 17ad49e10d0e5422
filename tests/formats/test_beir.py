"""Corpus, queries and qrels: read from several formats, written as BEIR has them."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.formats import DataWarning, read_collection, read_corpus, read_qrels, read_queries, write_beir

ODD_IDS = ["001", "no", "1e3", "Geneva Durben", "(a) b", "tab\tid", "e\u0301", 'a "q"', "line\nend", "'"]


def qrels_file(tmp_path, text, name="test.tsv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_headerless_file_keeps_its_first_judgement(tmp_path):
    """X11."""
    path = qrels_file(tmp_path, "q1\td1\t1\nq2\t001\t2\n")
    assert list(read_qrels([path]).rows()) == [("q1", "d1", 1), ("q2", "001", 2)]


@pytest.mark.parametrize(
    "header", ["query-id\tcorpus-id\tscore", "query_id\tcorpus_id\tscore", "score\tquery-id\tcorpus-id"]
)
def test_a_header_is_found_by_its_names(tmp_path, header):
    """X11."""
    row = "2\t1\t001" if header.startswith("score") else "1\t001\t2"
    assert list(read_qrels([qrels_file(tmp_path, f"{header}\n{row}\n")]).rows()) == [("1", "001", 2)]


def test_four_columns_are_judgements_as_trec_has_them_and_two_are_positives(tmp_path):
    assert list(read_qrels([qrels_file(tmp_path, "1\t0\td1\t3\n")]).rows()) == [("1", "d1", 3)]
    assert list(read_qrels([qrels_file(tmp_path, "1\td1\n")]).rows()) == [("1", "d1", 1)]
    assert list(read_qrels([qrels_file(tmp_path, "query-id\tcorpus-id\n1\td1\n")]).rows()) == [("1", "d1", 1)]


def test_what_is_neither_a_header_nor_a_judgement_is_an_error(tmp_path):
    with pytest.raises(DataError, match=r"test\.tsv, line 1: column 'score' holds 'label'; write a whole number"):
        read_qrels([qrels_file(tmp_path, "qid\tpid\tlabel\nq1\td1\t1\n")])
    with pytest.raises(DataError, match=r"the first row, \['q1 d1 1'\], is neither a judgement nor a header"):
        read_qrels([qrels_file(tmp_path, "q1 d1 1\n")])
    assert len(read_qrels([qrels_file(tmp_path, "")])) == 0


def test_qrels_of_json_lines_and_parquet_may_lack_a_score(tmp_path):
    """O33: an integer id in one file and its string in the other are one id, after a warning."""
    lines = qrels_file(tmp_path, '{"query-id": "1", "corpus-id": "d1", "score": 2}\n', "test.jsonl")
    pq.write_table(pa.table({"query-id": [2], "corpus-id": ["d1"]}), tmp_path / "more.parquet")
    with pytest.warns(DataWarning, match=r"more\.parquet: column 'query-id' holds integers"):
        qrels = read_qrels([lines, tmp_path / "more.parquet"])
    assert list(qrels.rows()) == [("1", "d1", 2), ("2", "d1", 1)]
    bare = qrels_file(tmp_path, '{"query-id": "1", "corpus-id": "d1"}\n', "bare.jsonl")
    assert list(read_qrels([bare]).rows()) == [("1", "d1", 1)]


def test_a_missing_null_or_blank_title_is_no_title(tmp_path):
    """O30."""
    rows = [{}, {"title": None}, {"title": ""}, {"title": "  "}, {"title": "T"}]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps({"_id": str(n), "text": "t", **row}) + "\n" for n, row in enumerate(rows)))
    corpus = read_corpus([path])
    assert corpus.contents().to_pylist() == ["t", "t", "t", "t", "T\n\nt"]
    pq.write_table(pa.table({"_id": ["a"], "text": ["t"], "title": pa.nulls(1)}), tmp_path / "corpus.parquet")
    assert read_corpus([tmp_path / "corpus.parquet"]).titles is None


def test_a_missing_text_and_a_repeated_id_name_the_file(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "a", "text": "t"}\n{"_id": "b", "text": null}\n')
    with pytest.raises(DataError, match=r"corpus\.jsonl, line 2: column 'text' has no value"):
        read_corpus([path])
    path.write_text('{"_id": "a", "text": "t"}\n{"_id": "a", "text": "u"}\n')
    with pytest.raises(DataError, match=r"corpus\.jsonl: query id 'a' occurs more than once"):
        read_queries([path])


def collection(ids=ODD_IDS, split="test"):
    corpus = Corpus.of(
        [Document(one, f"text of {one}", title="T" if place % 2 else "") for place, one in enumerate(ids)]
    )
    queries = Queries.of([Query(one, f"what is\n{one}?") for one in ids])
    qrels = Qrels.of({one: {ids[place - 1]: place % 3, one: 1} for place, one in enumerate(ids)})
    return Collection("toy", "en", corpus, queries, qrels)


def test_a_written_folder_reads_back_whole(tmp_path):
    """O33: ids that a reader with types, or one that splits at white space, would change."""
    held = collection()
    write_beir(tmp_path, held, split="dev")
    found = read_collection(tmp_path, split="dev")
    assert list(found.corpus) == list(held.corpus)
    assert list(found.queries) == list(held.queries)
    assert list(found.qrels.rows()) == list(held.qrels.rows())


def test_a_written_folder_is_what_beirs_own_loader_expects(tmp_path):
    """The steps of BEIR's GenericDataLoader, in a few lines."""
    held = collection()
    write_beir(tmp_path, held)
    with (tmp_path / "corpus.jsonl").open(encoding="utf8") as file:
        corpus = {row["_id"]: (row.get("title"), row["text"]) for row in map(json.loads, file)}
    assert corpus == {doc.doc_id: (doc.title, doc.text) for doc in held.corpus}
    with (tmp_path / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
        next(reader)
        assert [(query, doc, int(grade)) for query, doc, grade in reader] == list(held.qrels.rows())


def test_the_same_collection_is_written_as_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_beir(tmp_path / name, collection())
    for file in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
