"""Candidates of every split: BM25, further systems and their fusions, ranked through the engine."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyrite.core import Candidates, Collection, Retriever, Run
from pyrite.engine import Done, Engine, Shard, digest_of
from pyrite.evaluation import measure
from pyrite.formats import DataWarning, read_run
from pyrite.pipelines.nano_choosing import Outcome
from pyrite.pipelines.nano_stages import RANK, Held, Ranking
from pyrite.pipelines.nano_systems import system_of
from pyrite.pipelines.recipe_nano import BM25Table, CandidatesTable, SplitTable
from pyrite.pipelines.searching import settings_of
from pyrite.retrieval import BM25, analyzer_for, as_retrieved, force_positives, missing_positives, rrf, safeguard

MEASURES = ("nDCG@10", "R@100")
PLACES = {"force": "forced", "safeguard": "safeguard at depth + 1", "none": "as retrieved"}
"""What becomes of positives that a system missed, and what the metadata call it."""


@dataclass(frozen=True)
class ChosenSplit:
    """A split that was chosen.

    Attributes:
        outcome: which query split it is from, and the recipe's table.
        language: of the recipe, or else what its queries are in; "" where an analyzer is named in its place.
        done: its file. held: its content.
    """

    outcome: Outcome
    language: str
    done: Done
    held: Held

    @property
    def name(self) -> str:
        """Its name."""
        return self.outcome.table.name

    @property
    def table(self) -> SplitTable:
        """Its table in the recipe."""
        return self.outcome.table


def chosen_split(outcome: Outcome) -> ChosenSplit:
    """The split of an outcome that has a file; analyzer "auto" without a language detects it from the queries."""
    assert outcome.done is not None
    table, language = outcome.table, outcome.language
    held = Held.read(outcome.done.path, table.name, language)
    if not language and table.analyzer == "auto":
        language = analyzer_for("auto", texts=held.collection.queries.texts.to_pylist()).language
        held = replace(held, collection=replace(held.collection, language=language))
    return ChosenSplit(outcome, language, outcome.done, held)


@dataclass(frozen=True)
class RankedConfig:
    """One config of candidates of one split.

    Attributes:
        raw: exactly what the system returned; the only thing that is measured.
        candidates: what is published.
        facts: what the metadata say of it.
    """

    raw: Run
    candidates: Candidates
    facts: Mapping[str, Any]


def bm25_configs(splits: Sequence[ChosenSplit], bm25: BM25Table, engine: Engine) -> list[RankedConfig]:
    """The `bm25` config of each split, in order."""
    retrievers = [bm25_retriever(split, bm25) for split in splits]
    runs = _rank(splits, retrievers, bm25.depth, engine)
    return [
        _config(split, run, retriever.settings(), depth=bm25.depth, place="force" if bm25.force_positives else "none")
        for split, run, retriever in zip(splits, runs, retrievers, strict=True)
    ]


def bm25_retriever(split: ChosenSplit, bm25: BM25Table) -> BM25:
    """The split's retriever; an analyzer "auto" is settled by the language."""
    analyzer = analyzer_for(split.table.analyzer, language=split.language)
    return BM25(analyzer.name, variant=bm25.variant, k1=bm25.k1, b=bm25.b)


def further_configs(
    splits: Sequence[ChosenSplit],
    table: CandidatesTable,
    before: Mapping[str, Sequence[RankedConfig]],
    base: Path,
    engine: Engine,
) -> list[RankedConfig]:
    """One further config of each split, in order: of a system, or a fusion of the raw runs of configs `before`."""
    if table.of:
        runs = [rrf([before[name][place].raw for name in table.of], k=table.k) for place in range(len(splits))]
        settings = {"of": table.of, "k": table.k}
        return [
            _config(split, run.cut(table.depth), settings, depth=table.depth, place="safeguard")
            for split, run in zip(splits, runs, strict=True)
        ]
    retrievers = [
        system_of(
            table.system,
            language=split.language,
            base=base,
            names={"split": split.name, "language": split.language},
        )
        for split in splits
    ]
    place = "force" if table.force_positives else "none"
    return [
        _config(split, run, settings_of(retriever), depth=table.depth, place=place)
        for split, run, retriever in zip(
            splits, _rank(splits, retrievers, table.depth, engine), retrievers, strict=True
        )
    ]


def _rank(splits: Sequence[ChosenSplit], retrievers: Sequence[Retriever], depth: int, engine: Engine) -> list[Run]:
    shards = [
        Shard(
            f"{split.name} by {retriever.name}",
            digest_of(split.done.digest, retriever.name, settings_of(retriever)),
            Ranking(split.done.path, split.name, split.language, retriever),
            {"split": split.done.digest, "model": [retriever.name, settings_of(retriever)]},
        )
        for split, retriever in zip(splits, retrievers, strict=True)
    ]
    return [read_run(done.path).named(str(done.facts["system"])) for done in engine.run(RANK, shards, {"depth": depth})]


def _config(split: ChosenSplit, raw: Run, settings: Mapping[str, Any], *, depth: int, place: str) -> RankedConfig:
    return ranked_config(split.held.collection, raw, settings, depth=depth, place=place)


def ranked_config(
    collection: Collection, raw: Run, settings: Mapping[str, Any], *, depth: int, place: str
) -> RankedConfig:
    """The candidates of one system for one split, and what is told of them.

    Args:
        collection: the split, under its name.
        raw: what the system returned. settings: everything that decides it.
        depth: candidates a query.
        place: "force" puts missing positives in, "safeguard" one at most, "none" nothing.
    """
    positives = {query_id: collection.qrels.positives(query_id) for query_id in collection.queries.ids.to_pylist()}
    make = {"force": force_positives, "safeguard": safeguard, "none": as_retrieved}[place]
    candidates = make(raw, positives, depth=depth)
    report = measure(collection.qrels, raw, MEASURES)
    lacking = missing_positives(candidates.run, positives)
    if lacking and place == "force":
        warnings.warn(
            f"split '{collection.name}': {sum(map(len, lacking.values())):,} positives of {len(lacking):,} queries "
            f"found no place in candidates of depth {depth}, because these queries have more positives than that",
            DataWarning,
            stacklevel=2,
        )
    facts = {
        "system": raw.system,
        "settings": dict(settings),
        "depth": depth,
        "positives": PLACES[place],
        "forced": {query_id: list(docs) for query_id, docs in candidates.forced.items()},
        "forced_documents": candidates.forced_count,
        "short_lists": sum(len(raw[query_id]) < depth for query_id in positives),
        "positives_left_out": {query_id: list(docs) for query_id, docs in lacking.items()},
        "measures": {name: report.mean(name) for name in MEASURES},
    }
    return RankedConfig(raw, candidates, facts)
