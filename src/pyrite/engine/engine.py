"""Running a stage: what is finished stays, what is not is done, and the outputs come in the order of the input."""

from __future__ import annotations

import contextlib
import pkgutil
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from pyrite.core import RecipeError
from pyrite.engine.faults import not_writable
from pyrite.engine.files import make_folder, sweep
from pyrite.engine.hosts import Host, Inline, LocalPool
from pyrite.engine.keys import WorkKey
from pyrite.engine.lock import WorkLock
from pyrite.engine.manifest import ShardRow, WorkManifest
from pyrite.engine.place import Place
from pyrite.engine.progress import Progress, Silent
from pyrite.engine.ray_host import RayCluster, RayHost
from pyrite.engine.runs import write_about
from pyrite.engine.shard import Caught, Shard, Stage


@dataclass(frozen=True)
class Done:
    """A finished shard.

    Attributes:
        shard: its name. path: its output.
        facts: what the work said about it, plain values.
        fresh: whether it was done just now, not before.
        digest: of the output's bytes, as `digest_file`: what the next stage takes for its input.
    """

    shard: str
    path: Path
    facts: Mapping[str, Any]
    fresh: bool
    digest: str


@dataclass(frozen=True)
class StageCount:
    """How many of a stage's shards were finished before, and how many had to be done."""

    done_before: int = 0
    done_now: int = 0


