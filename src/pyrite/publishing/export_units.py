"""A folder as what an export writes: one unit for each corpus, with the judgements of its splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyrite.core import Candidates, Collection, Qrels, Queries, Run
from pyrite.formats import (
    CollectionFiles,
    collection_files,
    column_names,
    layout,
    names_in,
    read_candidates,
    read_collection,
    read_json,
    read_qrels,
    read_queries,
    read_run,
)

CANDIDATES = {"query-id", "corpus-ids"}
"""The columns by which a table of a Nano dataset is known to hold candidates."""


@dataclass(frozen=True)
class ExportUnit:
    """One corpus with everything that is asked of it.

    Attributes:
        name: of the unit, where a folder has several ("ja"); "" for the only one.
        collections: split -> collection; they share the corpus, and each has the queries of its split.
        queries: of all splits.
        candidates: config -> candidates, of a Nano split.
        graded: the source judgements of a Nano split, or None.
        metadata: of a Nano split, or empty.
        runs: system -> run, of results that lie with the unit.
    """

    name: str
    collections: Mapping[str, Collection]
    queries: Queries
    candidates: Mapping[str, Candidates]
    graded: Qrels | None
    metadata: Mapping[str, Any]
    runs: Mapping[str, Run]

    @property
    def first(self) -> Collection:
        """The collection of the first split: name, language, corpus and protocol are those of every split."""
        return next(iter(self.collections.values()))


def export_units(folder: Path, results: Sequence[Path] = ()) -> Iterator[ExportUnit]:
    """The units of a folder in any layout that is read, one at a time in memory.

    Args:
        folder: of the collection.
        results: folders that an evaluation wrote, whose runs belong to the only unit.
    """
    names = names_in(folder)
    splits = layout(folder).splits or ("",)
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[CollectionFiles]] = {}
    for split in splits:
        found = collection_files(names, split or None, where=str(folder))
        groups.setdefault((found.corpus, found.queries), []).append(found)
    for files in groups.values():
        # A Nano split and a config of MTEB are called by their own name; their qrels are a "test" split.
        name = files[0].split.partition("/")[0] if len(groups) > 1 or files[0].layout.kind == "nano" else ""
        yield _unit(folder, name, files, () if len(groups) > 1 else results)


def _unit(folder: Path, name: str, files: Sequence[CollectionFiles], results: Sequence[Path]) -> ExportUnit:
    collections: dict[str, Collection] = {}
    for found in files:
        read = read_collection(folder, split=found.split or None)
        first = next(iter(collections.values()), read)
        collections[_split(name, found, len(files))] = replace(read, corpus=first.corpus)
    queries = next(iter(collections.values())).queries
    if len(files) > 1:
        queries = read_queries([folder / one for one in files[0].queries])
    nano = files[0].layout.kind == "nano"
    graded = folder / "provenance" / "qrels" / f"{name}.parquet"
    return ExportUnit(
        name,
        collections,
        queries,
        {config: read_candidates(folder, name, config=config) for config in _configs(folder, name)} if nano else {},
        read_qrels([graded]) if nano and graded.is_file() else None,
        read_json(folder / files[0].metadata) if nano and files[0].metadata else {},
        _runs(folder, name, results),
    )


def _split(name: str, found: CollectionFiles, count: int) -> str:
    if name and count == 1:
        return "test"
    return found.split.rpartition("/")[2] or "test"


def _configs(folder: Path, name: str) -> list[str]:
    found = sorted(folder.glob(f"*/{name}.parquet"))
    return [path.parent.name for path in found if set(column_names(path, "parquet")) >= CANDIDATES]


def _runs(folder: Path, name: str, results: Sequence[Path]) -> dict[str, Run]:
    """Runs as an evaluation and a Nano build leave them; the folder of a run is called after its system."""
    places = [path for within in results for path in sorted(within.glob("runs/*/run.parquet"))]
    runs = {path.parent.name: read_run(path).named(path.parent.name) for path in places}
    for path in sorted((folder / "provenance" / "runs").glob(f"*/{name}.parquet")):
        runs[path.parent.name] = read_run(path).named(path.parent.name)
    return runs
