"""What a build reached beside what its recipe expects and what was published."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from pyrite.core import DataError, SystemReport
from pyrite.pipelines.recipe_parts import Published, Strict

PACKAGES = ("pyrite", "datasets", "numba", "numpy", "polars", "pyarrow", "PyStemmer", "xxhash")


def versions() -> dict[str, str]:
    """Package -> version of everything that has a hand in a built file."""
    return {package: metadata.version(package) for package in PACKAGES}


def must_be_as_expected(expect: Strict, counts: Mapping[str, int | str], name: str) -> None:
    """DataError that shows both numbers of every count that is not what `[expect]` says."""
    wanted = {key: value for key, value in expect.model_dump().items() if value is not None and key in counts}
    wrong = [
        f"{key} is {_told(counts[key])}, expected {_told(value)}"
        for key, value in wanted.items()
        if counts[key] != value
    ]
    if wrong:
        raise DataError("; ".join(wrong), where=f"recipe '{name}', [expect]", fix="check the sources and the recipe")


def _told(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def beside(
    published: Published, counts: Mapping[str, int], systems: Mapping[str, SystemReport]
) -> list[dict[str, Any]]:
    """Every published number with ours beside it; None where we have not measured it.

    A table under a measure's name holds one number a system, by the system's short form.

    >>> beside({"queries": 5, "nDCG@10": {"bm25": 0.75}}, {"queries": 5}, {})
    [{'name': 'queries', 'published': 5, 'built': 5}, {'name': 'nDCG@10 of bm25', 'published': 0.75, 'built': None}]
    """
    rows: list[dict[str, Any]] = []
    for key, value in published.items():
        if not isinstance(value, Mapping):
            rows.append({"name": key, "published": value, "built": counts.get(key)})
            continue
        for system, number in value.items():
            report = systems.get(system)
            ours = report.measures.get(key) if report is not None else None
            built = None if ours is None else ours.mean
            rows.append({"name": f"{key} of {system}", "published": number, "built": built})
    return rows