class Engine:
    """Runs stages in a work folder, and picks up there whatever an earlier run finished.

    Enter it with `with`: it locks the folder, and a second run stops with a DataError. A shard is finished once its
    row is in `manifest.jsonl`, last of all; a kill at any point costs at most the shards that were being worked on.
    The outputs are the same bytes whatever the workers, the kills and the resumes.

    Args:
        work: the work folder, made where it is missing; or the URL of one in an object store ("s3://bucket/work"), of
            which this machine keeps what it needs in the user's cache.
        workers: 1 for this process alone, more for so many others; a `RayCluster` for processes of its machines.
        progress: what is told how far it is; `Silent` where it is left out.
        about: what is built there ("name", "recipe"), for whoever looks at the folder later.

    >>> import tempfile
    >>> from pyrite.engine import Engine, Shard, Stage, digest_of
    >>> def count(text, params, out):
    ...     _ = out.write_text(str(len(text.split())))
    ...     return {"characters": len(text)}
    >>> shards = [Shard("first", digest_of("fool's gold"), "fool's gold")]
    >>> with tempfile.TemporaryDirectory() as work, Engine(Path(work)) as engine:
    ...     stage = Stage("count", 1, count, suffix=".txt")
    ...     done = engine.run(stage, shards, {})
    ...     again = engine.run(stage, shards, {})
    ...     done[0].path.read_text(), done[0].facts, done[0].fresh, again[0].fresh, engine.counts
    ('2', {'characters': 11}, True, False, {'count': StageCount(done_before=0, done_now=1)})
    """

    def __init__(
        self,
        work: Path | str,
        *,
        workers: int | RayCluster = 1,
        progress: Progress | None = None,
        about: Mapping[str, str] | None = None,
    ) -> None:
        self._place = Place.of(work)
        self.work = self._place.folder
        self.counts: dict[str, StageCount] = {}
        self._progress = Silent() if progress is None else progress
        self._host = _host_of(workers)
        self._about = about
        self._finished = 0
        self._run = 0
        self._lock = WorkLock(self.work)
        self._manifest: WorkManifest | None = None
        self._warned: set[tuple[str, str]] = set()

    def __enter__(self) -> Engine:
        make_folder(self.work)
        self._lock.acquire()
        try:
            self._sweep()
            self._place.open()
            self._manifest = WorkManifest(self.work)
            self._run = self._manifest.runs + 1
            store = {} if self._place.storage is None else {"store": self._place.storage.url}
            if self._about is not None or store:
                write_about(self.work, {**(self._about or {}), **store})
        except BaseException as error:
            self._lock.release()
            if isinstance(error, OSError):
                raise not_writable(error, self.work) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._host.close()
            with contextlib.suppress(OSError):
                self._sweep()
        finally:
            if self._manifest is not None:
                self._manifest.close()
                self._manifest = None
            self._lock.release()

    def _sweep(self) -> None:
        for folder in (self.work, *sorted(path for path in self.work.iterdir() if path.is_dir())):
            sweep(folder)

    def run(self, stage: Stage, shards: Iterable[Shard], params: Mapping[str, Any]) -> list[Done]:
        """The outputs of a stage, one a shard, in shard order.

        A shard is taken as finished only when its output is still there with the bytes that were written; one that
        is gone, cut or edited is done again. Two shards of one digest are one piece of work with one output.

        Errors of the work come out as they are, with the shard's name as a note where they are not Pyrite's own;
        what was finished stays. DataError for a shard that ends its worker process three times, and for a full disk.
        Warnings of the work are given here, each once.
        """
        if self._manifest is None:
            raise RuntimeError("an Engine works inside its with block: `with Engine(work) as engine:`")
        given = [(stage.key(shard, params), shard) for shard in shards]
        self._place.lent.update(folder.resolve() for _, shard in given for folder in shard.folders)
        kept = self._check(stage, [key for key, _ in given], self._manifest)
        todo: dict[str, Shard] = {}
        for key, shard in given:
            if key.digest not in kept:
                todo.setdefault(key.digest, shard)
        fresh = self._do(stage, list(todo.values()), dict(params), self._manifest)
        rows = {**kept, **fresh}
        return [
            Done(
                shard=shard.name,
                path=self.work / rows[key.digest].file,
                facts=rows[key.digest].facts,
                fresh=key.digest in fresh,
                digest=rows[key.digest].digest,
            )
            for key, shard in given
        ]

    def _check(self, stage: Stage, keys: Sequence[WorkKey], manifest: WorkManifest) -> dict[str, ShardRow]:
        """The rows whose output is as it was written, by key."""
        found = {key.digest: row for key in keys if (row := manifest.get(key)) and row.file == stage.file(key)}
        kept = {}
        sizes = self._place.sizes(stage.name) if found else {}
        with self._shown(f"{stage.name}: check", len(found)):
            for digest, row in found.items():
                if self._place.holds(row, sizes):
                    kept[digest] = row
                self._progress.advance(1)
        # What an earlier stage call of this very run did is no earlier run's.
        self._count(stage, done_before=sum(row.run != self._run for row in kept.values()))
        return kept

    def _do(
        self, stage: Stage, shards: Sequence[Shard], params: Mapping[str, Any], manifest: WorkManifest
    ) -> dict[str, ShardRow]:
        """Do these shards; their rows by key, each in the manifest by the time it is counted."""
        fresh = {}
        with (
            self._shown(stage.name, len(shards)),
            contextlib.closing(self._host.written(stage, shards, params, self._place)) as outputs,
        ):
            for output in outputs:
                row = replace(output.row, run=self._run)
                self._finished += 1
                self._place.commit(row, self._finished)
                manifest.add(row)
                fresh[row.key.digest] = row
                self._count(stage, done_now=1)
                self._progress.advance(1)
                self._warn(output.caught)
        return fresh

    def _count(self, stage: Stage, *, done_before: int = 0, done_now: int = 0) -> None:
        count = self.counts.get(stage.name, StageCount())
        self.counts[stage.name] = StageCount(count.done_before + done_before, count.done_now + done_now)

    def _warn(self, caught: Iterable[Caught]) -> None:
        for warning in caught:
            if (warning.category, warning.message) not in self._warned:
                self._warned.add((warning.category, warning.message))
                warnings.warn_explicit(warning.message, _category(warning.category), warning.filename, warning.line)

    @contextlib.contextmanager
    def _shown(self, stage: str, total: int) -> Iterator[None]:
        if not total:
            yield
            return
        self._progress.start(stage, total, "shards")
        try:
            yield
        finally:
            self._progress.finish()


def _host_of(workers: int | RayCluster) -> Host:
    count = workers.workers if isinstance(workers, RayCluster) else workers
    if count < 1:
        raise RecipeError(f"{count} workers cannot work", fix="use 1 or more")
    if isinstance(workers, RayCluster):
        return RayHost(workers)
    return Inline() if workers == 1 else LocalPool(workers)


def _category(name: str) -> type[Warning]:
    try:
        # A spawned process knows the script that started it by another name.
        category = pkgutil.resolve_name(name.replace("__mp_main__:", "__main__:"))
    except (ImportError, AttributeError, ValueError):
        return UserWarning
    return category if isinstance(category, type) and issubclass(category, Warning) else UserWarning
