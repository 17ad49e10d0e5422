"""Everything that the card of a mined training set tells, computed from the folder's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pyrite.core import DataError, Ledger
from pyrite.formats import TRAINING_CONFIGS, read_manifest
from pyrite.publishing.facts import CREDIT
from pyrite.publishing.folder_facts import FolderFacts
from pyrite.publishing.gains import Gain, find_gains
from pyrite.publishing.licence import dataset_licence
from pyrite.publishing.parts import Part, data_tables, read_frame, row_count
from pyrite.publishing.reading import Reading, read_folder
from pyrite.publishing.scores import published_rows
from pyrite.publishing.statistics import TextStatistics
from pyrite.publishing.templating import shown_path

PROVENANCE = "provenance/train.parquet"
CHOSEN = ("margin", "extended", "top-up")
SYSTEM = {
    "system": "",
    **dict.fromkeys(("query_prompt", "document_prompt", "prompt", "max_length", "batch_size", "dtype")),
    **dict.fromkeys(("normalize", "truncate_dim", "revision", "scale")),
}
"""What the template may ask of a system and a recipe may leave out."""

VERDICTS = ("valid", "false negative", "weak positive", "borderline")


@dataclass(frozen=True)
class Spread:
    """The least, the median, the mean and the greatest of some numbers."""

    least: float
    median: float
    mean: float
    greatest: float

    @classmethod
    def of(cls, numbers: NDArray[np.floating[Any]]) -> Spread:
        """The spread of these numbers; all 0 where there are none.

        >>> Spread.of(np.array([1.0, 2.0, 6.0]))
        Spread(least=1.0, median=2.0, mean=3.0, greatest=6.0)
        """
        if not len(numbers):
            return cls(0.0, 0.0, 0.0, 0.0)
        exact = np.asarray(numbers, dtype=np.float64)
        return cls(float(exact.min()), float(np.median(exact)), float(exact.mean()), float(exact.max()))

    @property
    def values(self) -> list[float]:
        """As a recipe's `[published]` has them: least, median, mean, greatest."""
        return [self.least, self.median, self.mean, self.greatest]


@dataclass(frozen=True)
class RowOrigins:
    """How the rows of n-tuples came to their negatives, and what the filter says of them.

    Attributes:
        negatives: "margin", "extended", "top-up" -> negatives.
        margin_only, extended, top_up: rows: filled by the margin alone; of those with extended ones; topped up.
        verdicts: "valid" and each reason of the filter -> rows.
    """

    negatives: Mapping[str, int]
    margin_only: int
    extended: int
    top_up: int
    verdicts: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class TrainingFacts(FolderFacts):
    """What the files of a mined set say; the card's template reads nothing else.

    Attributes:
        parts: the split `train` of each config that is there, in order. config_rows: config -> rows.
        labels: float64, of n-tuples, positive first. logits: float32, of every scored pair.
        origins: of the rows of n-tuples.
        query_lengths, positive_lengths, negative_lengths: of the texts of n-tuples.
    """

    parts: tuple[Part, ...]
    config_rows: Mapping[str, int]
    labels: NDArray[np.float64]
    logits: NDArray[np.float32]
    origins: RowOrigins
    query_lengths: TextStatistics
    positive_lengths: TextStatistics
    negative_lengths: TextStatistics

    @property
    def rows(self) -> int:
        """Rows of all configs together; provenance is no data."""
        return sum(rows for config, rows in self.config_rows.items() if config != "provenance")

    @property
    def negatives(self) -> int:
        """Negatives a row."""
        return int(self.labels.shape[1]) - 1

    @property
    def counts(self) -> dict[str, int]:
        """Each count that a recipe's `[expect]` may name and the files tell."""
        told = {name: rows for name, rows in self.config_rows.items() if name != "provenance"}
        return {
            **told,
            "scored": len(self.logits),
            "margin_only": self.origins.margin_only,
            "top_up": self.origins.top_up,
            "negatives": sum(self.origins.negatives.values()),
        }

    @cached_property
    def spreads(self) -> dict[str, Spread]:
        """Name, as in `[published]` -> spread."""
        hardest = self.labels[:, 1:].max(axis=1)
        return {
            "positive_logit": Spread.of(self.labels[:, 0]),
            "max_negative_logit": Spread.of(hardest),
            "mean_negative_logit": Spread.of(self.labels[:, 1:].mean(axis=1)),
            "margin": Spread.of(self.labels[:, 0] - hardest),
            "all_logits": Spread.of(self.logits),
        }

    @property
    def published(self) -> list[tuple[str, Any, Any]]:
        """(what, published, built): the numbers of the set that the recipe rebuilds beside ours."""
        told = {str(row["name"]): row["built"] for row in self.manifest.published}
        spreads = {name: spread.values for name, spread in self.spreads.items()}
        return published_rows(self.recipe.get("published") or {}, told | spreads | self.counts, ())

    @property
    def teacher(self) -> Mapping[str, Any]:
        """Family and model of the teacher, and its table in the recipe."""
        table = SYSTEM | (self.recipe.get("teacher") or {})
        # What its short form sets is told by the build.
        told = (self.manifest.facts.get("teacher") or {}).get("settings") or {}
        table |= {key: told[key] for key in SYSTEM if table[key] is None and key in told}
        family, _, rest = str(table["system"]).partition(":")
        name = rest.partition(",")[0]
        model = shown_path(name if family == "scores" else name.partition("@")[0])
        return {"family": family, "model": model, "table": table}

    @property
    def retrievers(self) -> Sequence[Mapping[str, Any]]:
        """The recipe's tables of retrievers."""
        return [SYSTEM | table for table in self.recipe.get("retriever") or ()]

    @property
    def warnings(self) -> Sequence[str]:
        """What rounding did to the teacher's logits."""
        return list(self.manifest.facts.get("warnings") or ())

    @property
    def statistics(self) -> Mapping[str, Any]:
        """What was counted while the set was made."""
        return dict(self.manifest.facts.get("statistics") or {})

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

    @cached_property
    def gains(self) -> list[Gain]:
        """What students gained by these tables, where that was measured."""
        return find_gains(self.folder, self.digest)

    @property
    def changed(self) -> bool:
        """Whether the tables differ from those that the manifest was written for."""
        return self.manifest.content.get("digest", "") not in ("", self.digest)


