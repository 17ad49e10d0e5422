"""From question-passage rows to a benchmark folder (spec: a hard benchmark with in-domain distractors)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import TEMPLATE, Ledger
from pyrite.engine import Done, Engine, digest_file, digest_of
from pyrite.formats import QRELS, Manifest, write_manifest, write_report
from pyrite.pipelines.benchmark_stages import SCAN
from pyrite.pipelines.evaluating import Evaluated, evaluate_systems
from pyrite.pipelines.expecting import beside, must_be_as_expected, versions
from pyrite.pipelines.gold import queries_table, read_evaluation, table_shards
from pyrite.pipelines.hard import take_hardest
from pyrite.pipelines.leaks import leaking_rows, write_leaks
from pyrite.pipelines.recipe import BenchmarkRecipe, LoadedRecipe
from pyrite.pipelines.scanned import Scanned
from pyrite.pipelines.searching import Dataset, loaded, search_dataset
from pyrite.pipelines.writing import write_corpus, write_tables
from pyrite.preparation import DistractorChoice, Passages, Questions
from pyrite.publishing import place_files
from pyrite.sources import Table, open_table

_EVAL = ("query", "passage")
WAVE = 8
"""Training shards scanned between two looks at the threshold: fixed, so that workers change nothing."""


@dataclass(frozen=True)
class BenchmarkTables:
    """A built benchmark before it becomes a folder.

    Attributes:
        files: place in the folder -> the finished file.
        counts: queries, gold, distractors, corpus, qrels.
        ledger: every row accounted for.
        sources: role -> rows and digest of what was read.
        repeated_queries: queries whose text an earlier one has.
    """

    files: dict[str, Path]
    counts: dict[str, int]
    ledger: Ledger
    sources: dict[str, dict[str, object]]
    repeated_queries: int


def build_tables(recipe: BenchmarkRecipe, base: Path, engine: Engine) -> BenchmarkTables:
    """Run the stages of a benchmark build; the texts pass through once, in shards, and are never all in memory."""
    # Both tables are opened before either is read: a wrong column is told in the first second.
    evaluation = open_table(recipe.source.eval.spec(), needs=_EVAL, single=_EVAL, base=base)
    training = (
        open_table(recipe.source.train.spec(), needs=["passage"], single=["passage"], base=base)
        if recipe.source.train is not None and recipe.distractors.count != 0
        else None
    )
    passages = Passages(near=recipe.dedup.near)
    gold = read_evaluation(recipe, evaluation, engine, passages)
    pieces, sizes = gold.scanned.pieces(gold.rows, prefix="p"), gold.scanned.sizes(gold.rows)
    ledger = Ledger().add(*gold.questions.entries, gold.entry)
    sources: dict[str, dict[str, object]] = {"eval": _told(evaluation, gold.scanned)}
    places: NDArray[np.integer] = np.empty(0, np.int32)
    near = np.empty(0, np.bool_)
    distractors = 0
    if training is not None:
        scanned, choice = _read_training(recipe, training, engine, passages)
        if recipe.distractors.choose == "hard":
            take_hardest(recipe, base, gold=gold, training=scanned, choice=choice, engine=engine)
        rows = choice.rows()
        distractors = len(rows)
        pieces = chain(pieces, scanned.pieces(rows, prefix="d", start=len(gold.rows)))
        sizes = np.concatenate([sizes, scanned.sizes(rows)])
        ledger = ledger.add(choice.entry())
        sources["train"] = _told(training, scanned)
        places, near = leaking_rows(gold, scanned, choice, engine, near=recipe.dedup.near)
        del rows, choice
    # What is known of each passage is held as long as it is needed.
    del passages
    leaks = write_leaks(places, near, engine, golden=len(gold.rows))
    del places, near
    files = {
        f"corpus/{name}": path
        for name, path in write_corpus(pieces, sizes, engine, shard_bytes=recipe.shard_bytes).items()
    }
    tables = {
        "queries/queries.parquet": queries_table(gold.questions),
        "qrels/test.parquet": _qrels_table(gold.questions),
        "provenance/merged.parquet": gold.merged(),
    }
    files |= {**write_tables(tables, engine), "provenance/leaks.parquet": leaks}
    counts = {
        "queries": len(gold.questions.texts),
        "gold": len(gold.rows),
        "distractors": distractors,
        "corpus": len(gold.rows) + distractors,
        "qrels": len(gold.questions.query_rows),
    }
    return BenchmarkTables(files, counts, ledger, sources, gold.questions.repeated)


def _read_training(
    recipe: BenchmarkRecipe, table: Table, engine: Engine, passages: Passages
) -> tuple[Scanned, DistractorChoice]:
    wanted, near = recipe.distractors, recipe.dedup.near
    hard = wanted.choose == "hard"
    choice = DistractorChoice(
        passages,
        count="all" if wanted.choose == "hard" else wanted.count,
        choose="random" if wanted.choose == "random" else "first",
        seed=wanted.seed,
    )
    shards = table_shards(table)
    done: list[Done] = []
    for start in range(0, len(shards), WAVE):
        # Likeness and difficulty are decided by the texts, so that none may be left out.
        threshold = None if hard or near is not None else choice.threshold()
        params = {"identical": recipe.dedup.identical, "threshold": threshold, "seed": wanted.seed}
        wave = Scanned.of(engine.run(SCAN, shards[start : start + WAVE], params))
        for numbered in wave.number(passages, engine, near):
            choice.add(numbered)
        done += wave.done
    return Scanned.of(done), choice


def _told(table: Table, scanned: Scanned) -> dict[str, object]:
    return {**table.origin(), "rows": int(scanned.offsets[-1]), "digest": scanned.digest()}


def _qrels_table(questions: Questions) -> pa.Table:
    return pa.table(
        {
            "query-id": [f"q{row}" for row in questions.query_rows.tolist()],
            "corpus-id": [f"p{number}" for number in questions.gold_numbers.tolist()],
            "score": np.ones(len(questions.query_rows), dtype=np.int64),
        },
        schema=QRELS,
    )


def benchmark_folder(loaded: LoadedRecipe, folder: Path, engine: Engine) -> tuple[Manifest, Evaluated | None]:
    """Fill a folder with the benchmark of a recipe, and measure what `[evaluate]` names on it.

    The manifest is written before the measuring, which reads the folder as anyone would.
    """
    recipe = loaded.recipe
    assert isinstance(recipe, BenchmarkRecipe)
    built = build_tables(recipe, loaded.base, engine)
    must_be_as_expected(recipe.expect, built.counts, recipe.name)
    place_files(folder, built.files)
    manifest = Manifest(
        kind=recipe.kind,
        name=recipe.name,
        language=recipe.language,
        recipe=recipe.model_dump(mode="json"),
        versions=versions(),
        protocol={
            "headline_queries": recipe.queries.headline,
            "remove_self": recipe.remove_self,
            "template": TEMPLATE,
        },
        counts=built.counts,
        ledger=built.ledger.to_json(),
        sources=built.sources,
        facts={"repeated_query_texts": built.repeated_queries},
    )
    write_manifest(folder / "manifest.json", manifest)
    evaluated = _evaluated(recipe, loaded.base, folder, built, engine)
    reached = (
        dict(
            zip(recipe.evaluate.forms(), evaluated.report.systems, strict=False)
        )  # rerankers come once more at the end
        if (evaluated is not None and recipe.evaluate is not None)
        else {}
    )
    return replace(manifest, published=beside(recipe.published, built.counts, reached)), evaluated


def _evaluated(
    recipe: BenchmarkRecipe, base: Path, folder: Path, built: BenchmarkTables, engine: Engine
) -> Evaluated | None:
    if recipe.evaluate is None:
        return None
    digest = digest_of({place: digest_file(path) for place, path in built.files.items()})
    dataset = Dataset(folder, None, digest, built.counts["gold"])
    evaluated = evaluate_systems(
        loaded(dataset),
        recipe.evaluate.forms(),
        lambda searches: search_dataset(dataset, searches, engine),
        protocol=recipe.evaluate.protocol(),
        gold=dataset.gold,
        base=base,
    )
    write_report(folder / "results", evaluated.report)
    return evaluated
