"""Short builds of samples, timed: what a recipe takes on its very sources."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from pyrite.core import DataError
from pyrite.engine import atomic_file
from pyrite.formats import DataWarning, write_parquet
from pyrite.pipelines.build import build
from pyrite.pipelines.recipe import BenchmarkRecipe, DistractorsTable, Expect, LoadedRecipe, QueriesTable
from pyrite.pipelines.recipe_nano import GuardTable, NanoExpect, NanoRecipe, SplitExpect, SplitTable
from pyrite.sources import Table, open_table, outline, outline_collection

SAMPLE_ROWS = 4000
"""Rows of the larger sample, all tables together."""

_SAMPLES = (
    ("warm", SAMPLE_ROWS / 40),
    *(("small", SAMPLE_ROWS / 4), ("large", SAMPLE_ROWS)),
    *(("small-again", SAMPLE_ROWS / 4), ("large-again", SAMPLE_ROWS)),
)
LEAST_ROWS = 50
"""Of each table."""

NANO_BYTES = 64 << 20
"""Up to this size the files of a Nano split are built as a probe."""


@dataclass(frozen=True)
class Probe:
    """What short builds took.

    Attributes:
        rows: of the larger one. seconds: of all.
        fixed: seconds that do not depend on rows.
        least_a_row, most_a_row: seconds that do.
        work_a_row, out_a_row: bytes of the work folder and of the dataset.
    """

    rows: int
    seconds: float
    fixed: float
    least_a_row: float
    most_a_row: float
    work_a_row: float
    out_a_row: float

    def seconds_for(self, least: float, most: float) -> tuple[float, float]:
        """At least and at most, for at least and at most so many rows."""
        return self.fixed + least * self.least_a_row, self.fixed + most * self.most_a_row


@dataclass(frozen=True)
class _Run:
    """One short build: rows read, seconds taken, bytes left."""

    rows: int
    seconds: float
    work: int
    out: int


def probe_benchmark(loaded: LoadedRecipe, sizes: Mapping[str, int]) -> Probe:
    """Build a sample of each table, twice in two sizes, in the proportion in which the tables stand.

    Args:
        loaded: a recipe of kind "benchmark".
        sizes: "eval" and, where it is read, "train" -> rows, about.
    """
    total = max(sum(sizes.values()), 1)
    with tempfile.TemporaryDirectory(prefix="pyrite-plan-") as temporary:
        folder = Path(temporary)
        # The first build pays for what is compiled once and for all.
        runs = [_build_sample(loaded, sizes, wanted / total, folder / name) for name, wanted in _SAMPLES]
    # The quicker of two: what else the machine does only ever slows one down.
    small, large = (min(of, key=lambda run: run.seconds) for of in (runs[1::2], runs[2::2]))
    return _line(small, large, sum(run.seconds for run in runs))


def probe_nano(loaded: LoadedRecipe) -> Probe | None:
    """Build the split whose tables have the fewest bytes; None where even they are too many.

    What one split takes beyond its rows is taken as fixed for each.
    """
    recipe = loaded.recipe
    assert isinstance(recipe, NanoRecipe)
    sizes = {split.name: _split_size(loaded, recipe, split) for split in recipe.split}
    smallest = min(sizes, key=lambda name: sizes[name][0])
    size, rows = sizes[smallest]
    if size > NANO_BYTES:
        return None
    split = next(one for one in recipe.split if one.name == smallest)
    alone = recipe.model_copy(
        update={
            "split": [split.model_copy(update={"expect": SplitExpect(), "published": {}})],
            "expect": NanoExpect(),
            "published": {},
            "evaluate": None,
        }
    )
    with tempfile.TemporaryDirectory(prefix="pyrite-plan-") as temporary:
        warm, again = (
            _timed(replace(loaded, recipe=alone), Path(temporary) / name, rows) for name in ("warm", "again")
        )
    # A split is ranked and written whatever it holds: that part is there for each of them.
    fixed = again.seconds * len(recipe.split) / 2
    each = max(again.rows, 1)
    total = warm.seconds + again.seconds
    a_row = again.seconds / 2 / each
    return Probe(again.rows, total, fixed, a_row, a_row, again.work / each, again.out / each)


def _split_size(loaded: LoadedRecipe, recipe: NanoRecipe, split: SplitTable) -> tuple[int, int]:
    """(bytes, rows) of a split's corpus, or of all tables of a folder in a known layout."""
    source = recipe.source_of(split)
    if source.corpus is None:
        asked = source.requested or None
        found = outline_collection(source.path, base=loaded.base, split=asked, revision=source.revision)
    else:
        found = outline(source.spec(source.corpus, None), base=loaded.base)
    return found.bytes or 0, found.rows[1] if found.rows is not None else 0


