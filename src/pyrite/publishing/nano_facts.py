"""Everything that the card of a Nano dataset tells, computed from the folder's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pyrite.core import DataError, Estimate, Ledger
from pyrite.formats import NANO_TABLES, NANOBEIR_SPLITS, read_json, read_manifest
from pyrite.publishing.facts import CREDIT
from pyrite.publishing.folder_facts import FolderFacts
from pyrite.publishing.licence import dataset_licence
from pyrite.publishing.parts import Part, data_tables, row_count
from pyrite.publishing.reading import Reading, read_folder
from pyrite.publishing.scores import find_reports
from pyrite.publishing.statistics import TextStatistics


@dataclass(frozen=True)
class SplitFacts:
    """What the files of one split say.

    Attributes:
        name: of the split. metadata: metadata/SPLIT.json.
        queries, corpus, qrels: rows.
    """

    name: str
    metadata: Mapping[str, Any]
    queries: int
    corpus: int
    qrels: int
    query_lengths: TextStatistics
    document_lengths: TextStatistics

    @property
    def bm25(self) -> Mapping[str, Any]:
        """What the metadata say of the BM25 candidates."""
        return dict(self.metadata["candidates"]["bm25"])

    @property
    def forced(self) -> int:
        """Documents that were forced into the BM25 candidates."""
        return sum(len(documents) for documents in self.bm25["forced"].values())

    @property
    def built(self) -> dict[str, Any]:
        """Each number that a recipe may have published for a split, as it is here."""
        counts = {"queries": self.queries, "corpus": self.corpus, "qrels": self.qrels, "forced": self.forced}
        return counts | dict(self.bm25["measures"])


@dataclass(frozen=True)
class NanoFacts(FolderFacts):
    """What the files of a Nano folder say; the card's template reads nothing else.

    Attributes:
        splits: in the recipe's order. configs: the tables, then the candidates in the recipe's order.
    """

    splits: tuple[SplitFacts, ...]
    configs: tuple[str, ...]
    results: tuple[Path, ...]

    @property
    def parts(self) -> list[Part]:
        """Every split of every config, with its file."""
        return [
            Part(config, split.name, (f"{config}/{split.name}.parquet",))
            for config in self.configs
            for split in self.splits
        ]

    @property
    def rows(self) -> int:
        """Rows of all configs together."""
        lists = len(self.configs) - len(NANO_TABLES)
        return sum(split.corpus + split.qrels + split.queries * (1 + lists) for split in self.splits)

    @property
    def counts(self) -> dict[str, int]:
        """Each count that a recipe's `[expect]` may name."""
        return {
            "splits": len(self.splits),
            "queries": sum(split.queries for split in self.splits),
            "corpus": sum(split.corpus for split in self.splits),
            "qrels": sum(split.qrels for split in self.splits),
        }

    @property
    def languages(self) -> list[str]:
        """The codes of the splits, each once, in order."""
        return list(dict.fromkeys(code for split in self.splits if (code := split.metadata["language"])))

    @property
    def sources(self) -> list[Mapping[str, Any]]:
        """Every source, each once."""
        told = [split.metadata["source"] for split in self.splits]
        return list({(source["path"], source["revision"]): source for source in told}.values())

    @property
    def further(self) -> list[str]:
        """The candidate configs beside bm25."""
        return [config for config in self.configs if config not in (*NANO_TABLES, "bm25")]

    @property
    def nanobeir(self) -> bool:
        """Whether sentence-transformers' NanoBEIR evaluators know every split."""
        return all(split.name in NANOBEIR_SPLITS for split in self.splits)

    @property
    def nanobeir_names(self) -> list[str]:
        """What those evaluators call the splits."""
        return [split.name.removeprefix("Nano").lower() for split in self.splits]

    @property
    def skipped(self) -> list[Mapping[str, str]]:
        """Splits of the recipe that have nothing usable: split, source_task, reason."""
        return list(self.manifest.facts.get("skipped") or ())

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

    @property
    def ledger(self) -> Ledger:
        """The account of every row, all splits together; DataError where it does not add up."""
        return Ledger.from_json(self.manifest.ledger)

    @property
    def conflicts(self) -> int:
        """Notes of the splits' ledgers: judgements that conflicted or were left out."""
        entries = [entry for split in self.splits for entry in Ledger.from_json(split.metadata["ledger"]).entries]
        return sum(len(entry.notes) for entry in entries if entry.stage == "judgements")

    @property
    def published(self) -> tuple[list[str], list[tuple[str, list[tuple[Any, Any]]]]]:
        """Names of the published numbers, and for each split (published, here) of each; None where there is none."""
        tables = {str(table["name"]): table.get("published") or {} for table in self.recipe.get("split", ())}
        names = list(dict.fromkeys(name for split in self.splits for name in tables.get(split.name, {})))
        rows = [
            (split.name, [(tables[split.name].get(name), split.built.get(name)) for name in names])
            for split in self.splits
            if tables.get(split.name)
        ]
        return names, rows

    @cached_property
    def scores(self) -> list[tuple[str, dict[str, dict[str, Estimate]]]]:
        """(split, system -> measure -> mean) for each split that systems were measured on, as first found."""
        if self.changed:
            return []
        found: dict[str, dict[str, dict[str, Estimate]]] = {split.name: {} for split in self.splits}
        for report in find_reports(self.folder, self.results):
            for system in report.systems if report.split in found else ():
                found[report.split].setdefault(system.system, dict(system.measures))
        return [(split, systems) for split, systems in found.items() if systems]


def nano_facts(folder: Path, results: Sequence[Path] = (), *, reading: Reading | None = None) -> NanoFacts:
    """Read a Nano folder once and say what its card tells.

    Args:
        folder: the built folder.
        results: further folders with a folder of results a split, beside the folder's own `results/`.
        reading: of the folder as it is, where it was read already.
    """
    manifest = read_manifest(folder)
    there = {table.rpartition("/")[0] for table in data_tables(folder)}
    wanted = [*NANO_TABLES, "bm25", *(str(table["name"]) for table in manifest.recipe.get("candidates") or ())]
    configs = tuple(config for config in wanted if config in there)
    names = [
        str(table["name"])
        for table in manifest.recipe.get("split", ())
        if (folder / f"metadata/{table['name']}.json").is_file()
    ]
    if not names:
        raise DataError("holds no split", where=f"{folder}/metadata", fix="build the folder again")
    reading = read_folder(folder) if reading is None else reading
    return NanoFacts(
        manifest=manifest,
        splits=tuple(_split(folder, name, reading) for name in names),
        configs=configs,
        digest=reading.digest,
        results=tuple(results),
        folder=folder,
    )


def _split(folder: Path, name: str, reading: Reading) -> SplitFacts:
    files = {config: [f"{config}/{name}.parquet"] for config in NANO_TABLES}
    return SplitFacts(
        name=name,
        metadata=read_json(folder / f"metadata/{name}.json"),
        queries=row_count(folder, files["queries"]),
        corpus=row_count(folder, files["corpus"]),
        qrels=row_count(folder, files["qrels"]),
        query_lengths=reading.texts(f"queries/{name}", "text").statistics(),
        document_lengths=reading.texts(f"corpus/{name}", "text").statistics(),
    )
