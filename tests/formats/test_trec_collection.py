"""TREC collections: what others wrote, and what is written and read back."""

import json

import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.formats import read_collection, write_trec_collection
from pyrite.formats.trec_collection import read_topics, read_trec_documents

FT = """\
<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>
FT  14 MAY 91 / Gold &amp; silver
</HEADLINE>
<TEXT>
<P>
An element.
</P>
Bought &lt; sold.
</TEXT>
</DOC>
<DOC>
<DOCNO>LA-1</DOCNO>
<DOCID> 007 </DOCID>
<TEXT>First.</TEXT>
<TEXT>Second.</TEXT>
</DOC>
"""
TOPICS = """\
<top>
<head> Tipster Topic Description
<num> Number: 301
<title> International Organized
 Crime

<desc> Description:
Identify organizations.
</top>

<top>
<num> Number:  302 </num>
<title>Poliomyelitis</title>
</top>
"""
ODD = [
    *("001", "no", "1e3", "Ann Lee", "(a) b", "tab\tid", "e\u0301", 'a "q"', "line\nend", "'", "100%25", "50%"),
    *("a<b>", "</DOCNO>", "x&y;", "Number: 3", "\u3000wide", "&amp;", "<title>"),
]
ODD_TEXTS = [
    *(" lead\n", "</TEXT></DOC>", "<P>x</P>", "", "&amp; &lt;", "\r\nx\r", "\x85y", "a\tb", "</top>", "\n<DOC>\n"),
    *("\u2028", "t", "<title>", "&#65;", "a\n<desc>", "-", "ü", "z", "'"),
]


def odd() -> Collection:
    pairs = list(zip(ODD, ODD_TEXTS, strict=True))
    documents = [Document(one, text, "T" if place % 3 else " & title\n ") for place, (one, text) in enumerate(pairs)]
    qrels = {one: {other: 2, one: 0} for one, other in zip(ODD, [*ODD[1:], ODD[0]], strict=True)}
    queries = Queries.of([Query(one, text) for one, text in pairs])
    return Collection("odd", "en", Corpus.of(documents), queries, Qrels.of(qrels))


def test_newspaper_mark_up_and_topics_are_read(tmp_path):
    (tmp_path / "docs.trec").write_text(FT)
    (tmp_path / "topics.trec").write_text(TOPICS)
    (tmp_path / "qrels.txt").write_text("301 0 FT911-3 1\n302 0 LA-1 0\n")
    found = read_collection(tmp_path)
    assert list(found.corpus) == [
        Document("FT911-3", "An element.\n \nBought < sold.", "FT  14 MAY 91 / Gold & silver"),
        Document("LA-1", "First.\nSecond."),
    ]
    assert list(found.queries) == [Query("301", "International Organized\n Crime"), Query("302", "Poliomyelitis")]
    assert found.qrels["302"] == {"LA-1": 0}


def test_ids_and_texts_of_every_sort_are_read_back(tmp_path):
    """Ids with white space, tags and percent signs, "001", "no", "1e3"; O30."""
    written = odd()
    write_trec_collection(tmp_path, written)
    found = read_collection(tmp_path)
    assert list(found.corpus) == list(written.corpus)
    assert list(found.queries) == list(written.queries)
    assert list(found.qrels.rows()) == list(written.qrels.rows())


def test_a_document_is_spelled_as_in_the_qrels(tmp_path):
    write_trec_collection(tmp_path, odd())
    numbers = {line[7:-8] for line in (tmp_path / "docs.trec").read_text().splitlines() if line.startswith("<DOCNO>")}
    judged = {line.split(" ")[2] for line in (tmp_path / "qrels.test.txt").read_text().splitlines()}
    # What mark-up cannot hold is the one difference.
    assert {one.replace("<", "%3C") for one in judged} == numbers


def test_ms_marco_s_tables_have_no_header_and_no_quotes(tmp_path):
    (tmp_path / "collection.tsv").write_text('001\tHe said "gold.\n1\tAn element.\n')
    (tmp_path / "queries.dev.small.tsv").write_text("1e3\tgold?\n")
    (tmp_path / "qrels.dev.small.tsv").write_text("1e3\t0\t001\t1\n")
    found = read_collection(tmp_path)
    assert list(found.corpus) == [Document("001", 'He said "gold.'), Document("1", "An element.")]
    assert (list(found.queries), found.qrels["1e3"]) == ([Query("1e3", "gold?")], {"001": 1})


