"""Everything that the card of a benchmark tells, computed from the folder's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from pyrite.core import DataError, Ledger
from pyrite.formats import read_manifest
from pyrite.publishing.folder_facts import FolderFacts
from pyrite.publishing.licence import dataset_licence
from pyrite.publishing.parts import Part, batches, benchmark_parts, read_frame, read_schema, row_count
from pyrite.publishing.reading import Reading, read_folder
from pyrite.publishing.scores import (
    Curve,
    ScoreTable,
    best_models,
    curves,
    find_reports,
    published_rows,
    score_tables,
)
from pyrite.publishing.statistics import TextStatistics

MODELS = {"dense": "BAAI/bge-m3", "sparse": "naver/splade-v3", "multi-vector": "lightonai/mLateOn"}
"""What usage code loads where no model of that family was measured."""

CREDIT = {"url": "", "license": "", "role": "data", "bibtex": ""}
"""What the template may ask for and a recipe may leave out."""


@dataclass(frozen=True)
class Judgements:
    """What the qrels hold.

    Attributes:
        rows: judgements.
        documents: distinct judged documents.
        fewest, mean, most: positives a query, over queries that have one.
        grades: grade -> judgements, ascending.
    """

    rows: int
    documents: int
    fewest: int
    mean: float
    most: int
    grades: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class BenchmarkFacts(FolderFacts):
    """What the files of a benchmark folder say; the card's template reads nothing else.

    Attributes:
        parts: corpus, queries and each split of the qrels.
        queries, corpus, gold, distractors: rows.
        repeated_texts, repeated_rows: query texts that occur more than once, and the rows beyond their first.
        leaks: reason -> rows of the training table that are in the corpus; None where there is no leak list.
    """

    parts: tuple[Part, ...]
    queries: int
    corpus: int
    gold: int
    distractors: int
    repeated_texts: int
    repeated_rows: int
    titled: bool
    judgements: Judgements
    query_lengths: TextStatistics
    document_lengths: TextStatistics
    leaks: Mapping[str, int] | None
    results: tuple[Path, ...]

    @property
    def rows(self) -> int:
        """Rows of all configs together."""
        return self.queries + self.corpus + self.judgements.rows

    @property
    def headline(self) -> int | None:
        """The protocol's prefix of queries; None where it is all of them."""
        headline = self.manifest.protocol.get("headline_queries")
        return None if headline is None or headline >= self.queries else int(headline)

    @property
    def template(self) -> str:
        """How title and text become what a system reads."""
        return str(self.manifest.protocol.get("template") or "{title}\n\n{text}")

    @property
    def ledger(self) -> Ledger:
        """The account of every row; DataError where it does not add up."""
        return Ledger.from_json(self.manifest.ledger)

    @property
    def credits(self) -> Sequence[Mapping[str, Any]]:
        """The recipe's credits."""
        return [CREDIT | credit for credit in self.recipe.get("credit") or ()]

    @cached_property
    def licence(self) -> str:
        """The dataset's licence identifier; RecipeError where a share-alike source forbids it."""
        return dataset_licence(self.recipe)

    @property
    def changed(self) -> bool:
        """Whether the tables differ from those that the manifest was written for."""
        return self.manifest.content.get("digest", "") not in ("", self.digest)

    @cached_property
    def _reports(self) -> list[Any]:
        return list(find_reports(self.folder, self.results))

    @cached_property
    def scores(self) -> list[ScoreTable]:
        """Systems measured on these tables; none where the tables changed since."""
        return [] if self.changed else score_tables(self._reports)

    def curves(self, sweep: str) -> list[Curve]:
        """The curves of a sweep; none where the tables changed since."""
        return [] if self.changed else curves(self._reports, sweep)

    @property
    def counts(self) -> dict[str, int]:
        """Each count that a recipe's `[expect]` and `[published]` may name."""
        return {
            "queries": self.queries,
            "gold": self.gold,
            "distractors": self.distractors,
            "corpus": self.corpus,
            "qrels": self.judgements.rows,
        }

    @property
    def published(self) -> list[tuple[str, Any, Any]]:
        """(what, published, built): the numbers of the set that the recipe rebuilds beside ours."""
        told = {str(row["name"]): row["built"] for row in self.manifest.published}
        means = {
            "words_per_document": round(self.document_lengths.words.mean, 1),
            "words_per_query": round(self.query_lengths.words.mean, 1),
            "characters_per_document": round(self.document_lengths.characters.mean, 1),
            "characters_per_query": round(self.query_lengths.characters.mean, 1),
        }
        return published_rows(self.recipe.get("published") or {}, told | means | self.counts, self.scores)

    @property
    def models(self) -> dict[str, str]:
        """Family -> the model that usage code loads."""
        return MODELS | best_models(self.scores)


