"""The command that leaves a benchmark out of a training table, as its card gives it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from pyrite.publishing.templating import shown_path

_SUFFIXES = (".parquet", ".jsonl", ".csv", ".tsv")


def exclude_line(recipe: Mapping[str, Any], sources: Mapping[str, Mapping[str, Any]], dataset: str) -> str:
    """`pyrite exclude` for the table that the distractors are from, or for any other where there is none.

    Args:
        recipe: of the benchmark. sources: of its manifest.
        dataset: the folder's name or the repository's id.

    >>> recipe = {"source": {"train": {"columns": {"passage": "text"}}}, "dedup": {"near": 0.9}}
    >>> exclude_line(recipe, {"train": {"path": "org/rows", "split": "train"}}, "org/toy")
    'pyrite exclude org/rows --split train --column passage=text --near 0.9 --against org/toy --out clean.parquet'
    """
    train = sources.get("train") or {}
    table = (recipe.get("source") or {}).get("train") or {}
    path = shown_path(str(train.get("path") or "TRAIN"))
    parts = ["pyrite", "exclude", path]
    for option in ("config", "split"):
        if train.get(option):
            parts += [f"--{option}", str(train[option])]
    column = (table.get("columns") or {}).get("passage", "passage" if train else "TEXT")
    if column != "passage":
        parts += ["--column", f"passage={column}"]
    if (recipe.get("dedup") or {}).get("near"):
        parts += ["--near", str(recipe["dedup"]["near"])]
    suffix = PurePosixPath(path).suffix
    suffix = f".{table['format']}" if table.get("format") else suffix if suffix in _SUFFIXES else ".parquet"
    return shlex.join([*parts, "--against", dataset, "--out", f"clean{suffix}"])
