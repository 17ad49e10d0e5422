"""Collections by their id in the ir_datasets package, which knows where hundreds of them are and how to read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.core import DataError, MissingExtraError, PyriteError, RecipeError
from pyrite.engine import atomic_folder, cache_folder, digest_of
from pyrite.formats import CORPUS_WITH_TITLES, QRELS, QUERIES, Manifest, ParquetWriter, write_manifest, write_sharded

PREFIX = "ir-datasets:"
_BATCH = 8192


def is_irds_id(path: str) -> bool:
    """Whether a path is an ir_datasets id.

    >>> is_irds_id("ir-datasets:beir/scifact/test"), is_irds_id("beir/scifact")
    (True, False)
    """
    return path.startswith(PREFIX)


def fetch_irds(path: str) -> Path:
    """The folder of a collection in the published layout, made at the first call and kept in the user's cache.

    Documents stream through, so that their number is no matter. The text of a document is its `text`, with its
    `title` where it has one; where it has no `text`, what ir_datasets calls its default text. Ids become strings.

    Args:
        path: "ir-datasets:beir/scifact/test": an id with documents, queries and qrels.

    Raises:
        MissingExtraError: ir_datasets is not installed. RecipeError: it knows no such id, or not all three are there.
        DataError: its files cannot be fetched, or a value is missing.
    """
    name = path.removeprefix(PREFIX)
    package = _package()
    try:
        dataset = package.load(name)
    except KeyError as error:
        raise RecipeError("is no id of ir_datasets", where=path, fix="see https://ir-datasets.com") from error
    lacking = [kind for kind in ("docs", "queries", "qrels") if not getattr(dataset, f"has_{kind}")()]
    if lacking:
        raise RecipeError(f"has no {' and no '.join(lacking)}", where=path, fix="choose an id with all three")
    # What a version of the package makes of an id may change.
    key = digest_of(name, str(getattr(package, "__version__", "")))[:12]
    target = cache_folder("ir-datasets") / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', name)}-{key}"
    if not target.is_dir():
        with atomic_folder(target) as folder:
            try:
                _write(folder, dataset, name, path)
            except PyriteError:
                raise
            except Exception as error:  # Whatever the package's downloads and parsers raise.
                told = " ".join(str(error).split())[:200]
                what = f"ir_datasets cannot read it ({type(error).__name__}: {told})"
                raise DataError(what, where=path, fix="try `ir_datasets export` on it") from error
    return target


def _package() -> Any:
    try:
        return import_module("ir_datasets")
    except ImportError as error:
        raise MissingExtraError.of("irds", needed_for="an ir_datasets id") from error


def _write(folder: Path, dataset: Any, name: str, path: str) -> None:
    for part in ("corpus", "queries", "qrels"):
        (folder / part).mkdir()
    docs = ((_id(doc.doc_id, path), _text(doc, path), _title(doc)) for doc in dataset.docs_iter())
    write_sharded(folder / "corpus", "corpus", _tables(docs, CORPUS_WITH_TITLES), schema=CORPUS_WITH_TITLES)
    asked = ((_id(query.query_id, path), _text(query, path)) for query in dataset.queries_iter())
    _write_table(folder / "queries" / "queries.parquet", asked, QUERIES)
    judged = ((_id(row.query_id, path), _id(row.doc_id, path), int(row.relevance)) for row in dataset.qrels_iter())
    _write_table(folder / "qrels" / "test.parquet", judged, QRELS)
    languages = {getattr(dataset, f"{part}_lang")() or "" for part in ("docs", "queries")}
    language = languages.pop() if len(languages) == 1 else ""
    write_manifest(folder / "manifest.json", Manifest(kind="collection", name=name, language=language))


def _write_table(path: Path, rows: Iterable[Sequence[Any]], schema: pa.Schema) -> None:
    with ParquetWriter(path, schema) as writer:
        for table in _tables(rows, schema):
            writer.write(table)


def _tables(rows: Iterable[Sequence[Any]], schema: pa.Schema) -> Iterator[pa.Table]:
    batch: list[Sequence[Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield _table(batch, schema)
            batch = []
    yield _table(batch, schema)


def _table(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    columns = [[row[place] for row in rows] for place in range(len(schema))]
    return pa.table(columns, schema=schema)


def _id(value: Any, path: str) -> str:
    identifier = "" if value is None else str(value)
    if not identifier:
        raise DataError("a row has no id", where=path)
    return identifier


def _text(record: Any, path: str) -> str:
    text = getattr(record, "text", None)
    if text is None and hasattr(record, "default_text"):
        text = record.default_text()
    if text is None:
        raise DataError(f"'{record[0]}' has no text", where=path, fix="choose an id whose records have one")
    return str(text)


def _title(document: Any) -> str:
    # The default text has the title in it.
    return str(getattr(document, "title", None) or "") if getattr(document, "text", None) is not None else ""