def benchmark_facts(folder: Path, results: Sequence[Path] = (), *, reading: Reading | None = None) -> BenchmarkFacts:
    """Read a benchmark folder once, a batch of text at a time, and say what its card tells.

    Args:
        folder: the built folder.
        results: further folders of reports, beside the folder's own `results/`.
        reading: of the folder as it is, where it was read already.
    """
    manifest = read_manifest(folder)
    if manifest.kind != "benchmark":
        raise DataError(f"is of kind '{manifest.kind}', not a benchmark", where=f"{folder}/manifest.json")
    parts = benchmark_parts(folder)
    files = {part.config: part.files for part in reversed(parts)}
    for config in ("corpus", "queries", "qrels"):
        if config not in files:
            raise DataError("there is no Parquet file", where=f"{folder}/{config}", fix="build the folder again")
    titled = "title" in read_schema(folder, files["corpus"][0]).names
    corpus = row_count(folder, files["corpus"])
    gold = _gold(folder, files["corpus"], int(manifest.counts.get("gold", corpus)))
    repeated = _repeated(folder, files["queries"])
    reading = read_folder(folder, template=manifest.protocol.get("template")) if reading is None else reading
    return BenchmarkFacts(
        manifest=manifest,
        parts=tuple(parts),
        queries=row_count(folder, files["queries"]),
        corpus=corpus,
        gold=gold,
        distractors=corpus - gold,
        repeated_texts=repeated[0],
        repeated_rows=repeated[1],
        titled=titled,
        judgements=_judgements(folder, [file for part in parts if part.config == "qrels" for file in part.files]),
        query_lengths=reading.texts("queries", "text").statistics(),
        document_lengths=reading.texts("corpus", "text").statistics(),
        leaks=_leaks(folder),
        digest=reading.digest,
        results=tuple(results),
        folder=folder,
    )


def _gold(folder: Path, files: Sequence[str], told: int) -> int:
    """Gold ids are p0, p1, ... and distractors d0, d1, ...; other ids leave only what the manifest told."""
    gold = 0
    for batch in batches(folder, files, ["_id"]):
        ids = pl.Series(batch.column("_id"))
        if not ids.str.contains(r"^[pd]\d+$").all():
            return told
        gold += int(ids.str.starts_with("p").sum())
    return gold


def _repeated(folder: Path, files: Sequence[str]) -> tuple[int, int]:
    texts = read_frame(folder, files, ["text"])["text"]
    counts = texts.value_counts()["count"]
    return int((counts > 1).sum()), len(texts) - len(counts)


def _judgements(folder: Path, files: Sequence[str]) -> Judgements:
    frame = read_frame(folder, files, ["query-id", "corpus-id", "score"])
    positives = frame.filter(pl.col("score") >= 1).group_by("query-id").len()["len"]
    grades = frame.group_by("score").len().sort("score")
    return Judgements(
        rows=len(frame),
        documents=frame["corpus-id"].n_unique(),
        fewest=int(positives.min() or 0),  # type: ignore[arg-type]
        mean=float(positives.mean() or 0.0),  # type: ignore[arg-type]
        most=int(positives.max() or 0),  # type: ignore[arg-type]
        grades=tuple((int(grade), int(rows)) for grade, rows in grades.iter_rows()),
    )


def _leaks(folder: Path) -> dict[str, int] | None:
    file = "provenance/leaks.parquet"
    if not (folder / file).is_file():
        return None
    counts = read_frame(folder, [file], ["reason"])["reason"].value_counts().sort("reason")
    return {str(reason): int(rows) for reason, rows in counts.iter_rows()}
