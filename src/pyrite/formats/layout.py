"""How a collection lies in a folder: which layout, which splits, which files; and reading it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pyarrow.compute as pc

from pyrite.core import TEMPLATE, Collection, Corpus, DataError, Qrels, Queries
from pyrite.formats.beir import files as named_files
from pyrite.formats.beir import qrels_rows, read_corpus, read_qrels, read_queries
from pyrite.formats.columns import DataWarning
from pyrite.formats.judgements import Conflicts, check_references, drop_dangling
from pyrite.formats.manifest import NAME, Manifest, read_manifest
from pyrite.formats.sharded import must_be_whole, table_name
from pyrite.formats.tables import TableFormat, format_of

LayoutKind = Literal["published", "nano", "flat", "beir"]
_QRELS_FOLDERS = ("qrels", "data")


@dataclass(frozen=True)
class Layout:
    """How a collection lies in a folder.

    Attributes:
        kind: "published" (corpus/corpus*.parquet, queries/queries*.parquet, qrels/SPLIT.parquet), "nano"
            (corpus|queries|qrels/SPLIT.parquet), "flat" (corpus|queries|qrels.parquet) or "beir" (corpus.jsonl,
            queries.jsonl, qrels/SPLIT.tsv).
        splits: their names, sorted; none in a flat folder.
    """

    kind: LayoutKind
    splits: tuple[str, ...]


@dataclass(frozen=True)
class CollectionFiles:
    """The files of one split, as paths within their folder.

    Attributes:
        layout: of the folder. split: the chosen one, "" in a flat folder.
        corpus, queries, qrels: the tables' files in order.
        other_qrels: those of the folder's other splits, where all splits share corpus and queries.
    """

    layout: Layout
    split: str
    corpus: tuple[str, ...]
    queries: tuple[str, ...]
    qrels: tuple[str, ...]
    other_qrels: tuple[str, ...] = ()

    def all(self) -> tuple[str, ...]:
        """Every file that reading the split opens."""
        return (*self.corpus, *self.queries, *self.qrels, *self.other_qrels)


def layout(path: Path) -> Layout:
    """The layout of a folder; DataError where it is none that is known.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
    ...         Path(folder, name).parent.mkdir(exist_ok=True)
    ...         Path(folder, name).touch()
    ...     layout(Path(folder))
    Layout(kind='beir', splits=('test',))
    """
    return layout_of(names_in(path), where=str(path))


def names_in(path: Path) -> list[str]:
    """The files of a folder and of its own folders, as sorted relative names."""
    if not path.is_dir():
        raise DataError("is not there" if not path.exists() else "is not a folder", where=str(path))
    found = [p for p in (*path.glob("*"), *path.glob("*/*")) if p.is_file() and not p.name.startswith(".")]
    return sorted(p.relative_to(path).as_posix() for p in found)


def layout_of(names: Sequence[str], *, where: str) -> Layout:
    """The layout of files with these relative names; `where` is what an error calls the folder."""
    tables = tables_in(names)
    splits = {folder: _splits(tables, folder) for folder in ("corpus", "queries", *_QRELS_FOLDERS)}
    judged = next((splits[folder] for folder in _QRELS_FOLDERS if splits[folder]), set())
    if {"corpus/corpus", "queries/queries"} <= tables.keys() and judged:
        return Layout("published", tuple(sorted(judged)))
    if shared := splits["corpus"] & splits["queries"] & splits["qrels"]:
        return Layout("nano", tuple(sorted(shared)))
    if {"corpus", "queries", "qrels"} <= tables.keys():
        return Layout("flat", ())
    if {"corpus", "queries"} <= tables.keys() and judged:
        return Layout("beir", tuple(sorted(judged)))
    raise DataError(
        "holds no collection: corpus, queries and qrels are not all there",
        where=where,
        fix="the layouts are corpus/corpus.parquet with queries/queries.parquet and qrels/SPLIT.parquet; "
        "corpus|queries|qrels/SPLIT.parquet; corpus|queries|qrels.parquet; and BEIR's",
    )


def tables_in(names: Sequence[str]) -> dict[str, list[str]]:
    """Table -> its files; where a table is there in two formats, the one that is listed first counts."""
    tables: dict[str, dict[str, list[str]]] = {}
    for name in sorted(names):
        kind = format_of(name)
        if kind is not None:
            tables.setdefault(table_name(name), {}).setdefault(kind, []).append(name)
    return {
        table: next(kinds[kind] for kind in get_args(TableFormat) if kind in kinds) for table, kinds in tables.items()
    }


def _splits(tables: Mapping[str, Sequence[str]], folder: str) -> set[str]:
    return {name.removeprefix(f"{folder}/") for name in tables if name.startswith(f"{folder}/")}


def collection_files(names: Sequence[str], split: str | None, *, where: str) -> CollectionFiles:
    """The files of one split among these relative names.

    Without `split`: the only one there is, or "test" where several splits share corpus and queries. DataError for a
    split that is not there, for several that none is chosen of, and for a table of which a file is missing.

    >>> names = ["corpus/corpus.parquet", "queries/queries.parquet", "qrels/test.parquet", "qrels/train.parquet"]
    >>> found = collection_files(names, None, where="toy")
    >>> found.split, found.qrels, found.other_qrels
    ('test', ('qrels/test.parquet',), ('qrels/train.parquet',))
    """
    must_be_whole(names, where=where)
    tables, found = tables_in(names), layout_of(names, where=where)
    chosen = _choose(found, split, where)
    shared = {"published": ("corpus/corpus", "queries/queries"), "beir": ("corpus", "queries")}.get(found.kind)
    folder = next((folder for folder in _QRELS_FOLDERS if _splits(tables, folder)), "qrels")
    if found.kind == "flat":
        corpus, queries, qrels = "corpus", "queries", "qrels"
    elif shared is None:
        corpus, queries, qrels = (f"{role}/{chosen}" for role in ("corpus", "queries", "qrels"))
    else:
        corpus, queries, qrels = *shared, f"{folder}/{chosen}"
    others = [other for other in found.splits if other != chosen] if shared else []
    return CollectionFiles(
        layout=found,
        split=chosen,
        corpus=tuple(tables[corpus]),
        queries=tuple(tables[queries]),
        qrels=tuple(tables[qrels]),
        other_qrels=tuple(name for other in others for name in tables[f"{folder}/{other}"]),
    )


def _choose(found: Layout, split: str | None, where: str) -> str:
    if found.kind == "flat":
        if split is not None:
            raise DataError(f"has no splits, so there is no '{split}'", where=where, fix="leave the split out")
        return ""
    if split is None and len(found.splits) == 1:
        return found.splits[0]
    if split is None and "test" in found.splits and found.kind != "nano":
        return "test"
    if split in found.splits:
        return str(split)
    listed = ", ".join(found.splits)
    what = "has several splits" if split is None else f"has no split '{split}'"
    raise DataError(what, where=where, fix=f"choose one of {listed}")


def read_collection(
    path: Path,
    *,
    split: str | None = None,
    name: str | None = None,
    dangling: Literal["error", "drop"] = "error",
    conflicts: Conflicts = "error",
) -> Collection:
    """The collection in a folder, whatever its layout; see `Layout` for those that are known.

    Args:
        path: the folder.
        split: which one; may be left out where there is one, or "test" where the splits share a corpus.
        name: what reports call it; default: the manifest's, or the folder's.
        dangling: judgements of documents or queries that are not there are an error, or left out with a DataWarning.
        conflicts: two grades for one pair are an error, or the greatest counts.

    Language, template, headline queries and self-match removal are the manifest's, where there is one. Queries that
    only other splits judge are left out; a query that none judges stays, and evaluation counts it. DataError with
    file and row or line for whatever is not fit.
    """
    found = collection_files(names_in(path), split, where=str(path))
    manifest = read_manifest(path) if (path / NAME).is_file() else Manifest(kind="", name=path.resolve().name)
    template = manifest.protocol.get("template") or TEMPLATE
    corpus = read_corpus([path / one for one in found.corpus], template=template)
    queries = read_queries([path / one for one in found.queries])
    qrels_files = [path / one for one in found.qrels]
    qrels = read_qrels(qrels_files, conflicts=conflicts)
    if dangling == "drop":
        qrels = _without_dangling(qrels, corpus, queries, str(path))
    else:
        split_named = f", split '{found.split}'" if found.split else ""
        check_references(qrels, corpus, queries, where=f"{named_files(qrels_files)}{split_named}")
    return Collection(
        name=name or manifest.name,
        language=manifest.language,
        corpus=corpus,
        queries=_of_this_split(queries, qrels, [path / one for one in found.other_qrels]),
        qrels=qrels,
        headline_queries=manifest.protocol.get("headline_queries"),
        remove_self=bool(manifest.protocol.get("remove_self", False)),
    )


def _without_dangling(qrels: Qrels, corpus: Corpus, queries: Queries, where: str) -> Qrels:
    kept, entry = drop_dangling(qrels, corpus, queries)
    if entry.dropped:
        counts = ", ".join(f"{count:,} with a {reason}" for reason, count in entry.dropped.items())
        warnings.warn("; ".join([f"{where}: judgements left out: {counts}", *entry.notes]), DataWarning, stacklevel=3)
    return kept


def _of_this_split(queries: Queries, qrels: Qrels, others: Sequence[Path]) -> Queries:
    if not others:
        return queries
    elsewhere = qrels_rows(others)["query"].combine_chunks()
    foreign = pc.and_(
        pc.is_in(queries.ids, value_set=elsewhere), pc.invert(pc.is_in(queries.ids, value_set=qrels.query_ids))
    )
    return queries.take(np.flatnonzero(~np.asarray(foreign, dtype=np.bool_)))
