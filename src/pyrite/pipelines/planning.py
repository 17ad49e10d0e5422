"""What a build will read, write and take, from the sizes of its sources and a short probe of the real thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pyrite.core import DataError, RecipeError
from pyrite.pipelines.probing import Probe, probe_benchmark, probe_nano
from pyrite.pipelines.recipe import BenchmarkRecipe, LoadedRecipe, load_recipe
from pyrite.pipelines.recipe_nano import NanoRecipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_planning import plan_mining
from pyrite.sources import Outline, outline, outline_collection

LOW, HIGH = 0.6, 2.0
"""How far from a straight line through its probes the time of a build has to be expected to lie."""


@dataclass(frozen=True)
class Span:
    """At least and at most; equal where it is known."""

    low: float
    high: float

    def times(self, low: float, high: float) -> Span:
        """The span that lies between so many times its ends."""
        return Span(self.low * low, self.high * high)


@dataclass(frozen=True)
class PlannedSource:
    """One table that a build reads.

    Attributes:
        role: "eval", "train", or the splits that it is for. what: its size.
    """

    role: str
    what: Outline


@dataclass(frozen=True)
class Plan:
    """What a build will take.

    Attributes:
        name, kind: of the recipe.
        sources: the tables.
        work, out: bytes of finished shards and of the dataset; None where nothing could be probed. Where both are on
            one disk, files are linked and not held twice.
        seconds: None where nothing could be probed.
        probe: what the estimates were made from, or None.
        notes: sentences on what is not in the numbers.
    """

    name: str
    kind: str
    sources: tuple[PlannedSource, ...]
    work: Span | None
    out: Span | None
    seconds: Span | None
    probe: Probe | None
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For a terminal."""
        told = [f"{self.kind} {self.name}"]
        for source in self.sources:
            size = "size not known" if source.what.bytes is None else _bytes(source.what.bytes)
            rows = "rows not known before the download" if source.what.rows is None else _rows(source.what.rows)
            where = "" if source.what.local else ", to be downloaded"
            told.append(f"reads {source.role}: {source.what.path}, {size}{where}, {rows}")
        if self.work is not None and self.out is not None and self.seconds is not None:
            told.append(f"work folder: {_bytes(self.work.low)} to {_bytes(self.work.high)}")
            told.append(f"dataset: {_bytes(self.out.low)} to {_bytes(self.out.high)}")
            told.append(f"time: {_time(self.seconds.low)} to {_time(self.seconds.high)}")
        if self.probe is not None:
            told.append(f"probed: {self.probe.rows:,} rows in {_time(self.probe.seconds)}")
        return told + [f"- {note}" for note in self.notes]


def plan(recipe: str | Path, *, overrides: Sequence[str] = (), workers: int = 1) -> Plan:
    """What `build` would read, write and take; it reads a few thousand rows and downloads no data.

    The probe builds a small sample of the very sources with the very settings, twice in two sizes, in a temporary
    folder. Time and disk are ranges, from a straight line through both: what grows faster than its input, and the
    speed of another disk, are why they are wide.

    Args:
        recipe: a shipped recipe's name or a TOML file. overrides: as for `build`.
        workers: processes that the build would have; the probe has one.
    """
    loaded = load_recipe(str(recipe), overrides)
    checked = loaded.recipe
    assert isinstance(checked, BenchmarkRecipe | NanoRecipe | TrainingRecipe)
    sources = tuple(_outlines(loaded))
    notes = list(_notes(checked, sources))
    rows = _total(sources)
    if rows is None:
        notes.append("Nothing could be probed: not every source is on this machine yet.")
        return Plan(checked.name, checked.kind, sources, None, None, None, None, tuple(notes))
    if isinstance(checked, TrainingRecipe):
        try:
            notes += plan_mining(loaded).notes()
        except RecipeError as error:
            notes.append(f"Nothing could be probed: {error}")
        return Plan(checked.name, checked.kind, sources, None, None, None, None, tuple(notes))
    sizes = {source.role: source.what.rows[1] for source in sources if source.what.rows is not None}
    probe = probe_benchmark(loaded, sizes) if isinstance(checked, BenchmarkRecipe) else probe_nano(loaded)
    if probe is None:
        notes.append("Nothing could be probed: even the smallest split is too large for a probe.")
        return Plan(checked.name, checked.kind, sources, None, None, None, None, tuple(notes))
    scaled = Span(max(rows.low, probe.rows), max(rows.high, probe.rows))
    seconds = Span(*probe.seconds_for(scaled.low, scaled.high)).times(LOW / workers, HIGH)
    work, out = (
        Span(scaled.low * each, scaled.high * each).times(LOW, HIGH) for each in (probe.work_a_row, probe.out_a_row)
    )
    return Plan(checked.name, checked.kind, sources, work, out, seconds, probe, tuple(notes))