def training_facts(
    folder: Path,
    results: Sequence[Path] = (),  # noqa: ARG001 - nothing is measured
    *,
    reading: Reading | None = None,
) -> TrainingFacts:
    """Read a mined folder once, a batch of text at a time, and say what its card tells; `reading`: of it as it is."""
    manifest = read_manifest(folder)
    parts = training_parts(folder)
    files = {part.config: part.files for part in parts}
    for config in ("pairs", "triplets", "n-tuples", "n-tuples-filtered", "provenance"):
        if config not in files:
            raise DataError("there is no Parquet file", where=f"{folder}/{config}", fix="build the folder again")
    reading = read_folder(folder) if reading is None else reading
    return TrainingFacts(
        manifest=manifest,
        parts=parts,
        config_rows={part.config: row_count(folder, part.files) for part in parts},
        labels=read_labels(folder, files["n-tuples"]),
        logits=read_frame(folder, ["provenance/scores.parquet"], ["logit"])["logit"].to_numpy(),
        origins=_origins(folder),
        query_lengths=reading.texts("n-tuples", "query").statistics(),
        positive_lengths=reading.texts("n-tuples", "positive").statistics(),
        negative_lengths=reading.texts("n-tuples", "negative_").statistics(),
        digest=reading.digest,
        folder=folder,
    )


def training_parts(folder: Path) -> tuple[Part, ...]:
    """The configs of a mined folder, from its files alone; provenance comes last."""
    tables = data_tables(folder)
    parts = [
        Part(config, "train", tuple(tables[f"{config}/train"]))
        for config in TRAINING_CONFIGS
        if f"{config}/train" in tables
    ]
    if (folder / PROVENANCE).is_file():
        parts.append(Part("provenance", "train", (PROVENANCE,)))
    return tuple(parts)


def read_labels(folder: Path, files: Sequence[str]) -> NDArray[np.float64]:
    """The label column as a matrix, positive first; DataError where the rows have different lengths."""
    labels = read_frame(folder, files, ["label"])["label"]
    if not isinstance(labels.dtype, pl.List | pl.Array):
        raise DataError(
            f"the labels are of type {labels.dtype}, no lists", where=files[0], fix="build the folder again"
        )
    lengths = labels.list.len().unique()
    if len(lengths) > 1:
        raise DataError("the labels have different lengths", where=files[0], fix="build the folder again")
    width = int(lengths[0]) if len(lengths) else 0
    return labels.explode().cast(pl.Float64).to_numpy().reshape(len(labels), width)


def _origins(folder: Path) -> RowOrigins:
    frame = read_frame(folder, [PROVENANCE], ["chosen", "verdict"])
    chosen = frame["chosen"].explode().value_counts()
    counts = dict(chosen.iter_rows())
    topped = frame["chosen"].list.contains("top-up")
    extended = frame["chosen"].list.contains("extended") & ~topped
    verdicts = dict(frame["verdict"].value_counts().iter_rows())
    return RowOrigins(
        negatives={name: int(counts.get(name, 0)) for name in CHOSEN},
        margin_only=int((~topped).sum()),
        extended=int(extended.sum()),
        top_up=int(topped.sum()),
        verdicts={name: int(verdicts.get(name, 0)) for name in VERDICTS},
    )
