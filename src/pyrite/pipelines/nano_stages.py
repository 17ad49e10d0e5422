"""What one shard does in a Nano build: choose a split, rank it; each a pure function of its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pyrite.core import Collection, Corpus, Ledger, Qrels, Queries, Retriever
from pyrite.engine import Stage
from pyrite.formats import ParquetWriter, write_parquet, write_run
from pyrite.pipelines.nano_hard import rank_source
from pyrite.pipelines.nano_reading import (
    SCANNED,
    TEXT,
    Judged,
    MemoryCorpus,
    SourceCorpus,
    TableCorpus,
    joined_texts,
    judged_table,
    read_folder,
)
from pyrite.preparation import (
    CorpusRules,
    NanoSelection,
    NanoSource,
    NanoSplit,
    assemble_split,
    blank,
    choose_documents,
    choose_queries,
    digests,
    eligible_queries,
    prepare_source,
)
from pyrite.sources import TableShard

HELD = pa.schema([("table", pa.string()), ("id", TEXT), ("other", TEXT), ("text", TEXT), ("grade", pa.int64())])
"""A chosen split in one file: rows of its corpus, queries, published qrels and graded judgements, each in order."""


def scan(shard: TableShard, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """The ids of one shard of a corpus table and a digest of each text, null for an empty one.

    Params: `template`, and `identical`, which says when two texts are the same.
    """
    rows = 0
    with ParquetWriter(out, SCANNED, level=1) as writer:
        for batch in shard.read():
            texts = pa.array(joined_texts(batch, params["template"]), TEXT)
            keys = [row.tobytes() for row in digests(texts, params["identical"])]
            digest = pa.array(keys, pa.binary(16), mask=blank(texts))
            writer.write(pa.table({"id": batch.column("id"), "digest": digest}, schema=SCANNED))
            rows += len(batch)
    return {"rows": rows}


@dataclass(frozen=True)
class Attempt:
    """One split, from one of the query splits that the recipe names.

    Attributes:
        split, language: its name and its ISO 639 code.
        query_split: which one of the source is tried; "" for the only one.
        analyzer: for fill = "hard", as the recipe names it.
        folder: of a source in a known layout, or None for raw tables.
        corpus, scanned: the shards of the corpus table, and what was scanned of each.
        queries, qrels: the shards of these tables; qrels is None where the queries carry their judgements.
        refer_by: what their lists hold.
    """

    split: str
    language: str
    query_split: str
    analyzer: str = "auto"
    folder: Path | None = None
    corpus: tuple[TableShard, ...] = ()
    scanned: tuple[Path, ...] = ()
    queries: tuple[TableShard, ...] = ()
    qrels: tuple[TableShard, ...] | None = None
    refer_by: Literal["row", "id"] = "id"

    def read(self, template: str) -> tuple[SourceCorpus, Judged]:
        """The source, as far as it is needed to choose."""
        if self.folder is not None:
            corpus, judged = read_folder(self.folder, self.query_split or None, template)
            return MemoryCorpus(corpus), judged
        table = TableCorpus(self.corpus, self.scanned, template)
        return table, judged_table(self.queries, self.qrels, table.ids, refer_by=self.refer_by)


def choose(attempt: Attempt, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Choose the split; where the query split has nothing usable, an empty file and the reason.

    Params: the recipe's `nano`, and for fill = "hard" its `bm25` and `base`.
    """
    rules = params["nano"]
    corpus, judged = attempt.read(rules["template"])
    source = prepare_source(judged.queries, judged.judgements, corpus.document_map(rules["identical"]))
    if reason := _unusable(source, judged):
        write_parquet(out, HELD.empty_table())
        return {"unusable": reason}
    chosen = choose_queries(source, limit=rules["limit_queries"], positives=rules["positives_per_query"])
    settings = CorpusRules(rules["limit_documents"], rules["fill"], rules["order"], rules["seed"])
    hard = (
        rank_source(source, chosen, corpus, params, by=(attempt.analyzer, attempt.language))
        if rules["fill"] == "hard"
        else None
    )
    documents = choose_documents(source, chosen, settings, hard=hard)
    selection = NanoSelection(source, chosen, documents)
    named = selection.named_rows()
    names = dict(zip(named, corpus.ids.take(pa.array(named, pa.int64())).to_pylist(), strict=True))
    split = assemble_split(attempt.split, attempt.language, selection, corpus.take(documents.rows), names)
    write_parquet(out, _held(split))
    return {
        "unusable": "",
        "counts": {
            "queries": len(split.collection.queries),
            "corpus": len(split.collection.corpus),
            "qrels": len(split.collection.qrels),
            **split.counts,
        },
        "ledger": Ledger(split.ledger).to_json(),
        "source_documents": len(corpus.ids),
    }


