"""How a collection lies in a folder: which layout, which splits, which files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pyrite.core import DataError
from pyrite.formats.places import LayoutKind, further_splits
from pyrite.formats.sharded import must_be_whole, table_name
from pyrite.formats.tables import TableFormat, format_of

_QRELS_FOLDERS = ("qrels", "data")


@dataclass(frozen=True)
class Layout:
    """How a collection lies in a folder.

    Attributes:
        kind: "published" (corpus/corpus*.parquet, queries/queries*.parquet, qrels/SPLIT.parquet), "nano"
            (corpus|queries|qrels/SPLIT.parquet), "flat" (corpus|queries|qrels.parquet), "beir" (corpus.jsonl,
            queries.jsonl, qrels/SPLIT.tsv), "configs" (CONFIG-corpus|queries|qrels/SPLIT.parquet, as MTEB and JMTEB
            have them), "listed" (corpus and queries that list their relevant documents) or "trec" (docs, topics and
            qrels).
        splits: their names, sorted ("CONFIG/SPLIT" of configs); none in a folder that has only one, without a name.
    """

    kind: LayoutKind
    splits: tuple[str, ...]


@dataclass(frozen=True)
class CollectionFiles:
    """The files of one split, as paths within their folder.

    Attributes:
        layout: of the folder. split: the chosen one, "" in a folder without splits.
        corpus, queries, qrels: the tables' files in order; no qrels where the queries list their documents.
        other_qrels: those of the folder's other splits, where all splits share corpus and queries.
        metadata: a Nano split's metadata/SPLIT.json, or "".
    """

    layout: Layout
    split: str
    corpus: tuple[str, ...]
    queries: tuple[str, ...]
    qrels: tuple[str, ...]
    other_qrels: tuple[str, ...] = ()
    metadata: str = ""

    def all(self) -> tuple[str, ...]:
        """Every file that reading the split opens."""
        told = (self.metadata,) if self.metadata else ()
        return (*self.corpus, *self.queries, *self.qrels, *self.other_qrels, *told)


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
    """The files of a folder and of its own folders that a layout may name, as sorted relative names."""
    if not path.is_dir():
        if not path.exists():
            raise DataError("is not there", where=str(path))
        fix = "name a dataset's folder; a table of questions and passages becomes a dataset with pyrite build"
        raise DataError("is not a folder", where=str(path), fix=fix)
    # The hub's own Parquet copies are CONFIG/SPLIT/0000.parquet.
    deep = [p for p in path.glob("*/*/*.parquet") if p.stem.isdigit()]
    found = [p for p in (*path.glob("*"), *path.glob("*/*"), *deep) if p.is_file() and not p.name.startswith(".")]
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
    if further := further_splits(names, tables):
        return Layout(further[0], tuple(sorted(split for split in further[1] if split)))
    raise DataError(
        "holds no collection: corpus, queries and qrels are not all there",
        where=where,
        fix="the layouts are corpus/corpus.parquet with queries/queries.parquet and qrels/SPLIT.parquet; "
        "corpus|queries|qrels/SPLIT.parquet; corpus|queries|qrels.parquet; and those of BEIR, MTEB and TREC",
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
    if found.kind in ("configs", "listed", "trec"):
        return _further(names, found, chosen)
    shared = {"published": ("corpus/corpus", "queries/queries"), "beir": ("corpus", "queries")}.get(found.kind)
    folder = next((folder for folder in _QRELS_FOLDERS if _splits(tables, folder)), "qrels")
    if found.kind == "flat":
        corpus, queries, qrels = "corpus", "queries", "qrels"
    elif shared is None:
        corpus, queries, qrels = (f"{role}/{chosen}" for role in ("corpus", "queries", "qrels"))
    else:
        corpus, queries, qrels = *shared, f"{folder}/{chosen}"
    metadata = f"metadata/{chosen}.json"
    others = [other for other in found.splits if other != chosen] if shared else []
    return CollectionFiles(
        layout=found,
        split=chosen,
        corpus=tuple(tables[corpus]),
        queries=tuple(tables[queries]),
        qrels=tuple(tables[qrels]),
        other_qrels=tuple(name for other in others for name in tables[f"{folder}/{other}"]),
        metadata=metadata if found.kind == "nano" and metadata in names else "",
    )


def _further(names: Sequence[str], found: Layout, chosen: str) -> CollectionFiles:
    further = further_splits(names, tables_in(names))
    assert further is not None
    splits = further[1]
    places = splits[chosen]
    metadata = f"metadata/{chosen.partition('/')[0]}.json"
    others = [one for split, one in sorted(splits.items()) if split != chosen and one.queries == places.queries]
    return CollectionFiles(
        layout=found,
        split=chosen,
        corpus=places.corpus,
        queries=places.queries,
        qrels=places.qrels,
        other_qrels=tuple(name for other in others for name in other.qrels),
        metadata=metadata if found.kind == "configs" and metadata in names else "",
    )


def _choose(found: Layout, split: str | None, where: str) -> str:
    if not found.splits:
        if split is not None:
            raise DataError(f"has no splits, so there is no '{split}'", where=where, fix="leave the split out")
        return ""
    if split is None and len(found.splits) == 1:
        return found.splits[0]
    if split is None and "test" in found.splits and found.kind != "nano":
        return "test"
    if split in found.splits:
        return str(split)
    # The one split of a config may be called by the config alone.
    of_config = [one for one in found.splits if one.startswith(f"{split}/")]
    if len(of_config) == 1:
        return of_config[0]
    listed = ", ".join(found.splits)
    what = "has several splits" if split is None else f"has no split '{split}'"
    raise DataError(what, where=where, fix=f"choose one of {listed}")