def test_a_tsv_with_a_header_is_read_by_its_names(tmp_path):
    (tmp_path / "docs.tsv").write_text("docid\ttitle\ttext\n7\tGold\tAn element.\n")
    (tmp_path / "topics.tsv").write_text("qid\tquery\n1\tgold?\n")
    assert list(read_trec_documents([tmp_path / "docs.tsv"])) == [Document("7", "An element.", "Gold")]
    assert list(read_topics([tmp_path / "topics.tsv"])) == [Query("1", "gold?")]


def test_json_lines_stand_for_documents_and_topics(tmp_path):
    (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "d1", "contents": "An element."}) + "\n")
    (tmp_path / "topics.jsonl").write_text(json.dumps({"qid": "001", "query": "gold?"}) + "\n")
    (tmp_path / "qrels.dl19.txt").write_text("001 0 d1 3\n")
    found = read_collection(tmp_path, split="dl19")
    assert (found.corpus[0], found.queries[0], found.qrels["001"]) == (
        Document("d1", "An element."),
        Query("001", "gold?"),
        {"d1": 3},
    )


def test_topics_that_only_another_split_judges_are_left_out(tmp_path):
    (tmp_path / "docs.tsv").write_text("d1\ta\n")
    (tmp_path / "topics.tsv").write_text("1\ta\n2\tb\n3\tc\n")
    (tmp_path / "qrels.dev.txt").write_text("1 0 d1 1\n")
    (tmp_path / "qrels.eval.txt").write_text("2 0 d1 1\n")
    assert read_collection(tmp_path, split="dev").queries.ids.to_pylist() == ["1", "3"]
    with pytest.raises(DataError, match="has several splits; choose one of dev, eval"):
        read_collection(tmp_path)


def test_ir_datasets_reads_what_is_written(tmp_path):
    """The oracle: its parsers of TREC documents, topics and qrels."""
    trec = pytest.importorskip("ir_datasets.formats").trec
    documents = [Document("001", "An\nelement.", "Gold"), Document("1e3", "A mineral.", "Pyrite (FeS2)")]
    queries = Queries.of([Query("no", "gold?"), Query("(a)", "fool's\ngold?")])
    qrels = Qrels.of({"no": {"001": 2, "1e3": 0}, "(a)": {"1e3": 1}})
    write_trec_collection(tmp_path, Collection("toy", "en", Corpus.of(documents), queries, qrels))

    class Download:
        def __init__(self, name):
            self.name = name

        def path(self, force=True):
            return tmp_path / self.name

        def stream(self):
            return (tmp_path / self.name).open("rb")

    docs = trec.TrecDocs(Download("docs.trec"), parser="tut")
    assert [(one.doc_id, one.title, one.text.strip()) for one in docs.docs_iter()] == [
        ("001", "Gold", "An\nelement."),
        ("1e3", "Pyrite (FeS2)", "A mineral."),
    ]
    topics = trec.TrecQueries(Download("topics.test.trec"))
    assert [(one.query_id, one.title) for one in topics.queries_iter()] == [("no", "gold?"), ("(a)", "fool's\ngold?")]
    judged = trec.TrecQrels(Download("qrels.test.txt"), {})
    assert [(row.query_id, row.doc_id, row.relevance) for row in judged.qrels_iter()] == list(qrels.rows())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("docs.trec", "<DOC>\n<TEXT>a</TEXT>\n</DOC>\n", "docs.trec, line 1: has no DOCNO; add one."),
        ("docs.trec", "<DOC><DOCNO>1</DOCNO></DOC>\n", "line 1: a document has neither TEXT nor TITLE"),
        ("docs.tsv", "1\ta\n2\n", "docs.tsv, line 2: has 1 fields where 2 or 3 are due: '2'"),
        ("docs.tsv", "1\ta\n\tb\n", "docs.tsv, line 2: has no id; give it one."),
        ("docs.tsv", "1\ta\n1\tb\n", "docs.tsv: document id '1' occurs more than once"),
    ],
)
def test_a_bad_document_is_named_with_its_line(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError) as caught:
        read_trec_documents([tmp_path / name])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("topics.trec", "<top>\n<title> a\n</top>\n", "topics.trec, line 1: has no <num>; add one."),
        ("topics.trec", "<top>\n<num> 1\n</top>\n", "topics.trec, line 1: a topic has no <title>; add one."),
        ("topics.tsv", "1\ta\tb\n", "topics.tsv, line 1: has 3 fields where 2 are due"),
    ],
)
def test_a_bad_topic_is_named_with_its_line(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError) as caught:
        read_topics([tmp_path / name])
    assert said in str(caught.value)
