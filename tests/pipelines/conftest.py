"""Small sources made by hand, ways to build over them, and builds that are killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

from pyrite.pipelines import build

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from builds_to_kill import Builds, Place  # noqa: E402
from sources_to_kill import KINDS, write_sources  # noqa: E402

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


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builds]:
    environment = {**os.environ, "PYTHONPATH": str(FOLDER), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(FOLDER / "kill_me.py")]
    errors = tmp_path_factory.mktemp("errors") / "stderr"
    with errors.open("w") as stderr:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
        with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
            yield Builds(process, errors)
            process.stdin.close()


@pytest.fixture(scope="module", params=KINDS)
def whole(request: pytest.FixtureRequest, builds: Builds, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """One kind of recipe, built without interruption."""
    folder = tmp_path_factory.mktemp(request.param)
    place = Place(folder / "whole", write_sources(folder, request.param), builds)
    assert place.build() == 0, builds.errors.read_text()
    return place
