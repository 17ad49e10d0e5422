"""What was measured and built becomes a page that people look at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import Collection, RecipeError, Report
from pyrite.engine import atomic_file
from pyrite.evaluation import difficulty, leaderboard
from pyrite.formats import Manifest, read_json, read_report
from pyrite.pipelines.comparing import first_measure, read_results
from pyrite.publishing import Reading
from pyrite.reporting import Board, Hardness, MeasuredSet, Page, TextLengths, render_page

REPORT = "report.html"


def results_page(
    reports: Sequence[Report],
    *,
    measure: str | None = None,
    lengths: Sequence[TextLengths] = (),
    title: str = "",
) -> Page:
    """The page of some reports; those of one dataset and split are put together, as on a leaderboard.

    Numbers with forced positives are on it, apart from what is ranked and grouped.

    Args:
        reports: of one or of several datasets.
        measure: the headline; None: the first one of the first report.
        lengths: of the texts, where they are known.
        title: its heading; "": the dataset's name, or "Leaderboard" where there are several.
    """
    headline = measure or first_measure(reports)
    # It refuses reports that can't stand in one table.
    leaderboard(reports, headline)
    merged = _as_asked(_merged(reports))
    held = [system.measures for report in merged for system in report.systems]
    measures = [headline, *(name for name in held[0] if name != headline and all(name in one for one in held))]
    retrieved = [report.as_retrieved() for report in merged]
    ranked = [(leaderboard(retrieved, name).systems, leaderboard(merged, name).means) for name in measures]
    names = _names(merged)
    datasets = list(dict.fromkeys(report.dataset for report in merged))
    return Page(
        title=title or (_told(merged[0]) if len(merged) == 1 else datasets[0] if len(datasets) == 1 else "Leaderboard"),
        sets=tuple(_measured(report, name, measures) for report, name in zip(merged, names, strict=True)),
        boards=tuple(Board(name, *found) for name, found in zip(measures, ranked, strict=True)),
        lengths=tuple(lengths),
    )


def _merged(reports: Sequence[Report]) -> list[Report]:
    """One report a dataset and split; a system that several have is told once, as first found."""
    found: dict[tuple[str, str], Report] = {}
    for report in reports:
        key = (report.dataset, report.split)
        first = found.setdefault(key, report)
        if first is not report:
            known = {system.system for system in first.systems}
            sweeps = {
                name: (
                    *first.sweeps.get(name, ()),
                    *(point for point in report.sweeps.get(name, ()) if point.system not in known),
                )
                for name in dict.fromkeys((*first.sweeps, *report.sweeps))
            }
            found[key] = replace(
                first,
                systems=(*first.systems, *(system for system in report.systems if system.system not in known)),
                sweeps=sweeps,
                rules=tuple(dict.fromkeys((*first.rules, *report.rules))),
                versions={**report.versions, **first.versions},
            )
    return list(found.values())


def _as_asked(reports: list[Report]) -> list[Report]:
    """The reports with `bm25:ar` and `bm25:de` as `bm25`, where each is the analyzer of its own dataset's language.

    Else no system is measured on two languages, and none can be compared over them. A report in which two systems
    would come to one name keeps its names.
    """
    codes = {found[1] for one in reports for system in one.systems for found in _LANGUAGE.finditer(system.system)}
    if len(reports) < 2 or len(codes) < 2:
        return reports
    made = []
    for report in reports:
        names = {system.system: _LANGUAGE.sub("bm25", system.system) for system in report.systems}
        made.append(_renamed(report, names) if len(set(names.values())) == len(names) else report)
    return made


_LANGUAGE = re.compile(r"\bbm25:([a-z]{2,3})(?=$|[ ,+)])")


def _renamed(report: Report, names: Mapping[str, str]) -> Report:
    missing = {names.get(name, name): count for name, count in report.queries.missing_from_run.items()}
    return replace(
        report,
        queries=replace(report.queries, missing_from_run=missing),
        systems=tuple(replace(system, system=names[system.system]) for system in report.systems),
        sweeps={
            sweep: tuple(replace(point, system=names.get(point.system, point.system)) for point in points)
            for sweep, points in report.sweeps.items()
        },
    )


def _told(report: Report) -> str:
    return f"{report.dataset}, {report.split}" if report.split else report.dataset


def _names(reports: Sequence[Report]) -> list[str]:
    """Of the splits of one dataset their own names, else the dataset's too."""
    splits = [report.split for report in reports]
    alone = len({report.dataset for report in reports}) == 1 and len(splits) > 1 and all(splits)
    return splits if alone else [_told(report) for report in reports]


def _measured(report: Report, name: str, measures: Sequence[str]) -> MeasuredSet:
    """The set with its groups by the headline measure, which takes a test of every pair of systems."""
    own = measures[:1]
    retrieved = report.as_retrieved()
    several = len(retrieved.systems) > 1 and bool(report.query_ids)
    return MeasuredSet(
        name=name,
        report=report,
        groups={measure: leaderboard([retrieved], measure).groups for measure in own} if several else {},
        hardness={measure: _hardness(retrieved, measure) for measure in own if retrieved.systems and report.query_ids},
    )