def _build_sample(loaded: LoadedRecipe, sizes: Mapping[str, int], share: float, folder: Path) -> _Run:
    recipe = loaded.recipe
    assert isinstance(recipe, BenchmarkRecipe)
    rows, sources = 0, {}
    for role, count in sizes.items():
        table = recipe.source.eval if role == "eval" else recipe.source.train
        assert table is not None
        needs = ["query", "passage"] if role == "eval" else ["passage"]
        opened = open_table(table.spec(), needs=needs, single=needs, base=loaded.base)
        sample = _sample(opened, max(int(count * share), LEAST_ROWS))
        with atomic_file(folder / f"{role}.parquet") as path:
            write_parquet(path, sample)
        rows += len(sample)
        sources[role] = {"path": f"{role}.parquet"}
    changes = {
        "source": type(recipe.source).model_validate(sources),
        "queries": QueriesTable(duplicates=recipe.queries.duplicates),
        "expect": Expect(),
        "published": {},
        "evaluate": None,
    }
    asked = recipe.distractors.count
    few = asked if asked == "all" else int(asked * min(share, 1.0))
    chosen = _without_files(recipe.distractors).model_copy(update={"count": few})
    small = recipe.model_copy(update={**changes, "distractors": chosen})
    try:
        return _timed(replace(loaded, recipe=small, base=folder), folder, rows)
    except DataError:
        # So few rows may not hold so many distinct ones.
        least = chosen.model_copy(update={"count": 1 if few else 0})
        return _timed(
            replace(loaded, recipe=small.model_copy(update={"distractors": least}), base=folder), folder, rows
        )


def _without_files(wanted: DistractorsTable) -> DistractorsTable:
    """The same, without rankings and scores from files: those speak of the rows of the whole table."""
    if wanted.choose != "hard":
        return wanted
    guard = wanted.guard if not wanted.guard.system else GuardTable(near=wanted.guard.near)
    system = wanted.system if wanted.system.startswith("bm25") else "bm25"
    return wanted.model_copy(update={"system": system, "guard": guard})


def _sample(table: Table, wanted: int) -> pa.Table:
    """About so many rows: from the first, the middle and the last shard, the same number of each."""
    shards = table.shards()
    places = sorted({0, len(shards) // 2, len(shards) - 1})
    each = -(-wanted // len(places))
    parts: list[pa.Table] = []
    for place in places:
        held = 0
        for batch in shards[place].read():
            parts.append(pa.Table.from_batches([batch.slice(0, each - held)]))
            held += len(parts[-1])
            if held >= each:
                break
    return pa.concat_tables(parts)


def _timed(loaded: LoadedRecipe, folder: Path, rows: int) -> _Run:
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        build(loaded, out=folder / "out", work=folder / "work")
    seconds = time.perf_counter() - started
    return _Run(rows, seconds, _size(folder / "work"), _size(folder / "out"))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _line(small: _Run, large: _Run, seconds: float) -> Probe:
    """The straight lines through two builds, and through the larger one and nothing."""
    rows = max(large.rows, 1)
    whole = large.seconds / rows
    more = large.rows - small.rows
    slope = (large.seconds - small.seconds) / more if more > 0 else whole
    # Of so short builds the difference is as good as lost in what else the machine does.
    slope = min(max(slope, whole / 10), whole * 2)
    fixed = max(large.seconds - slope * large.rows, 0.0)
    return Probe(large.rows, seconds, fixed, min(slope, whole), max(slope, whole), large.work / rows, large.out / rows)
