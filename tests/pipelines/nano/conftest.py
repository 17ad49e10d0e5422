"""Small sources made by hand, and a way to build them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.engine import Engine
from pyrite.formats import Manifest
from pyrite.pipelines import LoadedRecipe, check_recipe
from pyrite.pipelines.nano import nano_folder
from pyrite.publishing import content_digest, seal

Rows = Sequence[Mapping[str, Any]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Rows], Path]:
    """Writes rows as a Parquet file below the recipe's folder."""

    def written(place: str, rows: Rows) -> Path:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
        return path

    return written


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., tuple[Path, Manifest]]:
    """Builds a recipe, given as plain values, into tmp_path / out; returns the folder and its manifest."""

    def made(recipe: Mapping[str, Any], *, out: str = "out", work: str = "work", workers: int = 1):
        checked = check_recipe({"kind": "nano", "name": "NanoToy", **recipe}, where="recipe.toml")
        folder = tmp_path / out
        folder.mkdir()
        with Engine(tmp_path / work, workers=workers) as engine:
            manifest, _ = nano_folder(LoadedRecipe(checked, tmp_path, ""), folder, engine)
        return folder, seal(folder, manifest, content_digest(folder))

    return made