def _hardness(report: Report, measure: str) -> Hardness:
    found = difficulty(report, measure)
    return Hardness(
        systems=found.systems,
        mean=found.mean,
        sd=found.sd,
        best=found.best,
        headroom=found.headroom,
        pairs=found.pairs,
        separated=found.separated,
        flags=found.flags,
        sentences=found.sentences,
    )


def write_results_page(folder: Path, reports: Sequence[Report], *, lengths: Sequence[TextLengths] = ()) -> None:
    """Write report.html beside the report.json of one measuring."""
    with atomic_file(folder / REPORT) as path:
        path.write_text(render_page(results_page(reports, lengths=lengths)), encoding="utf-8", newline="\n")


def write_leaderboard_page(paths: Sequence[Path], out: Path, *, measure: str | None = None) -> None:
    """Write the page of all results folders together; the measure as in `compare_results`."""
    if out.suffix not in (".html", ".htm"):
        raise RecipeError(f"ends in '{out.suffix}'", where=str(out), fix="name it .html")
    reports = [report for path in paths for report in read_results(path)]
    with atomic_file(out) as path:
        path.write_text(render_page(results_page(reports, measure=measure)), encoding="utf-8", newline="\n")


def write_build_page(folder: Path, manifest: Manifest, *, recipe: str, reading: Reading) -> None:
    """Write results/report.html of a built folder: what it was made of, and what was measured on it.

    Args:
        folder: with its tables, and its results/ where something was measured.
        manifest: of the build. recipe: its text. reading: of the tables.
    """
    # In the order in which manifest.json has it: a build and a reading of it give one page.
    manifest = Manifest(**json.loads(json.dumps(asdict(manifest), sort_keys=True)))
    files = [folder / "results" / "report.json", *sorted(folder.glob("results/*/report.json"))]
    reports = [read_report(file.parent) for file in files if file.is_file()]
    measured = results_page(_in_order(reports, manifest)) if reports else Page("")
    languages = {split: _language(folder, split) for split in _splits(folder, manifest)}
    page = replace(
        measured,
        title=str((manifest.recipe.get("card") or {}).get("pretty_name") or manifest.name),
        sets=tuple(replace(one, language=languages.get(one.report.split, manifest.language)) for one in measured.sets),
        lengths=tuple(folder_lengths(folder, manifest, reading)),
        manifest=manifest,
        recipe=recipe,
        digest=reading.digest,
    )
    (folder / "results").mkdir(exist_ok=True)
    with atomic_file(folder / "results" / REPORT) as path:
        path.write_text(render_page(page), encoding="utf-8", newline="\n")


def _in_order(reports: Sequence[Report], manifest: Manifest) -> list[Report]:
    """As the recipe has the splits, not as the folders sort."""
    order = _named(manifest)
    return sorted(reports, key=lambda one: order.index(one.split) if one.split in order else len(order))


def _splits(folder: Path, manifest: Manifest) -> list[str]:
    if manifest.kind != "nano":
        return []
    return [split for split in _named(manifest) if (folder / "corpus" / f"{split}.parquet").is_file()]


def _named(manifest: Manifest) -> list[str]:
    wanted = [str(split["name"]) for split in manifest.recipe.get("split") or ()]
    return list(dict.fromkeys([*wanted, *manifest.sources]))


def _language(folder: Path, split: str) -> str:
    file = folder / "metadata" / f"{split}.json"
    return str(read_json(file).get("language") or "") if file.is_file() else ""


def collection_lengths(collection: Collection) -> tuple[TextLengths, ...]:
    """The lengths of a collection's documents (title and text together) and queries, in characters."""
    documents = _characters(collection.corpus.texts)
    if collection.corpus.titles is not None:
        documents = documents + _characters(collection.corpus.titles)
    return (
        TextLengths.of_lengths("documents", documents),
        TextLengths.of_lengths("queries", _characters(collection.queries.texts)),
    )


def folder_lengths(folder: Path, manifest: Manifest, reading: Reading) -> Iterator[TextLengths]:
    """The same of a built folder that was read; of a mined set, those of its rows."""
    if manifest.kind == "training":
        for texts, start in (("queries", "query"), ("positives", "positive"), ("negatives", "negative")):
            yield TextLengths.of_lengths(texts, reading.texts("n-tuples", start).characters())
        return
    for split in _splits(folder, manifest) or [""]:
        for texts, table in (("documents", "corpus"), ("queries", "queries")):
            lengths = reading.texts(f"{table}/{split}" if split else table, "text").characters()
            yield TextLengths.of_lengths(texts, lengths, of=split)


def _characters(texts: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(pc.fill_null(pc.utf8_length(texts), 0).to_numpy(zero_copy_only=False), dtype=np.int64)
