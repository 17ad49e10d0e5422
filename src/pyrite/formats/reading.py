"""Reading a collection, whatever its layout."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import TEMPLATE, Collection, Corpus, Qrels, Queries
from pyrite.formats.beir import files as named_files
from pyrite.formats.beir import qrels_rows, read_corpus, read_qrels, read_queries
from pyrite.formats.columns import TEXT, DataWarning
from pyrite.formats.judgements import Conflicts, check_references, drop_dangling
from pyrite.formats.layout import CollectionFiles, collection_files, names_in
from pyrite.formats.listed import ReferBy, read_listed
from pyrite.formats.manifest import NAME, Manifest, read_json, read_manifest
from pyrite.formats.tables import format_of
from pyrite.formats.trec import read_trec_qrels
from pyrite.formats.trec_collection import read_topics, read_trec_documents


def read_collection(
    path: Path,
    *,
    split: str | None = None,
    name: str | None = None,
    dangling: Literal["error", "drop"] = "error",
    conflicts: Conflicts = "error",
    refer_by: ReferBy | None = None,
) -> Collection:
    """The collection in a folder, whatever its layout; see `Layout` for those that are known.

    Args:
        path: the folder.
        split: which one; may be left out where there is one, or "test" where the splits share a corpus.
        name: what reports call it; default: the manifest's, or the folder's.
        dangling: judgements of documents or queries that are not there are an error, or left out with a DataWarning.
        conflicts: two grades for one pair are an error, or the greatest counts.
        refer_by: what queries list where there are no qrels; see `listed.read_listed`.

    Language, template, headline queries and self-match removal are the manifest's, where there is one; the language of
    a Nano split is the one in its metadata. Queries that only other splits judge are left out; a query that none judges
    stays, and evaluation counts it. DataError with file and row or line for whatever is not fit.
    """
    found = collection_files(names_in(path), split, where=str(path))
    manifest = read_manifest(path) if (path / NAME).is_file() else Manifest(kind="", name=path.resolve().name)
    template = manifest.protocol.get("template") or TEMPLATE
    corpus, queries, qrels = read_parts(path, found, template=template, conflicts=conflicts, refer_by=refer_by)
    qrels_files = [path / one for one in found.qrels or found.queries]
    if dangling == "drop":
        qrels = _without_dangling(qrels, corpus, queries, str(path))
    else:
        split_named = f", split '{found.split}'" if found.split else ""
        check_references(qrels, corpus, queries, where=f"{named_files(qrels_files)}{split_named}")
    return Collection(
        name=name or manifest.name,
        language=_language(path / found.metadata, manifest) if found.metadata else manifest.language,
        corpus=corpus,
        queries=_of_this_split(queries, qrels, [path / one for one in found.other_qrels]),
        qrels=qrels,
        headline_queries=manifest.protocol.get("headline_queries"),
        remove_self=bool(manifest.protocol.get("remove_self", False)),
    )


def _language(metadata: Path, manifest: Manifest) -> str:
    return str(read_json(metadata).get("language") or manifest.language)


def read_parts(
    path: Path,
    found: CollectionFiles,
    *,
    template: str = TEMPLATE,
    conflicts: Conflicts = "error",
    refer_by: ReferBy | None = None,
) -> tuple[Corpus, Queries, Qrels]:
    """The three tables of one split as they stand, whatever they refer to; arguments as in `read_collection`."""
    corpus_files, query_files, qrels_files = (
        [path / one for one in part] for part in (found.corpus, found.queries, found.qrels)
    )
    trec = found.layout.kind == "trec"
    corpus = (read_trec_documents if trec else read_corpus)(corpus_files, template=template)
    if not qrels_files:
        queries, qrels = read_listed(query_files, corpus.ids, refer_by=refer_by, conflicts=conflicts)
        return corpus, queries, qrels
    return corpus, (read_topics if trec else read_queries)(query_files), _qrels(qrels_files, conflicts)


def _qrels(paths: Sequence[Path], conflicts: Conflicts) -> Qrels:
    if len(paths) == 1 and format_of(paths[0].name) is None:
        return read_trec_qrels(paths[0], conflicts=conflicts)
    return read_qrels(paths, conflicts=conflicts)


def _without_dangling(qrels: Qrels, corpus: Corpus, queries: Queries, where: str) -> Qrels:
    kept, entry = drop_dangling(qrels, corpus, queries)
    if entry.dropped:
        counts = ", ".join(f"{count:,} with a {reason}" for reason, count in entry.dropped.items())
        warnings.warn("; ".join([f"{where}: judgements left out: {counts}", *entry.notes]), DataWarning, stacklevel=3)
    return kept


def _of_this_split(queries: Queries, qrels: Qrels, others: Sequence[Path]) -> Queries:
    if not others:
        return queries
    tables = [path for path in others if format_of(path.name)]
    chunks = [read_trec_qrels(path, conflicts="max").query_ids for path in others if path not in tables]
    chunks += qrels_rows(tables)["query"].chunks if tables else []
    elsewhere = pa.chunked_array(chunks, TEXT).combine_chunks()
    foreign = pc.and_(
        pc.is_in(queries.ids, value_set=elsewhere), pc.invert(pc.is_in(queries.ids, value_set=qrels.query_ids))
    )
    return queries.take(np.flatnonzero(~np.asarray(foreign, dtype=np.bool_)))
