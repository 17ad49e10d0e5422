"""Reports as files: report.json for what was measured, per_query.parquet for every value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, Estimate, QueryCounts, Report, SweepPoint, SystemReport
from pyrite.formats.columns import Column
from pyrite.formats.manifest import read_json
from pyrite.formats.parquet import write_parquet
from pyrite.formats.tables import read_table

SCHEMA = 1
REPORT, PER_QUERY = "report.json", "per_query.parquet"
_COLUMNS = (
    Column("system", ("system",), "given"),
    Column("query", ("query-id",), "id"),
    Column("measure", ("measure",), "given"),
    Column("value", ("value",), "number"),
)


def write_report(folder: Path, report: Report) -> None:
    """Write report.json and per_query.parquet (system, query-id, measure, value) into a folder, made where missing."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not sorted: systems and measures stand in the order in which they were asked for.
    text = json.dumps(report.to_json(), indent=1, ensure_ascii=False, allow_nan=False)
    (folder / REPORT).write_text(text + "\n", encoding="utf-8", newline="\n")
    rows = [(one.system, name, one.values[name]) for one in report.systems for name in one.measures]
    count = len(report.query_ids)
    systems = [system for system, _, _ in rows for _ in range(count)]
    measures = [name for _, name, _ in rows for _ in range(count)]
    values = np.concatenate([values for _, _, values in rows]) if rows else np.empty(0)
    table = pa.table(
        {
            "system": pa.array(systems, pa.string()),
            "query-id": pa.array(list(report.query_ids) * len(rows), pa.string()),
            "measure": pa.array(measures, pa.string()),
            "value": pa.array(values, pa.float64()),
        }
    )
    write_parquet(folder / PER_QUERY, table)


def read_report(folder: Path) -> Report:
    """The report that `write_report` wrote; DataError where a file is absent, of another schema, or they disagree."""
    path = folder / REPORT
    held = read_json(path)
    if held.get("schema") != SCHEMA:
        raise DataError(
            f"has schema {held.get('schema')!r}, and this version of Pyrite reads {SCHEMA}",
            where=str(path),
            fix="measure again, or use the version that wrote it",
        )
    values = _Values.of(read_table([folder / PER_QUERY], _COLUMNS), folder / PER_QUERY)
    try:
        return _report(held, values)
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError("is not a whole report", where=str(path), fix="measure again") from error


@dataclass(frozen=True)
class _Values:
    """The per-query table: the queries in order, and one aligned array for each system and measure."""

    query_ids: pa.Array
    arrays: Mapping[tuple[str, str], NDArray[np.float64]]

    @classmethod
    def of(cls, table: pa.Table, path: Path) -> _Values:
        query_ids = table["query"].combine_chunks().unique()
        places = np.asarray(table["query"].combine_chunks().dictionary_encode().indices, dtype=np.int64)
        values = table["value"].to_numpy()
        systems = table["system"].combine_chunks().dictionary_encode()
        measures = table["measure"].combine_chunks().dictionary_encode()
        names = (systems.dictionary.to_pylist(), measures.dictionary.to_pylist())
        keys = np.asarray(systems.indices, np.int64) * max(len(names[1]), 1) + np.asarray(measures.indices, np.int64)
        order = np.argsort(keys, kind="stable")
        found, starts = np.unique(keys[order], return_index=True)
        arrays = {}
        for key, rows in zip(found.tolist(), np.split(order, starts[1:]), strict=True):
            system, measure = names[0][key // len(names[1])], names[1][key % len(names[1])]
            aligned = np.full(len(query_ids), np.nan)
            aligned[places[rows]] = values[rows]
            if len(rows) != len(query_ids) or np.isnan(aligned).any():
                raise DataError(
                    f"'{system}' does not have one {measure} a query: {len(rows)} values, {len(query_ids)} queries",
                    where=str(path),
                    fix="measure again",
                )
            arrays[system, measure] = aligned
        return cls(query_ids, arrays)


def _report(held: Mapping[str, Any], values: _Values) -> Report:
    return Report(
        dataset=held["dataset"],
        split=held["split"],
        queries=QueryCounts(**held["queries"]),
        query_ids=tuple(values.query_ids.to_pylist()),
        systems=tuple(_system(one, values) for one in held["systems"]),
        sweeps={
            name: tuple(
                SweepPoint(
                    one["system"],
                    one["measure"],
                    one["at"],
                    one["documents"],
                    _estimate(one),
                    one.get("truncated", {}),
                )
                for one in points
            )
            for name, points in held["sweeps"].items()
        },
        rules=tuple(held["rules"]),
        versions=held["versions"],
    )


def _system(held: Mapping[str, Any], values: _Values) -> SystemReport:
    return SystemReport(
        system=held["system"],
        family=held["family"],
        settings=held["settings"],
        measures={name: _estimate(one) for name, one in held["measures"].items()},
        values={name: values.arrays[held["system"], name] for name in held["measures"]},
        truncated=held["truncated"],
        tied=held.get("tied"),
    )


def _estimate(held: Mapping[str, Any]) -> Estimate:
    return Estimate(held["mean"], held["low"], held["high"])
