"""The Nano layout, written: one file a config and split, with the columns that other tools read and no others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.core import Candidates, Collection, DataError, Qrels
from pyrite.formats.parquet import write_parquet
from pyrite.formats.schemas import QRELS as GRADED
from pyrite.formats.schemas import QUERIES

NANO_CORPUS = pa.schema([("_id", pa.string()), ("text", pa.string())])
NANO_QRELS = pa.schema([("query-id", pa.string()), ("corpus-id", pa.string())])
NANO_CANDIDATES = pa.schema([("query-id", pa.string()), ("corpus-ids", pa.list_(pa.string()))])
NANO_TABLES = ("corpus", "queries", "qrels")
"""The configs that are no candidates."""


def write_nano_split(
    folder: Path,
    collection: Collection,
    *,
    candidates: Mapping[str, Candidates],
    graded: Qrels,
    metadata: Mapping[str, Any],
) -> list[Path]:
    """Write one split and return its files: CONFIG/SPLIT.parquet of each config, metadata and graded qrels.

    Args:
        folder: of the dataset; made where it is missing.
        collection: the split; its name is the split's, its texts are written as a system reads them.
        candidates: config name ("bm25") -> candidates, for the queries of the collection and in their order.
        graded: the source judgements, for `provenance/qrels/SPLIT.parquet`.
        metadata: plain values, for `metadata/SPLIT.json`.

    The published qrels hold the positives only, without a grade.

    >>> import tempfile
    >>> from pyrite.core import Corpus, Document, Queries, Query, Run
    >>> qrels = Qrels.of({"q": {"d": 2}})
    >>> toy = Collection("ja", "ja", Corpus.of([Document("d", "text")]), Queries.of([Query("q", "why?")]), qrels)
    >>> found = {"bm25": Candidates(Run.of("bm25:ja", {"q": [("d", 1.0)]}))}
    >>> with tempfile.TemporaryDirectory() as out:
    ...     made = write_nano_split(Path(out), toy, candidates=found, graded=qrels, metadata={})
    ...     [path.relative_to(out).as_posix() for path in made[:4]]
    ['corpus/ja.parquet', 'queries/ja.parquet', 'qrels/ja.parquet', 'bm25/ja.parquet']
    """
    split = collection.name
    tables = {
        f"corpus/{split}.parquet": _table(NANO_CORPUS, collection.corpus.ids, collection.corpus.contents()),
        f"queries/{split}.parquet": _table(QUERIES, collection.queries.ids, collection.queries.texts),
        f"qrels/{split}.parquet": _positives(collection.qrels),
    }
    for config, found in candidates.items():
        if config in NANO_TABLES:
            raise DataError(f"'{config}' names no candidates", where=f"split '{split}'", fix="choose another name")
        tables[f"{config}/{split}.parquet"] = _candidates(found, collection, config)
    tables[f"provenance/qrels/{split}.parquet"] = _table(
        GRADED, graded.repeated_query_ids(), graded.doc_ids, pa.array(graded.relevance, pa.int64())
    )
    for place, table in tables.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write_parquet(folder / place, table)
    place = f"metadata/{split}.json"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(metadata, ensure_ascii=False, sort_keys=True, indent=1)
    (folder / place).write_text(text + "\n", encoding="utf-8", newline="\n")
    return [folder / name for name in (*tables, place)]


def _table(schema: pa.Schema, *columns: pa.Array | pa.ChunkedArray) -> pa.Table:
    return pa.table([column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)


def _positives(qrels: Qrels) -> pa.Table:
    positive = pa.array(qrels.relevance >= 1)
    return _table(NANO_QRELS, qrels.repeated_query_ids().filter(positive), qrels.doc_ids.filter(positive))


def _candidates(found: Candidates, collection: Collection, config: str) -> pa.Table:
    run = found.run
    if run.query_ids.to_pylist() != collection.queries.ids.to_pylist():
        raise DataError(
            f"the queries of the candidates '{config}' are not those of the split",
            where=f"split '{collection.name}'",
            fix="rank every query of the split, in its order",
        )
    absent = [doc_id for doc_id in run.hit_ids().to_pylist() if doc_id not in collection.corpus]
    if absent:
        raise DataError(
            f"document '{absent[0]}' of the candidates '{config}' is not in the corpus",
            where=f"split '{collection.name}'",
            fix="rank the split's own corpus",
        )
    lists = pa.ListArray.from_arrays(pa.array(run.offsets, pa.int32()), run.hit_ids().cast(pa.string()))
    return _table(NANO_CANDIDATES, run.query_ids, lists)