def _unusable(source: NanoSource, judged: Judged) -> str:
    if eligible_queries(source):
        return ""
    if not len(judged.queries):
        return "it has no queries"
    if not any(judgement.grade >= 1 for judgement in judged.judgements):
        return "none of its queries has a positive"
    return "none of its queries has a positive that is in the corpus"


def _held(split: NanoSplit) -> pa.Table:
    collection = split.collection
    published, graded = collection.qrels, split.graded
    return pa.concat_tables(
        [
            _rows("corpus", collection.corpus.ids, text=collection.corpus.texts),
            _rows("queries", collection.queries.ids, text=collection.queries.texts),
            _rows("qrels", published.repeated_query_ids(), other=published.doc_ids, grade=published.relevance),
            _rows("graded", graded.repeated_query_ids(), other=graded.doc_ids, grade=graded.relevance),
        ]
    )


def _rows(table: str, ids: Any, *, other: Any = None, text: Any = None, grade: Any = None) -> pa.Table:
    count = len(ids)
    columns = [
        pa.array([table] * count, pa.string()),
        ids,
        pa.nulls(count, TEXT) if other is None else other,
        pa.nulls(count, TEXT) if text is None else text,
        pa.nulls(count, pa.int64()) if grade is None else pa.array(grade, pa.int64()),
    ]
    return pa.table([column.cast(field.type) for column, field in zip(columns, HELD, strict=True)], schema=HELD)


@dataclass(frozen=True)
class Held:
    """A chosen split, read back.

    Attributes:
        collection: corpus, queries and published qrels. graded: the source judgements.
    """

    collection: Collection
    graded: Qrels

    @classmethod
    def read(cls, path: Path, name: str, language: str) -> Held:
        """The split that `choose` wrote."""
        table = pq.read_table(path)
        parts = {
            part: table.filter(pc.equal(table["table"], part)) for part in ("corpus", "queries", "qrels", "graded")
        }
        corpus, queries = parts["corpus"], parts["queries"]
        return cls(
            Collection(
                name,
                language,
                Corpus(corpus["id"], corpus["text"]),
                Queries(queries["id"], queries["text"]),
                _qrels(parts["qrels"]),
            ),
            _qrels(parts["graded"]),
        )

    def positives(self) -> dict[str, Sequence[str]]:
        """Query id -> published positives, kept ones first, by query in order."""
        return {
            query_id: self.collection.qrels.positives(query_id) for query_id in self.collection.queries.ids.to_pylist()
        }


def _qrels(rows: pa.Table) -> Qrels:
    return Qrels(rows["id"], rows["other"], np.asarray(rows["grade"].to_numpy(), dtype=np.int32))


@dataclass(frozen=True)
class Ranking:
    """A split to be ranked by one system."""

    held: Path
    split: str
    language: str
    retriever: Retriever


def rank(job: Ranking, params: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """The raw run of one system over one split's corpus, params: `depth`."""
    collection = Held.read(job.held, job.split, job.language).collection
    run = job.retriever.index(collection.corpus).search(collection.queries, params["depth"])
    write_run(out, run)
    return {"system": run.system}


SCAN = Stage("nano-scan", 1, scan)
CHOOSE = Stage("nano-choose", 1, choose)
RANK = Stage("nano-rank", 1, rank, model=True)
