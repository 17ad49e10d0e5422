"""Small sources made by hand, and a way to build Nano recipes over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

from pyrite.pipelines import build

Rows = Sequence[Mapping[str, Any]]


@pytest.fixture
def write_rows(tmp_path: Path) -> Callable[[str, Rows], Path]:
    """Writes rows as a Parquet file below the recipe's folder."""

    def written(place: str, rows: Rows) -> Path:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
        return path

    return written


@pytest.fixture
def make_nano(tmp_path: Path) -> Callable[..., Path]:
    """Builds a Nano recipe, given as plain values, into a folder below tmp_path."""

    def made(recipe: Mapping[str, Any], *, out: str = "NanoToy", workers: int = 1) -> Path:
        path = tmp_path / "nano.toml"
        path.write_text(tomlkit.dumps({"kind": "nano", "name": "NanoToy", **recipe}), encoding="utf-8")
        return build(path, out=tmp_path / out, work=tmp_path / "work", workers=workers).folder

    return made
