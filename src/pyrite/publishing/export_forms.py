"""What each form of an export is: which files of a unit, and what of it they cannot hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pyrite.core import Candidates, Collection, DataError
from pyrite.formats import (
    write_beir,
    write_nano_split,
    write_published,
    write_trec_collection,
    write_trec_run,
)
from pyrite.publishing.export_units import ExportUnit

Rank = Callable[[Collection], Candidates]
"""Makes the candidates that a form needs and a folder lacks."""


@dataclass
class Written:
    """What was written of all units so far.

    Attributes:
        languages: unit -> ISO 639 code. splits: of the qrels, as they first occurred.
        configs: config -> split -> files, for a form whose tables `datasets` loads.
        counts: queries, corpus, qrels. lost: sentences on what the form cannot hold.
    """

    languages: dict[str, str] = field(default_factory=dict)
    splits: list[str] = field(default_factory=list)
    configs: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: {"queries": 0, "corpus": 0, "qrels": 0})
    lost: list[str] = field(default_factory=list)

    def add(self, unit: ExportUnit) -> None:
        """Count a unit."""
        self.languages[unit.name] = unit.first.language
        self.splits += [split for split in unit.collections if split not in self.splits]
        self.counts["queries"] += len(unit.queries)
        self.counts["corpus"] += len(unit.first.corpus)
        self.counts["qrels"] += sum(len(one.qrels) for one in unit.collections.values())

    def lose(self, sentence: str) -> None:
        """Say once what is lost."""
        if sentence not in self.lost:
            self.lost.append(sentence)


def beir_unit(unit: ExportUnit, folder: Path, written: Written, rank: Rank | None) -> None:
    """corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv; of several units each in a folder of its own."""
    del written, rank
    for split, collection in unit.collections.items():
        write_beir(folder, replace(collection, queries=unit.queries), split=split)


def trec_unit(unit: ExportUnit, folder: Path, written: Written, rank: Rank | None) -> None:
    """docs.trec, topics.SPLIT.trec, qrels.SPLIT.txt, and the runs of results."""
    del written, rank
    for split, collection in unit.collections.items():
        write_trec_collection(folder, collection, split=split)
    for name, run in unit.runs.items():
        (folder / "runs").mkdir(exist_ok=True)
        plain = re.sub(r"[^\w.=,-]+", "-", name)
        write_trec_run(folder / "runs" / f"{plain}.trec", run)


def mteb_unit(unit: ExportUnit, folder: Path, written: Written, rank: Rank | None) -> None:
    """Tables in configs that MTEB loads by their names; of several units each with a prefix."""
    del rank
    qrels = {split: collection.qrels for split, collection in unit.collections.items()}
    prefix = unit.name
    written.configs |= write_published(folder, unit.first.corpus, unit.queries, qrels, prefix=prefix)
    if unit.first.corpus.titles is not None:
        written.lose("MTEB joins title and text with a space, whatever the dataset's own template is.")
    if unit.first.headline_queries is not None:
        written.lose("MTEB measures every query, not the headline protocol.")


def hakari_unit(unit: ExportUnit, folder: Path, written: Written, rank: Rank | None) -> None:
    """CONFIG/SPLIT.parquet with candidates, as HAKARI-Bench and the Nano evaluators read them."""
    # Named anew below, as the splits that the tables have.
    del written.languages[unit.name]
    for split, collection in unit.collections.items():
        name = hakari_split(unit.name or split)
        candidates = unit.candidates or _ranked(collection, name, rank)
        written.languages[name] = collection.language
        metadata: Mapping[str, Any] = unit.metadata or {"name": name, "language": collection.language}
        graded = unit.graded if unit.graded is not None else collection.qrels
        named = replace(collection, name=name)
        for path in write_nano_split(folder, named, candidates=candidates, graded=graded, metadata=metadata):
            config, _, file = path.relative_to(folder).as_posix().partition("/")
            if config not in ("metadata", "provenance"):
                written.configs.setdefault(config, {})[name] = [f"{config}/{file}"]
        if np.any(collection.qrels.relevance != 1):
            written.lose("The qrels hold positives without a grade; every grade is in provenance/qrels.")
        if collection.corpus.titles is not None:
            written.lose("Title and text are one text, joined by the dataset's template.")
        if collection.headline_queries is not None:
            written.lose("Every query counts, not the headline protocol.")


def hakari_split(split: str) -> str:
    """A split's name as `datasets` takes it, which a hyphen or a slash is not in.

    >>> hakari_split("ja-dev"), hakari_split("v1.1")
    ('ja_dev', 'v1.1')
    """
    return re.sub(r"\.{2,}|^\.|\.$", "_", re.sub(r"[^\w.]+", "_", split))


def _ranked(collection: Collection, name: str, rank: Rank | None) -> dict[str, Candidates]:
    if rank is None:
        raise DataError("has no candidates for rerankers", where=f"split '{name}'", fix="build a Nano dataset of it")
    return {"bm25": rank(collection)}
