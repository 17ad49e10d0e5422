"""Systems are measured on a dataset: search, measures, saturation; one report."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyrite.core import Collection, RecipeError, Report, Retriever, Run, SweepPoint
from pyrite.engine import Engine, digest_file, digest_of
from pyrite.evaluation import evaluate_runs
from pyrite.formats import read_manifest
from pyrite.pipelines.lengths import at_lengths
from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.reports import collection_lengths
from pyrite.pipelines.reranking import is_reranker
from pyrite.pipelines.searching import (
    Dataset,
    Search,
    Searched,
    corpus_sizes,
    distinct_names,
    loaded,
    search_collection,
    search_dataset,
    telling_texts,
)
from pyrite.reporting import TextLengths
from pyrite.sources import load

Place = tuple[str, int | None]
"""A point of a sweep ("size", 500), ("length", 64), or ("size", None) for the whole corpus."""
Searcher = Callable[[Sequence[Search]], list[Searched]]


@dataclass(frozen=True)
class Evaluated:
    """A report and the runs that it measures, one a system; of a folder, the lengths of its texts too."""

    report: Report
    runs: tuple[Run, ...]
    lengths: tuple[TextLengths, ...] = ()


def evaluate_systems(
    collection: Collection,
    systems: Sequence[str | Retriever],
    search: Searcher,
    *,
    protocol: Protocol,
    gold: int | None = None,
    base: Path | None = None,
) -> Evaluated:
    """Search with every system and measure; as the protocol says, at several corpus sizes and maximum lengths.

    Args:
        collection: what is searched.
        systems: short forms, or retrievers.
        search: does the searching, through the engine or in memory.
        protocol: the rules.
        gold: as in `kept_documents`.
        base: the folder that relative paths of the systems start from; None: the working directory.

    A reranker is in the report twice, after all systems once more over candidates with the positives that its first
    stage missed.
    """
    if not systems:
        raise RecipeError("no system is named", fix="add one, as in --system bm25")
    sizes = corpus_sizes(protocol.distractors, collection, gold=gold)
    queries, depth = protocol.first_queries(collection), protocol.reach()
    found = []
    for system in systems:
        texts = telling_texts(collection)
        cuts = at_lengths(system, protocol.max_lengths, language=collection.language, texts=texts, base=base)
        whole_corpus = Search(system, queries, depth, base=base)
        # The whole corpus first: what is encoded for it serves every part of it.
        asked: dict[Place, Search] = {("size", None): whole_corpus}
        if is_reranker(system):
            asked["forced", None] = replace(whole_corpus, forced=True)
        asked |= {("size", size): replace(whole_corpus, distractors=size) for size in sizes[:-1]}
        asked |= {("length", length): replace(whole_corpus, system=cut) for length, cut in cuts}
        found.append(_searched(asked, search))
    forced = [own["forced", None] for own in found if ("forced", None) in own]
    whole = distinct_names([*(own["size", None] for own in found), *forced])
    names = [one.run.system for one in whole[: len(systems)]]
    sweeps = {}
    if protocol.distractors:
        at_size = [(None, [own["size", size] for own in found]) for size in sizes]
        sweeps["distractors"] = _curve(collection, at_size, names, protocol)
    if protocol.max_lengths:
        lengths = sorted(set(protocol.max_lengths))
        at_length = [(length, [own.get(("length", length)) for own in found]) for length in lengths]
        sweeps["max_length"] = _curve(collection, at_length, names, protocol)
    report = replace(_measured(collection, whole, protocol), sweeps=sweeps)
    for one in whole:
        if one.family == "run" and not len(one.run.positions):
            warnings.warn(
                f"{one.run.system} finds no document for any query; check that it is made for this dataset",
                stacklevel=2,
            )
    return Evaluated(report, tuple(one.run for one in whole))


def _searched(asked: Mapping[Place, Search], search: Searcher) -> dict[Place, Searched]:
    """What was found at each place; what two places ask for alike is searched once."""
    distinct: list[Search] = []
    for one in asked.values():
        if one not in distinct:
            distinct.append(one)
    found = search(distinct)
    return {place: found[distinct.index(one)] for place, one in asked.items()}


def _measured(collection: Collection, searched: Sequence[Searched], protocol: Protocol) -> Report:
    report = evaluate_runs(
        collection,
        [(one.run, one.family, one.settings) for one in searched],
        measures=protocol.measures,
        queries=protocol.queries,
    )
    systems = [
        replace(system, truncated=dict(one.truncated)) for system, one in zip(report.systems, searched, strict=True)
    ]
    return replace(report, systems=tuple(systems))


def _curve(
    collection: Collection,
    points: Sequence[tuple[int | None, Sequence[Searched | None]]],
    names: Sequence[str],
    protocol: Protocol,
) -> tuple[SweepPoint, ...]:
    """What was searched at each point (None: its number of distractors) under the names that the report has.

    A system without a search at a point has no value there.
    """
    made = []
    for at, searched in points:
        own = [replace(one, run=one.run.named(name)) for one, name in zip(searched, names, strict=True) if one]
        systems = _measured(collection, own, protocol).systems if own else ()
        for one, system in zip(own, systems, strict=True):
            place = one.distractors if at is None else at
            made += [
                SweepPoint(system.system, measure, place, one.documents, estimate, system.truncated)
                for measure, estimate in system.measures.items()
            ]
    return tuple(made)


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
    collection = loaded(dataset)
    evaluated = evaluate_systems(
        collection,
        systems,
        lambda searches: search_dataset(dataset, searches, engine),
        protocol=protocol,
        gold=gold,
    )
    report = replace(evaluated.report, split=split or "")
    return replace(evaluated, report=report, lengths=collection_lengths(collection))


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
