"""What is in a path: a dataset folder, a table, a run, judgements or a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyrite.core import DataError, Qrels, Run
from pyrite.formats import (
    format_of,
    layout,
    read_manifest,
    read_qrels,
    read_report,
    read_run,
    read_trec_qrels,
    table_name,
)
from pyrite.publishing.frontmatter import read_front
from pyrite.publishing.parts import hidden
from pyrite.publishing.table_facts import TableFacts, table_facts


@dataclass(frozen=True)
class Inspection:
    """What a path holds.

    Attributes:
        path: as it was asked for.
        kind: "benchmark", "nano", "training" (a built folder); "collection", "tables"; "table", "run", "qrels",
            "report".
        name: of the dataset, the system or the file.
        languages: as declared; `detected`: language -> texts of a sample, where the language extra is installed.
        counts: what -> number or value, in the order in which a person wants them.
        tables: each table.
    """

    path: str
    kind: str
    name: str
    languages: tuple[str, ...] = ()
    detected: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, Any] = field(default_factory=dict)
    tables: tuple[TableFacts, ...] = ()

    def lines(self) -> list[str]:
        """For a terminal: one line a fact."""
        out = [f"{self.path}: {self.kind} {self.name}"]
        if self.languages:
            out.append(f"language: {', '.join(self.languages)}")
        if self.detected:
            sampled = sum(self.detected.values())
            told = ", ".join(f"{language} {texts}" for language, texts in self.detected.items())
            out.append(f"detected in {sampled} texts: {told}")
        for name, value in self.counts.items():
            out.append(f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}")
        return out + [line for table in self.tables for line in table.lines()]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        return {
            "path": self.path,
            "kind": self.kind,
            "name": self.name,
            "languages": list(self.languages),
            "detected": dict(self.detected),
            "counts": dict(self.counts),
            "tables": [table.to_json() for table in self.tables],
        }


def inspect_path(path: Path) -> Inspection:
    """What is at a path: kind, counts, columns, the first rows, lengths and languages.

    Raises:
        DataError: there is nothing, or nothing that Pyrite knows.
    """
    if path.is_dir():
        return _report(path) if (path / "report.json").is_file() else _folder(path)
    if not path.is_file():
        raise DataError("there is no such file or folder", where=str(path))
    if path.name == "report.json":
        return _report(path.parent)
    if format_of(path.name) is None:
        return _trec(path)
    facts = table_facts(path.parent, [path.name])
    if {"query-id", "corpus-id", "rank", "score"} <= facts.columns.keys():
        return _run(path, (facts,))
    if set(facts.columns) == {"query-id", "corpus-id", "score"}:
        return _judgements(path, read_qrels([path]), (facts,))
    return Inspection(str(path), "table", path.name, detected=_detected([facts]), tables=(facts,))


def _folder(path: Path) -> Inspection:
    files: dict[str, list[str]] = {}
    for file in sorted(found.relative_to(path).as_posix() for found in path.rglob("*") if found.is_file()):
        if format_of(file) is not None and not hidden(file) and not _no_table(file):
            files.setdefault(table_name(file), []).append(file)
    if not files:
        raise DataError("holds no table", where=str(path), fix="name a dataset folder, a table, a run or a report")
    tables = [table_facts(path, parts) for name, parts in files.items()]
    languages = _languages(path)
    if (path / "manifest.json").is_file():
        manifest = read_manifest(path)
        kind, name, counts = manifest.kind, manifest.name, dict(manifest.counts)
    else:
        kind, name, counts = _layout(path), path.resolve().name, {}
    return Inspection(str(path), kind, name, languages, detected=_detected(tables), counts=counts, tables=tuple(tables))


def _no_table(file: str) -> bool:
    """JSON files that are records of their own, and measurements."""
    return file.split("/")[0] in ("results", "metadata") or file.endswith(".json")


def _layout(path: Path) -> str:
    try:
        return f"collection ({layout(path).kind} layout)"
    except DataError:
        return "tables"


def _languages(path: Path) -> tuple[str, ...]:
    readme = path / "README.md"
    told: object = read_front(readme.read_text(encoding="utf-8")).get("language") if readme.is_file() else None
    if told is None and (path / "manifest.json").is_file():
        told = read_manifest(path).language
    return tuple(str(one) for one in told) if isinstance(told, list) else (str(told),) if told else ()


def _detected(tables: Sequence[TableFacts]) -> dict[str, int]:
    """Language -> texts, over the first rows of each table; empty where the language extra is not installed."""
    try:
        import py3langid
    except ImportError:
        return {}
    texts = []
    for table in tables:
        # The longest texts of a table tell the most; labels and reasons are no texts.
        column = max(table.lengths, key=lambda name: table.lengths[name].words.mean, default="")
        if column and table.lengths[column].words.mean >= 2:
            texts += [row[column] for row in table.head if row[column]]
    counts = Counter(str(py3langid.classify(text)[0]) for text in texts)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _report(folder: Path) -> Inspection:
    report = read_report(folder)
    counts: dict[str, Any] = {
        "queries of the dataset": report.queries.total,
        "queries selected": report.queries.selected,
        "queries measured": report.queries.measured,
    }
    for system in report.systems:
        told = ", ".join(
            f"{name} {one.mean:.4f} ({one.low:.4f}-{one.high:.4f})" for name, one in system.measures.items()
        )
        counts[system.system] = told
    for sweep, points in report.sweeps.items():
        counts[f"points of the sweep over {sweep}"] = len(points)
    return Inspection(str(folder), "report", report.dataset, counts=counts)


def _trec(path: Path) -> Inspection:
    with path.open("rb") as file:
        fields = len(file.readline(1 << 16).split())
    if fields == 6:
        return _run(path, ())
    if fields == 4:
        return _judgements(path, read_trec_qrels(path), ())
    raise DataError(
        f"its first line has {fields} fields, and TREC runs have 6 and qrels 4",
        where=str(path),
        fix="name a Parquet, JSONL, CSV, TSV or TREC file",
    )


def _run(path: Path, tables: tuple[TableFacts, ...]) -> Inspection:
    run: Run = read_run(path)
    counts = {"queries": len(run), "rows": len(run.positions), "depth": run.depth}
    return Inspection(str(path), "run", run.system, counts=counts, tables=tables)


def _judgements(path: Path, qrels: Qrels, tables: tuple[TableFacts, ...]) -> Inspection:
    grades = Counter(qrels.relevance.tolist())
    counts = {
        "queries": len(qrels.query_ids),
        "judgements": len(qrels),
        "by score": ", ".join(f"{grades[grade]:,} of {grade}" for grade in sorted(grades)),
    }
    return Inspection(str(path), "qrels", path.name, counts=counts, tables=tables)
