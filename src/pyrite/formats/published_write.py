"""The published layout, written: corpus, queries and qrels of one collection, under a config's prefix or without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from pyrite.core import Corpus, Qrels, Queries
from pyrite.formats.parquet import write_parquet
from pyrite.formats.schemas import CORPUS, CORPUS_WITH_TITLES, QRELS, QUERIES
from pyrite.formats.sharded import SHARD_BYTES, write_sharded

_ROWS = 8192


def write_published(
    folder: Path,
    corpus: Corpus,
    queries: Queries,
    qrels: Mapping[str, Qrels],
    *,
    prefix: str = "",
    shard_bytes: int = SHARD_BYTES,
) -> dict[str, dict[str, list[str]]]:
    """Write the tables and return config -> split -> files, as a card declares them.

    Args:
        folder: made where it is missing.
        corpus, queries: the texts; titles are a column of their own.
        qrels: split -> judgements.
        prefix: of the configs, as in "ja-corpus"; where there is one, the corpus and the queries are named after the
            only split, as MTEB has them.
        shard_bytes: size at which a file of the corpus is full.

    >>> import tempfile
    >>> from pyrite.core import Document, Query
    >>> texts = Corpus.of([Document("d1", "An element.")]), Queries.of([Query("q1", "gold?")])
    >>> with tempfile.TemporaryDirectory() as out:
    ...     write_published(Path(out), *texts, {"test": Qrels.of({"q1": {"d1": 1}})})["qrels"]
    {'test': ['qrels/test.parquet']}
    """
    names = {role: f"{prefix}-{role}" if prefix else role for role in ("corpus", "queries", "qrels")}
    only = next(iter(qrels)) if prefix else ""
    for name in names.values():
        (folder / name).mkdir(parents=True, exist_ok=True)
    titled = corpus.titles is not None
    stem = only or "corpus"
    paths = write_sharded(
        folder / names["corpus"],
        stem,
        _documents(corpus),
        schema=CORPUS_WITH_TITLES if titled else CORPUS,
        shard_bytes=shard_bytes,
    )
    asked = only or "queries"
    write_parquet(folder / names["queries"] / f"{asked}.parquet", _table(QUERIES, queries.ids, queries.texts))
    for split, judged in qrels.items():
        relevance = pa.array(judged.relevance, pa.int64())
        rows = _table(QRELS, judged.repeated_query_ids(), judged.doc_ids, relevance)
        write_parquet(folder / names["qrels"] / f"{split}.parquet", rows)
    return {
        names["corpus"]: {stem: [f"{names['corpus']}/{path.name}" for path in paths]},
        names["queries"]: {asked: [f"{names['queries']}/{asked}.parquet"]},
        names["qrels"]: {split: [f"{names['qrels']}/{split}.parquet"] for split in qrels},
    }


def _documents(corpus: Corpus) -> Iterator[pa.Table]:
    for start in range(0, max(len(corpus), 1), _ROWS):
        columns = [corpus.ids.slice(start, _ROWS), corpus.texts.slice(start, _ROWS)]
        if corpus.titles is None:
            yield _table(CORPUS, *columns)
        else:
            yield _table(CORPUS_WITH_TITLES, *columns, corpus.titles.slice(start, _ROWS))


def _table(schema: pa.Schema, *columns: pa.Array | pa.ChunkedArray) -> pa.Table:
    return pa.table([column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)
