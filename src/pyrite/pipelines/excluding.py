"""A training table without the rows that leak a benchmark."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pyrite.core import LedgerEntry, RecipeError
from pyrite.engine import Engine, Progress, Shard, atomic_file, digest_of
from pyrite.formats import DataWarning, format_of, write_kept
from pyrite.pipelines.build import default_work
from pyrite.pipelines.evaluating import files_digest
from pyrite.pipelines.excluding_stages import LEAKS_STAGE, Protected
from pyrite.preparation import REASONS, Identical
from pyrite.sources import SourceSpec, Table, TableShard, fetch, open_table

PASSAGE = {"passage": "passage"}


@dataclass(frozen=True)
class Exclusion:
    """What counts as a leak, and where it is looked for.

    Attributes:
        identical: "normalised" (NFKC, case-folded, white space collapsed) or "exact".
        near: a Jaccard similarity of 5-word shingles from which texts are near-duplicates; None: they are no leak.
        columns: our name -> theirs, of every column whose texts are compared; lists of texts are taken apart.
        split: of the protected dataset; None: all its splits.
    """

    identical: Identical = "normalised"
    near: float | None = None
    columns: Mapping[str, str] = field(default_factory=lambda: dict(PASSAGE))
    split: str | None = None

    def __post_init__(self) -> None:
        if self.near is not None and not 0.2 <= self.near <= 1:
            raise RecipeError(f"near = {self.near} is no similarity from 0.2 to 1", fix="write one, as in 0.8")
        if not self.columns:
            raise RecipeError("no column is named", fix="name one, as in passage=TEXT")


@dataclass(frozen=True)
class Excluded:
    """A finished exclusion.

    Attributes:
        out: the table without leaks.
        entry: rows in, kept, and dropped by which reason.
    """

    out: Path
    entry: LedgerEntry


def exclude(
    train: str | Path | SourceSpec,
    against: str | Path,
    *,
    out: str | Path,
    rules: Exclusion | None = None,
    work: str | Path | None = None,
    progress: Progress | None = None,
) -> Excluded:
    """Write a training table without the rows that have a text of a dataset's documents or queries.

    The table streams through; every column of the rows that stay is written as it is, in the input's format. The
    dataset is only read. A table of which nothing is left is written all the same, with a DataWarning.

    Args:
        train: a file, folder, pattern or hub id of a table, or a `SourceSpec` where it has configs and splits.
        against: the protected dataset: folder, BEIR zip, hub id or ir_datasets id.
        out: the file to write; of the same format as the table.
        rules: what counts as a leak; default: the same text, normalised, in a column "passage".
        work: where finished shards are kept for a resume; default: a folder of the user's cache.
        progress: who is told how far it is.
    """
    rules = rules or Exclusion()
    spec = train if isinstance(train, SourceSpec) else SourceSpec(str(train))
    spec = SourceSpec(spec.path, spec.revision, spec.config, spec.split, spec.format, rules.columns)
    folder = fetch(str(against), split=rules.split)
    table = open_table(spec, needs=list(rules.columns), base=Path())
    target = Path(out)
    _refuse_target(target, table, folder)
    protected = Protected(folder, rules.split, files_digest(folder), rules.identical, rules.near)
    shards = table.shards()
    directory = Path(work) if work is not None else default_work(f"exclude-{digest_of(table.digest)[:16]}")
    with Engine(directory, progress=progress) as engine:
        jobs = [Shard(one.name, digest_of(one.digest, protected.decides()), (one, protected)) for one in shards]
        done = engine.run(LEAKS_STAGE, jobs, {})
        reasons = [pq.read_table(one.path)["reason"].to_numpy() for one in done]
        counts = np.sum([one.facts["counts"] for one in done], axis=0)
        with atomic_file(target) as path:
            kept = write_kept(path, _parts(shards, reasons), kind=table.kind)
    if not kept:
        warnings.warn(f"{target}: every row leaks; the table is empty", DataWarning, stacklevel=2)
    return Excluded(target, _entry(counts.tolist(), kept, bounded=any(one.facts["bounded"] for one in done)))


def _refuse_target(target: Path, table: Table, protected: Path) -> None:
    if format_of(target.name) != table.kind:
        raise RecipeError(
            f"ends in '{''.join(target.suffixes)}', and the table is {table.kind}",
            where=str(target),
            fix=f"name it .{table.kind}",
        )
    place = target.resolve()
    if any(isinstance(file.path, Path) and place == file.path.resolve() for file in table.files):
        raise RecipeError("is the training table itself", where=str(target), fix="choose another --out")
    if place.is_relative_to(protected.resolve()):
        raise RecipeError("lies in the protected dataset", where=str(target), fix="choose another --out")


def _parts(shards: Sequence[TableShard], reasons: Sequence[NDArray[np.int8]]) -> list[tuple[Path, NDArray[np.bool_]]]:
    """Each file of the table with which of its rows are kept, from the shards it was cut into."""
    of: dict[Path, list[NDArray[np.int8]]] = {}
    for shard, column in zip(shards, reasons, strict=True):
        of.setdefault(shard.path, []).append(column)
    return [(path, np.concatenate(columns) == 0) for path, columns in of.items()]


def _entry(counts: Sequence[int], kept: int, *, bounded: bool) -> LedgerEntry:
    dropped = {reason: count for reason, count in zip(REASONS[1:], counts[1:], strict=True) if count}
    notes: tuple[str, ...] = ()
    if bounded:
        notes = (
            "Some texts share shingles with so many protected ones (a template?) that not all of them were compared: "
            "near-duplicates may be left among them.",
        )
    return LedgerEntry("leaks of the protected dataset", "rows", sum(counts), kept, dropped, notes)
