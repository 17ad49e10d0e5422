"""Runs and qrels to a report, by rules that the report states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from pyrite.core import Collection, DataError, Qrels, QueryCounts, RecipeError, Report, Run, SystemReport
from pyrite.evaluation.bootstrap import SAMPLES, bootstrap_all
from pyrite.evaluation.hits import Judgements, find_hits
from pyrite.evaluation.measures import Measure, parse_measures
from pyrite.evaluation.rules import (
    depth_rules,
    interval_rule,
    measure_rules,
    selection_rule,
    self_rule,
    tie_rule,
)
from pyrite.evaluation.ties import tie_depth, tied_share

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@100")
Measures = str | Sequence[str | Measure]
RunOf = tuple[Run, str, Mapping[str, Any]]


@dataclass(frozen=True)
class _Protocol:
    """What is measured, before any run is looked at."""

    dataset: str
    judged: Judgements
    total: int
    measures: tuple[Measure, ...]
    rules: tuple[str, ...]


def measure(
    qrels: Qrels,
    run: Run,
    measures: Measures = DEFAULT_MEASURES,
    *,
    query_ids: Iterable[str] | pa.Array | pa.ChunkedArray | None = None,
    seed: int = 0,
) -> Report:
    """A report on one run: one value in [0, 1] a query and measure, means with 95% intervals, and the rules.

    Args:
        qrels: the judgements.
        run: the rankings; its order is what is measured.
        measures: a list, or one string with spaces between them.
        query_ids: the queries to measure, in order; None for all that the qrels name.
        seed: of the intervals.

    A query without a positive is left out and counted; one that the run lacks counts 0. DataError where no selected
    query has a positive.

    >>> qrels = Qrels.of({"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 0}})
    >>> report = measure(qrels, Run.of("toy", {"q1": [("d9", 2.0), ("d1", 1.0)]}), "RR@10 Success@1")
    >>> report.mean("RR@10"), report.queries.measured, report.queries.without_positives
    (0.25, 2, 1)
    """
    if not isinstance(qrels, Qrels) or not isinstance(run, Run):
        raise DataError(
            f"measure takes Qrels and a Run, not {type(qrels).__name__} and {type(run).__name__}",
            fix="make them: Qrels.of({query: {document: relevance}}), Run.of(name, {query: [(document, score)]})",
        )
    parsed = parse_measures(measures)
    judged = Judgements(qrels, query_ids)
    total = len(qrels.query_ids) + judged.unjudged
    protocol = _Protocol("", judged, total, parsed, (*measure_rules(parsed), *depth_rules([run], parsed)))
    return _report(protocol, [(run, "run", {})], seed=seed)


def evaluate_runs(
    collection: Collection,
    runs: Sequence[RunOf],
    *,
    measures: Measures = DEFAULT_MEASURES,
    queries: int | Literal["all"] | None = None,
    seed: int = 0,
) -> Report:
    """A report on several runs over one collection, by its protocol, the same for every family.

    Args:
        collection: its qrels judge; its queries, in order, are the total.
        runs: (run, family, settings) a system, each system's name once.
        measures: a list, or one string with spaces between them.
        queries: how many of the first queries to measure, or "all"; None for the collection's headline protocol.
        seed: of the intervals.

    Where the collection says `remove_self`, a document whose id is the query's id is taken out of every ranking.
    RecipeError for a number of queries below 1, DataError for a system named twice or without a measured query.
    """
    parsed = parse_measures(measures)
    asked = collection.headline_queries if queries is None else queries
    if isinstance(asked, int) and asked < 1:
        raise RecipeError(f"{asked} queries are asked for", fix='ask for 1 or more, or for "all"')
    selected = collection.queries if asked is None or asked == "all" else collection.queries.first(asked)
    if not runs:
        raise RecipeError("no run is given", fix="give one or more")
    names = [run.system for run, _, _ in runs]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"two runs are named '{name}'", fix="give each system its own name")
    kept = [(run.without_self() if collection.remove_self else run, family, facts) for run, family, facts in runs]
    rules = (
        selection_rule(len(selected), len(collection.queries), headline=queries is None),
        *measure_rules(parsed),
        self_rule(removed=collection.remove_self),
        *depth_rules([run for run, _, _ in kept], parsed, documents=len(collection.corpus)),
    )
    judged = Judgements(collection.qrels, selected.ids)
    return _report(_Protocol(collection.name, judged, len(collection.queries), parsed, rules), kept, seed=seed)


def _report(protocol: _Protocol, runs: Sequence[RunOf], *, seed: int) -> Report:
    judged, names = protocol.judged, [str(measure) for measure in protocol.measures]
    found = [find_hits(judged, run) for run, _, _ in runs]
    values = [measure.values(hits) for hits in found for measure in protocol.measures]
    depth = tie_depth(protocol.measures)
    estimates = bootstrap_all(np.stack(values), seed=seed)
    systems = []
    for row, (run, family, settings) in enumerate(runs):
        own = slice(row * len(names), (row + 1) * len(names))
        systems.append(
            SystemReport(
                system=run.system,
                family=family,
                settings=dict(settings),
                measures=dict(zip(names, estimates[own], strict=True)),
                values=dict(zip(names, values[own], strict=True)),
                tied=tied_share(judged, run, depth),
            )
        )
    return Report(
        dataset=protocol.dataset,
        split="",
        queries=QueryCounts(
            total=protocol.total,
            selected=judged.selected,
            measured=len(judged),
            without_positives=judged.without_positives,
            missing_from_run={
                run.system: int((hits.retrieved == 0).sum()) for (run, _, _), hits in zip(runs, found, strict=True)
            },
        ),
        query_ids=tuple(judged.query_ids.to_pylist()),
        systems=tuple(systems),
        rules=(*protocol.rules, tie_rule(depth), interval_rule(SAMPLES, seed)),
        versions={name: version(name) for name in ("numba", "numpy", "pyrite")},
    )
