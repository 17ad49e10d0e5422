"""A TREC collection: documents and topics in its mark-up or as TSV or JSON lines, beside qrels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from pyrite.core import TEMPLATE, Collection, Corpus, DataError, Queries
from pyrite.formats.beir import naming, read_corpus, read_queries
from pyrite.formats.tables import format_of
from pyrite.formats.trec import write_trec_qrels
from pyrite.formats.trec_ids import encode_ids
from pyrite.formats.trec_markup import SPACE, elements, escape, text_lines, unescape

TEXT = pa.large_string()
_DOCNO = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HEAD|TTL|HL)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TEXTS = re.compile(r"<TEXT>(.*?)</TEXT>", re.IGNORECASE | re.DOTALL)
_NUM = re.compile(r"<num>[ \t]*(?:Number:)?(.*?)(?=</?\w+>|\Z)", re.IGNORECASE | re.DOTALL)
_TOPIC = re.compile(r"^[ \t]*<title>(.*?)(?=\n\s*</?\w+>|</title>|\Z)", re.IGNORECASE | re.DOTALL | re.MULTILINE)
_HEADER = {*("id", "_id", "docid", "doc_id", "qid", "query_id", "text", "query", "question", "title", "contents")}
_TRUE_ID = re.compile(r"<PYRITEID>(.*?)</PYRITEID>", re.DOTALL)
"""The id of a document or topic whose DOCNO or num had to be encoded; other readers pass over it."""


def read_trec_documents(paths: Sequence[Path], *, template: str = TEMPLATE) -> Corpus:
    """The documents of these files in order.

    TREC mark-up: DOCNO, the first of TITLE, HEADLINE, HEAD, TTL and HL, and every TEXT, tags in it taken out. TSV
    without quotes: id and text, or id, title and text. Anything else by its columns (see `read_corpus`).
    """
    if _have_columns(paths):
        return read_corpus(paths, template=template)
    rows = [row for path in paths for row in (_tsv(path, 3) if format_of(path.name) else _documents(path))]
    with naming(paths):
        ids, titles, texts = (pa.array([row[place] for row in rows], TEXT) for place in range(3))
        return Corpus(ids, texts, titles, template=template)


def read_topics(paths: Sequence[Path]) -> Queries:
    """The queries of these files in order: number and title of TREC topics, id and text of TSV, or by columns."""
    if _have_columns(paths):
        return read_queries(paths)
    rows = [row for path in paths for row in (_tsv(path, 2) if format_of(path.name) else _topics(path))]
    with naming(paths):
        return Queries(pa.array([row[0] for row in rows], TEXT), pa.array([row[2] for row in rows], TEXT))


def _have_columns(paths: Sequence[Path]) -> bool:
    kinds = {format_of(path.name) for path in paths}
    if kinds - {None, "tsv"}:
        return True
    # MS MARCO's files have no header; one that has it is read by its names, not as a document called "id".
    first = [next(text_lines(path), (0, ""))[1] for path in paths if format_of(path.name)]
    return any({name.lower() for name in row.split("\t")} <= _HEADER for row in first if row)


def _documents(path: Path) -> Iterator[tuple[str, str, str]]:
    for line, markup in elements(path, "DOC"):
        title = _TITLE.search(markup)
        texts = _TEXTS.findall(markup)
        if not texts and title is None:
            raise DataError("a document has neither TEXT nor TITLE", where=f"{path}, line {line}", fix="leave it out")
        text = "\n".join(unescape(one) for one in texts)
        yield _id(markup, _DOCNO, "DOCNO", f"{path}, line {line}"), unescape(title[2]) if title else "", text


def _topics(path: Path) -> Iterator[tuple[str, str, str]]:
    for line, markup in elements(path, "top"):
        where = f"{path}, line {line}"
        asked = _TOPIC.search(markup)
        if asked is None:
            raise DataError("a topic has no <title>", where=where, fix="add one")
        yield _id(markup, _NUM, "<num>", where), "", unescape(asked[1])


def _id(markup: str, pattern: re.Pattern[str], name: str, where: str) -> str:
    true, found = _TRUE_ID.search(markup), pattern.search(markup)
    identifier = unescape(true[1]) if true else found[1].strip(SPACE) if found else ""
    if not identifier:
        raise DataError(f"has no {name}", where=where, fix="add one")
    return identifier


def _tsv(path: Path, most: int) -> Iterator[tuple[str, str, str]]:
    """(id, title, text) of each row; quotes are text, as MS MARCO has them."""
    for line, row in text_lines(path):
        fields = row.split("\t")
        where = f"{path}, line {line}"
        if not 2 <= len(fields) <= most:
            due = "2" if most == 2 else f"2 or {most}"
            raise DataError(f"has {len(fields)} fields where {due} are due: {row[:60]!r}", where=where)
        if not fields[0]:
            raise DataError("has no id", where=where, fix="give it one")
        yield fields[0], fields[1] if len(fields) == 3 else "", fields[-1]


def write_trec_collection(folder: Path, collection: Collection, *, split: str = "test") -> None:
    r"""Write docs.trec, topics.SPLIT.trec and qrels.SPLIT.txt, which `read_collection` reads back.

    An id is spelled in documents and topics as in the qrels; one with white space is percent-encoded there, as
    trec_eval needs it, and stands beside it as it is.

    >>> import tempfile
    >>> from pyrite.core import Document, Qrels, Query
    >>> corpus, queries = Corpus.of([Document("001", "An element.")]), Queries.of([Query("q 1", "gold?")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     toy = Collection("toy", "en", corpus, queries, Qrels.of({"q 1": {"001": 1}}))
    ...     write_trec_collection(Path(folder), toy)
    ...     Path(folder, "qrels.test.txt").read_text(), Path(folder, "docs.trec").read_text().splitlines()[1]
    ('q%201 0%q 001 1\n', '<DOCNO>001</DOCNO>')
    """
    write_documents(folder / "docs.trec", collection.corpus)
    write_topics(folder / f"topics.{split}.trec", collection.queries)
    write_trec_qrels(folder / f"qrels.{split}.txt", collection.qrels)


def write_documents(path: Path, corpus: Corpus) -> None:
    """Write documents in TREC mark-up."""
    spelled = _spelled(corpus.ids, path)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for doc_id, document in zip(spelled, corpus, strict=True):
            title = f"<TITLE>{escape(document.title)}</TITLE>\n" if document.title else ""
            true = _true_id(doc_id, document.doc_id)
            file.write(
                f"<DOC>\n<DOCNO>{doc_id}</DOCNO>\n{true}{title}<TEXT>\n{escape(document.text)}\n</TEXT>\n</DOC>\n"
            )


def write_topics(path: Path, queries: Queries) -> None:
    """Write queries as topics; description and narrative, which some readers ask for, are empty."""
    spelled = _spelled(queries.ids, path)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query_id, query in zip(spelled, queries, strict=True):
            true = _true_id(query_id, query.query_id)
            file.write(
                f"<top>\n<num> Number: {query_id}\n{true}<title> {escape(query.text)}\n"
                "<desc> Description:\n<narr> Narrative:\n</top>\n"
            )


def _spelled(ids: pa.ChunkedArray, path: Path) -> list[str]:
    # trec_eval takes "<" in an id, and a reader of mark-up does not.
    return [one.replace("<", "%3C") for one in encode_ids(ids.combine_chunks(), where=str(path))[0].to_pylist()]


def _true_id(spelled: str, identifier: str) -> str:
    """Nothing where the spelled one is read back as it is."""
    plain = spelled == identifier and not identifier.lower().startswith("number:")
    return "" if plain else f"<PYRITEID>{escape(identifier)}</PYRITEID>\n"
