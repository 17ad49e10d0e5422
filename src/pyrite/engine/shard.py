"""What one shard does, whoever hosts it: the work, the temporary file, the digest, the rename."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyrite.engine.files import atomic_file, digest_file
from pyrite.engine.keys import WorkKey, canonical, digest_of
from pyrite.engine.manifest import ShardRow

Work = Callable[[Any, Mapping[str, Any], Path], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Shard:
    """A unit of work: as much input as one worker takes at a time.

    Attributes:
        name: what errors call it ("train.parquet, rows 0-49999").
        digest: covers everything in `data` that decides the output.
        data: what the work is given; it travels to the worker by pickle, so a path is better than a table.
        parts: what the digest covers, by name ("model", "texts"), plain values: so that a run can say later which of
            them is another. They decide nothing.
        folders: that `data` names and the work reads, for machines that share no disk; a file that it names as a `Path`
            travels by itself.
    """

    name: str
    digest: str
    data: Any
    parts: Mapping[str, Any] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Stage:
    """A pure function of one shard and its parameters.

    Attributes:
        name: also the folder of its outputs: letters, digits, ".", "_" and "-".
        version: raised whenever the same input would give other bytes.
        work: called with (shard.data, params, out); writes exactly the file `out`, which is not there yet, and
            returns small plain facts about it, or None. A module-level function, so that a worker can import it.
            What it uses beyond its arguments (the fingerprint of a model, the version of an analyzer) belongs into
            the parameters, or its outputs outlive their reason.
        suffix: of the outputs.
        model: whether the work runs a model: on a cluster it is given the GPUs of a worker.
    """

    name: str
    version: int
    work: Work
    suffix: str = ".parquet"
    model: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", self.name):
            raise ValueError(f"the stage name {self.name!r} must be letters, digits, '.', '_' and '-'")
        if "<" in getattr(self.work, "__qualname__", ""):
            raise TypeError(f"the work of stage '{self.name}' must be a module-level function, for workers to import")

    def key(self, shard: Shard, params: Mapping[str, Any]) -> WorkKey:
        """What decides the output of a shard."""
        return WorkKey.of(self.name, self.version, params, shard.digest)

    def file(self, key: WorkKey) -> str:
        """Where the output of a key lies, relative to the work folder."""
        return f"{self.name}/{key.digest}{self.suffix}"


@dataclass(frozen=True)
class Caught:
    """A warning that the work gave, to be given again where the user sees it.

    The category is a name ("builtins:UserWarning"): a class that one process knows need not exist in the other.
    """

    category: str
    message: str
    filename: str
    line: int


@dataclass(frozen=True)
class Written:
    """An output in its place, not yet finished: that takes the row in the manifest."""

    row: ShardRow
    caught: tuple[Caught, ...] = ()


def run_shard(stage: Stage, shard: Shard, params: Mapping[str, Any], out_dir: Path) -> Written:
    """Do one shard and put its output in place, whole and on the disk; the host adds the row to the manifest.

    It uses nothing but its arguments, and may run in any process that sees `out_dir`. Running it twice, even at the
    same time, is harmless: both write the same bytes under the same name. Whatever the work raises comes out.
    """
    key = stage.key(shard, params)
    path = out_dir / stage.file(key)
    with warnings.catch_warnings(record=True) as records, atomic_file(path) as out:
        # The host's filters decide what is shown; here they may be those of a fresh process.
        warnings.simplefilter("always")
        said = stage.work(shard.data, params, out)
        if not out.is_file():
            raise RuntimeError(f"stage '{stage.name}' returned without writing its output for shard '{shard.name}'")
        size, digest = out.stat().st_size, digest_file(out)
        # By way of JSON, so that a resumed run reads the very facts that this one returns.
        facts = json.loads(canonical({} if said is None else said))
    caught = tuple(
        Caught(f"{r.category.__module__}:{r.category.__qualname__}", str(r.message), r.filename, r.lineno)
        for r in records
    )
    parts = {name: digest_of(part) for name, part in sorted(shard.parts.items())}
    return Written(ShardRow(key, shard.name, stage.file(key), size, digest, facts, parts), caught)