def _outlines(loaded: LoadedRecipe) -> Iterator[PlannedSource]:
    recipe, base = loaded.recipe, loaded.base
    if isinstance(recipe, BenchmarkRecipe):
        yield PlannedSource("eval", outline(recipe.source.eval.spec(), base=base))
        if recipe.source.train is not None and recipe.distractors.count != 0:
            yield PlannedSource("train", outline(recipe.source.train.spec(), base=base))
        return
    if isinstance(recipe, TrainingRecipe):
        queries, corpus = recipe.source.queries.spec(), recipe.source.corpus
        if corpus is None:
            whole = outline_collection(queries.path, base=base, split=queries.split, revision=queries.revision)
            yield PlannedSource("collection", whole)
        else:
            yield PlannedSource("queries", outline(queries, base=base))
            yield PlannedSource("corpus", outline(corpus.spec(), base=base))
        return
    assert isinstance(recipe, NanoRecipe)
    # A table that several splits share is read once.
    found: dict[str, tuple[list[str], Callable[[], Outline]]] = {}
    for split in recipe.split:
        source = recipe.source_of(split)
        asked = [one or None for one in (source.requested, *source.fallback)]
        tells: dict[str, list[Callable[[], Outline]]] = {}
        if source.corpus is None or source.queries is None:
            folder = partial(outline_collection, source.path, base=base, revision=source.revision)
            tells[repr((source.path, source.revision, asked))] = [partial(folder, split=one) for one in asked]
        else:
            for part, tried in ((source.corpus, [None]), (source.queries, asked)):
                specs = [source.spec(part, one) for one in tried]
                tells[repr(specs)] = [partial(outline, spec, base=base) for spec in specs]
        for key, tried_in_turn in tells.items():
            found.setdefault(key, ([], partial(_first_there, tried_in_turn)))[0].append(split.name)
    for splits, told in found.values():
        yield PlannedSource(", ".join(splits), told())


def _first_there(tells: Sequence[Callable[[], Outline]]) -> Outline:
    """Of a query split and its fallbacks, the first that the source has; which one is usable shows in the reading."""
    errors: list[DataError | RecipeError] = []
    for tell in tells:
        try:
            return tell()
        except (DataError, RecipeError) as error:
            errors.append(error)
    raise errors[0]


def _total(sources: Sequence[PlannedSource]) -> Span | None:
    rows = [source.what.rows for source in sources]
    if any(one is None for one in rows):
        return None
    return Span(sum(one[0] for one in rows if one is not None), sum(one[1] for one in rows if one is not None))


def _notes(recipe: BenchmarkRecipe | NanoRecipe | TrainingRecipe, sources: Sequence[PlannedSource]) -> Iterator[str]:
    guessed = [source.what.path for source in sources if source.what.rows and source.what.rows[0] < source.what.rows[1]]
    if guessed:
        yield f"Rows are estimated from samples: {', '.join(guessed)}."
    if isinstance(recipe, TrainingRecipe):
        rows = sources[0].what.rows
        if recipe.source.corpus is not None and rows is not None:
            depth = recipe.teacher.depth or max(one.depth for one in recipe.retriever)
            yield f"Pairs to score: up to {rows[1] * depth:,}, {depth} for each row of the queries, and the positives."
        return
    if recipe.evaluate is not None:
        yield f"Not in the time: measuring {', '.join(recipe.evaluate.forms())}."
    if isinstance(recipe, BenchmarkRecipe) and recipe.distractors.choose == "hard":
        yield "Hard distractors: the time of ranking grows with queries and training rows together."


def _bytes(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} bytes"


def _rows(span: tuple[int, int]) -> str:
    return f"{span[0]:,} rows" if span[0] == span[1] else f"{span[0]:,} to {span[1]:,} rows"


def _time(seconds: float) -> str:
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"
