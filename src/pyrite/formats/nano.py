"""Candidates of a Nano dataset: CONFIG/SPLIT.parquet, one row a query with its ranked documents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import Candidates, DataError, Run
from pyrite.formats.columns import Column
from pyrite.formats.layout import names_in, tables_in
from pyrite.formats.manifest import read_json
from pyrite.formats.tables import read_table

_COLUMNS = (
    Column("query", ("query-id", "query_id"), "id", single=True),
    Column("docs", ("corpus-ids", "corpus_ids"), "id"),
)


def read_candidates(folder: Path, split: str, *, config: str = "bm25") -> Candidates:
    """What a reranker is given of one split: CONFIG/SPLIT.parquet with query-id and corpus-ids, the best first.

    The file holds no scores: those of the run are 1 / rank. Which documents were forced is read from
    metadata/SPLIT.json; without it, as in sets that others made, nothing is known to be forced. DataError where a query
    has two rows, or a row names a document twice.
    """
    files = tables_in(names_in(folder)).get(f"{config}/{split}", [f"{config}/{split}.parquet"])
    path = folder / files[0]
    table = read_table([folder / file for file in files], _COLUMNS)
    queries, docs = table["query"], table["docs"].combine_chunks()
    if pc.count_distinct(queries).as_py() != len(queries):
        raise DataError("a query has more than one row of candidates", where=str(path), fix="keep one of them")
    if not pa.types.is_large_list(docs.type):
        raise DataError("column 'corpus-ids' holds no lists", where=str(path), fix="write the list of document ids")
    lengths = np.asarray(pc.list_value_length(docs), dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = docs.flatten().dictionary_encode()
    ranks = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths) + 1
    run = Run(
        config,
        query_ids=queries,
        offsets=offsets,
        positions=np.asarray(ids.indices, dtype=np.int32),
        doc_ids=ids.dictionary,
        scores=1.0 / ranks,
    )
    return Candidates(run, _forced(folder / "metadata" / f"{split}.json", config))


def _forced(metadata: Path, config: str) -> dict[str, tuple[str, ...]]:
    if not metadata.is_file():
        return {}
    told = read_json(metadata).get("candidates", {}).get(config, {}).get("forced", {})
    return {query_id: tuple(docs) for query_id, docs in told.items()}
