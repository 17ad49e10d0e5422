"""From question-passage rows to a benchmark folder (spec: a hard benchmark with in-domain distractors)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import TEMPLATE, DataError, Ledger, LedgerEntry
from pyrite.engine import Done, Engine, Shard, digest_file, digest_of
from pyrite.formats import LEAKS, QRELS, QUERIES, Manifest, read_collection, write_manifest, write_report
from pyrite.pipelines.benchmark_stages import SCAN
from pyrite.pipelines.evaluating import Evaluated, Protocol, evaluate_systems
from pyrite.pipelines.expecting import beside, must_be_as_expected, versions
from pyrite.pipelines.recipe import BenchmarkRecipe, LoadedRecipe
from pyrite.pipelines.scanned import Scanned
from pyrite.pipelines.searching import Dataset, search_dataset
from pyrite.pipelines.writing import write_corpus, write_tables
from pyrite.preparation import DistractorChoice, FirstSeen, Questions, choose_questions
from pyrite.publishing import place_files
from pyrite.sources import Table, open_table

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
    evaluation = open_table(recipe.source.eval.spec(), needs=["query", "passage"], base=base)
    training = (
        open_table(recipe.source.train.spec(), needs=["passage"], base=base)
        if recipe.source.train is not None and recipe.distractors.count != 0
        else None
    )
    seen = FirstSeen()
    scanned, questions, gold_rows = _read_evaluation(recipe, evaluation, engine, seen)
    pieces, sizes = scanned.pieces(gold_rows, "p"), scanned.sizes(gold_rows)
    ledger = Ledger().add(*questions.entries, _gold_entry(scanned, gold_rows))
    sources: dict[str, dict[str, object]] = {"eval": _told(evaluation, scanned)}
    leaks = pa.table({"train_row": [], "corpus-id": [], "reason": []}, schema=LEAKS)
    distractors = 0
    if training is not None:
        rows, choice = _read_training(recipe, training, engine, seen)
        first = choice.first_rows()
        distractors = len(first)
        pieces += rows.pieces(first, "d")
        sizes = np.concatenate([sizes, rows.sizes(first)])
        ledger = ledger.add(choice.entry())
        sources["train"] = _told(training, rows)
        leaks = _leaks(choice.in_corpus(), len(gold_rows))
    files = {
        f"corpus/{name}": path
        for name, path in write_corpus(pieces, sizes, engine, shard_bytes=recipe.shard_bytes).items()
    }
    tables = {
        "queries/queries.parquet": _queries_table(questions),
        "qrels/test.parquet": _qrels_table(questions),
        "provenance/leaks.parquet": leaks,
    }
    files |= write_tables(tables, engine)
    counts = {
        "queries": len(questions.texts),
        "gold": len(gold_rows),
        "distractors": distractors,
        "corpus": len(gold_rows) + distractors,
        "qrels": len(questions.query_rows),
    }
    return BenchmarkTables(files, counts, ledger, sources, questions.repeated)


def _shards(table: Table) -> list[Shard]:
    return [Shard(shard.name, shard.digest, shard) for shard in table.shards()]


def _read_evaluation(
    recipe: BenchmarkRecipe, table: Table, engine: Engine, seen: FirstSeen
) -> tuple[Scanned, Questions, NDArray[np.int64]]:
    params: dict[str, object] = {"identical": recipe.dedup.identical, "threshold": None, "seed": 0}
    scanned = Scanned.of(engine.run(SCAN, _shards(table), params))
    texts: list[str | None] = []
    numbers = []
    for index in range(len(scanned.done)):
        texts += scanned.column(index, "query").to_pylist()
        digests, empty = scanned.digests(index)
        gold = np.full(len(digests), -1, dtype=np.int64)
        gold[~empty] = seen.number(digests[~empty])
        numbers.append(gold)
    gold_numbers = np.concatenate(numbers) if numbers else np.empty(0, np.int64)
    questions = choose_questions(texts, gold_numbers, limit=recipe.queries.limit, duplicates=recipe.queries.duplicates)
    if not questions.texts:
        raise DataError("no row has both a question and a passage", where=table.name, fix="check source.eval.columns")
    rows = np.flatnonzero(gold_numbers >= 0)
    _, first = np.unique(gold_numbers[rows], return_index=True)
    return scanned, questions, rows[first]


def _read_training(
    recipe: BenchmarkRecipe, table: Table, engine: Engine, seen: FirstSeen
) -> tuple[Scanned, DistractorChoice]:
    wanted = recipe.distractors
    choice = DistractorChoice(seen, count=wanted.count, choose=wanted.choose, seed=wanted.seed)
    shards = _shards(table)
    done: list[Done] = []
    for start in range(0, len(shards), WAVE):
        params = {"identical": recipe.dedup.identical, "threshold": choice.threshold(), "seed": wanted.seed}
        wave = Scanned.of(engine.run(SCAN, shards[start : start + WAVE], params))
        for index in range(len(wave.done)):
            choice.add(*wave.digests(index))
        done += wave.done
    return Scanned.of(done), choice


def _gold_entry(scanned: Scanned, gold_rows: NDArray[np.int64]) -> LedgerEntry:
    rows = int(scanned.offsets[-1])
    empty = sum(int(scanned.digests(index)[1].sum()) for index in range(len(scanned.done)))
    reasons = {"empty passage": empty, "identical to an earlier passage": rows - empty - len(gold_rows)}
    return LedgerEntry("gold passages", "rows", rows, len(gold_rows), {r: n for r, n in reasons.items() if n})


def _told(table: Table, scanned: Scanned) -> dict[str, object]:
    return {**table.origin(), "rows": int(scanned.offsets[-1]), "digest": scanned.digest()}


def _leaks(positions: NDArray[np.int64], gold: int) -> pa.Table:
    rows = np.flatnonzero(positions >= 0)
    places = positions[rows]
    return pa.table(
        {
            "train_row": rows,
            "corpus-id": [f"p{place}" if place < gold else f"d{place - gold}" for place in places.tolist()],
            "reason": np.where(places < gold, "gold", "distractor").tolist(),
        },
        schema=LEAKS,
    )


def _queries_table(questions: Questions) -> pa.Table:
    ids = [f"q{number}" for number in range(len(questions.texts))]
    return pa.table({"_id": ids, "text": list(questions.texts)}, schema=QUERIES)


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
    evaluated = _evaluated(recipe, folder, built, engine)
    reached = (
        dict(zip(recipe.evaluate.systems, evaluated.report.systems, strict=True))
        if (evaluated is not None and recipe.evaluate is not None)
        else {}
    )
    return replace(manifest, published=beside(recipe.published, built.counts, reached)), evaluated


def _evaluated(recipe: BenchmarkRecipe, folder: Path, built: BenchmarkTables, engine: Engine) -> Evaluated | None:
    if recipe.evaluate is None:
        return None
    digest = digest_of({place: digest_file(path) for place, path in built.files.items()})
    dataset = Dataset(folder, None, digest, built.counts["gold"])
    collection = read_collection(folder)
    evaluated = evaluate_systems(
        collection,
        recipe.evaluate.systems,
        lambda searches: search_dataset(dataset, searches, engine),
        protocol=Protocol(
            measures=tuple(recipe.evaluate.measures),
            depth=recipe.evaluate.depth,
            distractors=tuple(recipe.evaluate.distractors),
        ),
        gold=dataset.gold,
    )
    write_report(folder / "results", evaluated.report)
    return evaluated
