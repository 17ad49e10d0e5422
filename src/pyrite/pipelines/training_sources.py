"""The sources of a mining recipe, opened: queries with their relevant documents, and the corpus in shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.core import Collection, DataError, RecipeError
from pyrite.engine import Shard, digest_file, digest_of
from pyrite.formats import collection_files, names_in, read_collection
from pyrite.mining import Expanded, expand_pairs
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.sources import Table, fetch, open_table

TEXT = pa.large_string()


@dataclass(frozen=True, eq=False)
class OpenedSources:
    """What a mining build starts from.

    Attributes:
        expanded: the queries and everything that is known to be relevant to them.
        corpus: shards whose data has `read()`: batches of id, text and perhaps title.
        told: role -> path, revision, config, split, rows (of the queries) and digest.
        one_a_cell: the relevant ids stand in cells that can hold no list.
    """

    expanded: Expanded
    corpus: tuple[Shard, ...]
    told: dict[str, dict[str, Any]]
    one_a_cell: bool = False


@dataclass(frozen=True)
class FolderCorpus:
    """The documents of a folder in a known layout, as one shard."""

    folder: Path
    split: str | None

    def read(self) -> Iterator[pa.RecordBatch]:
        """The documents, title and text joined as the folder's own protocol has it."""
        corpus = _loaded(self.folder, self.split).corpus
        table = pa.table({"id": corpus.ids, "text": corpus.contents()})
        yield from table.to_batches(65_536)


@lru_cache(maxsize=1)
def _loaded(folder: Path, split: str | None) -> Collection:
    return read_collection(folder, split=split)


def open_sources(recipe: TrainingRecipe, base: Path) -> OpenedSources:
    """Open both sources, so that what is wrong with either is told at once, and read the queries."""
    if recipe.source.corpus is None:
        return _open_folder(recipe, base)
    spec = recipe.source.queries.spec()
    queries = open_table(spec, needs=["query", "relevant"], optional=["id"], base=base)
    corpus = open_table(recipe.source.corpus.spec(), needs=["id", "text"], optional=["title"], base=base)
    table = _table_of(queries)
    ids = None if table["id"].null_count == len(table) else table["id"]
    expanded = expand_pairs(
        ids, table["query"], table["relevant"], duplicates=recipe.pairs.duplicates, limit=recipe.pairs.most()
    )
    _must_have_pairs(expanded, queries.name)
    return OpenedSources(
        expanded,
        tuple(Shard(one.name, one.digest, one) for one in corpus.shards()),
        {
            "queries": {**queries.origin(), "rows": len(table), "digest": queries.digest},
            "corpus": {**corpus.origin(), "digest": corpus.digest},
        },
        one_a_cell=queries.kind in ("csv", "tsv"),
    )


def _table_of(queries: Table) -> pa.Table:
    batches = list(queries.read())
    if not batches:
        raise DataError("the table of queries has no rows", where=queries.name)
    return pa.Table.from_batches([batch.cast(_one_type(batches, batch)) for batch in batches])


def _one_type(batches: list[pa.RecordBatch], batch: pa.RecordBatch) -> pa.Schema:
    """Batches of one table may differ where a column is all null in some of them."""
    typed = next((one.schema for one in batches if one.column("relevant").null_count < len(one)), batch.schema)
    return pa.schema([(field.name, typed.field(field.name).type) for field in batch.schema])


def _must_have_pairs(expanded: Expanded, where: str) -> None:
    if not len(expanded.known):
        raise DataError(
            "no query has a text and a relevant document",
            where=where,
            fix="check source.queries.columns: query, and relevant, a list of ids",
        )


def _open_folder(recipe: TrainingRecipe, base: Path) -> OpenedSources:
    source = recipe.source.queries
    local = base / Path(source.path).expanduser()
    if local.is_file():
        raise RecipeError(
            "'source.corpus' is missing", fix="add the table, or let source.queries.path name a folder that has both"
        )
    folder = local if local.exists() else fetch(source.path, split=source.split, revision=source.revision)
    files = collection_files(names_in(folder), source.split, where=str(folder)).all()
    digest = digest_of([[name, digest_file(folder / name)] for name in files])
    collection = _loaded(folder, source.split)
    expanded = expand_pairs(
        collection.queries.ids,
        collection.queries.texts,
        _relevant(collection),
        duplicates=recipe.pairs.duplicates,
        limit=recipe.pairs.most(),
    )
    _must_have_pairs(expanded, str(folder))
    revision = folder.name if folder.parent.name == "snapshots" else source.revision
    told = {"path": source.path, "revision": revision, "config": None, "split": source.split, "digest": digest}
    shard = Shard(f"the corpus of {source.path}", digest, FolderCorpus(folder, source.split), folders=(folder,))
    return OpenedSources(
        expanded, (shard,), {"queries": {**told, "rows": len(collection.queries)}, "corpus": dict(told)}
    )


def _relevant(collection: Collection) -> pa.ChunkedArray:
    """The positives of each query, in the queries' order; grades of 1 and more."""
    qrels = collection.qrels
    positive = np.flatnonzero(qrels.relevance >= 1)
    rows = collection.queries.positions(qrels.repeated_query_ids().take(pa.array(positive)))
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=len(collection.queries))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    items = qrels.doc_ids.take(pa.array(positive[order]))
    return pa.chunked_array([pa.LargeListArray.from_arrays(pa.array(offsets), items)])


def told_sources(told: Mapping[str, Mapping[str, Any]], corpus_rows: int) -> dict[str, dict[str, Any]]:
    """What a manifest says of the sources, once the corpus is counted."""
    return {role: dict(one) if role == "queries" else {**one, "rows": corpus_rows} for role, one in told.items()}
