"""Systems are measured on a dataset: search, measures, saturation; one report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pyrite.core import Collection, RecipeError, Report, Retriever, Run, SweepPoint
from pyrite.engine import Engine, digest_file, digest_of
from pyrite.evaluation import DEFAULT_MEASURES, evaluate_runs, parse_measures
from pyrite.formats import read_collection, read_manifest
from pyrite.pipelines.searching import (
    Dataset,
    Search,
    Searched,
    corpus_sizes,
    distinct_names,
    search_collection,
    search_dataset,
)
from pyrite.sources import load

Searcher = Callable[[Sequence[Search]], list[Searched]]


@dataclass(frozen=True)
class Protocol:
    """By which rules systems are measured.

    Attributes:
        measures: in ir_measures' spelling.
        queries: the first so many, "all", or None for the dataset's headline protocol.
        depth: length of the rankings; None: 100, or the deepest cutoff where that is more (1,000 for a measure
            without one).
        distractors: the corpus sizes of the saturation curve; empty: the whole corpus only.
    """

    measures: tuple[str, ...] = DEFAULT_MEASURES
    queries: int | Literal["all"] | None = None
    depth: int | None = None
    distractors: tuple[int | Literal["all"], ...] = ()

    def reach(self) -> int:
        """The depth that is searched."""
        deepest = max((measure.cutoff or 1000 for measure in parse_measures(self.measures)), default=0)
        return self.depth if self.depth is not None else max(100, deepest)

    def first_queries(self, collection: Collection) -> int | None:
        """How many queries are searched; None: all."""
        asked = collection.headline_queries if self.queries is None else self.queries
        return None if asked is None or asked == "all" else min(asked, len(collection.queries))


@dataclass(frozen=True)
class Evaluated:
    """A report and the runs that it measures, one a system."""

    report: Report
    runs: tuple[Run, ...]


def evaluate_systems(
    collection: Collection,
    systems: Sequence[str | Retriever],
    search: Searcher,
    *,
    protocol: Protocol,
    gold: int | None = None,
) -> Evaluated:
    """Search with every system and measure; with `protocol.distractors`, at every corpus size.

    `search` does the searching (through the engine, or in memory); `gold` is as in `kept_documents`.
    """
    if not systems:
        raise RecipeError("no system is named", fix="add one, as in --system bm25")
    sizes = corpus_sizes(protocol.distractors, collection, gold=gold)
    queries = protocol.first_queries(collection)
    searched = search([Search(system, queries, protocol.reach(), size) for size in sizes for system in systems])
    at_size = {size: distinct_names([one for one in searched if one.search.distractors == size]) for size in sizes}
    report = _measured(collection, at_size[None], protocol)
    if protocol.distractors:
        points = [point for size in sizes for point in _points(collection, at_size[size], protocol)]
        report = replace(report, sweeps={"distractors": tuple(points)})
    return Evaluated(report, tuple(one.run for one in at_size[None]))


def _measured(collection: Collection, searched: Sequence[Searched], protocol: Protocol) -> Report:
    return evaluate_runs(
        collection,
        [(one.run, one.family, one.settings) for one in searched],
        measures=protocol.measures,
        queries=protocol.queries,
    )


def _points(collection: Collection, searched: Sequence[Searched], protocol: Protocol) -> list[SweepPoint]:
    report = _measured(collection, searched, protocol)
    return [
        SweepPoint(system.system, measure, one.distractors, one.documents, estimate)
        for one, system in zip(searched, report.systems, strict=True)
        for measure, estimate in system.measures.items()
    ]


def search(system: str | Retriever, collection: Collection, *, depth: int = 100) -> Run:
    """The run of a system over a collection: every query, `depth` documents at most, fewer where fewer match.

    >>> from pyrite.core import Corpus, Document, Queries, Query, Qrels
    >>> minerals = Corpus.of([Document("d1", "Pyrite is fool's gold."), Document("d2", "Gold is an element.")])
    >>> asked = Queries.of([Query("q1", "which mineral is fool's gold?")])
    >>> run = search("bm25:en", Collection("minerals", "en", minerals, asked, Qrels.of({"q1": {"d1": 1}})))
    >>> [hit.doc_id for hit in run["q1"]]
    ['d1', 'd2']
    """
    return search_collection(collection, Search(system, None, depth)).run


def evaluate(
    dataset: Collection | str | Path, systems: Sequence[str | Retriever], protocol: Protocol | None = None
) -> Report:
    """Measure systems on a dataset: a collection, or the folder or hub id of one.

    Systems are short forms ("bm25:ja", "run:FILE") or objects with `name` and `index` (`core.Retriever`).

    >>> from pyrite.core import Corpus, Document, Queries, Query, Qrels
    >>> minerals = Corpus.of([Document("d1", "Pyrite is fool's gold."), Document("d2", "Gold is an element.")])
    >>> asked = Queries.of([Query("q1", "which mineral is fool's gold?")])
    >>> report = evaluate(Collection("minerals", "en", minerals, asked, Qrels.of({"q1": {"d1": 1}})), ["bm25"])
    >>> report.mean("nDCG@10")
    1.0
    """
    collection = dataset if isinstance(dataset, Collection) else load(str(dataset))
    gold = None if isinstance(dataset, Collection) else gold_documents(Path(dataset))
    return evaluate_systems(
        collection,
        systems,
        lambda searches: [search_collection(collection, one, gold=gold) for one in searches],
        protocol=protocol or Protocol(),
        gold=gold,
    ).report


def evaluate_folder(
    path: Path, systems: Sequence[str], *, split: str | None, protocol: Protocol, engine: Engine
) -> Evaluated:
    """Measure systems on a dataset folder; the engine keeps every run, so that a second call searches nothing."""
    gold = gold_documents(path)
    dataset = Dataset(path, split, files_digest(path), gold)
    evaluated = evaluate_systems(
        read_collection(path, split=split),
        systems,
        lambda searches: search_dataset(dataset, searches, engine),
        protocol=protocol,
        gold=gold,
    )
    return replace(evaluated, report=replace(evaluated.report, split=split or ""))


def gold_documents(path: Path) -> int | None:
    """How many documents at the head of a built folder's corpus are gold; None where its manifest does not say."""
    if not (path / "manifest.json").is_file():
        return None
    gold = read_manifest(path).counts.get("gold")
    return None if gold is None else int(gold)


def files_digest(path: Path) -> str:
    """What the tables of a folder hold: a digest over every file but the card and the results."""
    files = sorted(file for file in path.rglob("*") if file.is_file())
    places = [(file.relative_to(path).as_posix(), file) for file in files]
    return digest_of(
        [[place, digest_file(file)] for place, file in places if not place.startswith(("README", "results/"))]
    )
