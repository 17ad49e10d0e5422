"""The cleaned copy of a Nano dataset: one split after its audit, the others as they are."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyrite.core import Collection, Qrels, Run
from pyrite.engine import atomic_file
from pyrite.formats import (
    Manifest,
    read_json,
    read_manifest,
    read_qrels,
    read_run,
    write_nano_split,
    write_run,
)
from pyrite.pipelines.auditing_copy import Cleaning, finish_copy
from pyrite.pipelines.nano_candidates import PLACES, RankedConfig, ranked_config

LEFT_BEHIND = ("results", "README.md", "manifest.json")
"""What is made anew, or was measured on other tables."""


def copy_nano(work: Cleaning, fresh: Path) -> Manifest:
    """Write the copy of a Nano dataset into a folder.

    The raw runs are those of before, without what is gone; candidates are made from them again, with the positives of
    now put in, and measured again.
    """
    source, split = work.opened.folder, work.opened.split
    for path in sorted(source.rglob("*")):
        place = path.relative_to(source)
        if path.is_file() and place.parts[0] not in LEFT_BEHIND and place.stem != split:
            _copy(path, fresh / place)
    metadata = read_json(source / "metadata" / f"{split}.json")
    after = replace(work.cleaned.collection, name=split)
    ranked = {name: _ranked(work, after, name, told) for name, told in metadata["candidates"].items()}
    counts = {"queries": len(after.queries), "corpus": len(after.corpus), "qrels": len(after.qrels)}
    write_nano_split(
        fresh,
        after,
        candidates={name: one.candidates for name, one in ranked.items()},
        graded=_graded(work, after),
        metadata={
            **metadata,
            "counts": {**metadata["counts"], **counts},
            "candidates": {name: dict(one.facts) for name, one in ranked.items()},
            "ledger": work.ledger(metadata["ledger"]),
        },
    )
    for name, one in ranked.items():
        with atomic_file(fresh / "provenance" / "runs" / name / f"{split}.parquet") as path:
            write_run(path, one.raw)
    manifest = read_manifest(source)
    told = work.manifest(manifest, _totals(manifest, metadata["counts"], counts))
    return finish_copy(fresh, told, source)


def _copy(path: Path, target: Path) -> None:
    with atomic_file(target) as fresh:
        shutil.copyfile(path, fresh)


def _totals(manifest: Manifest, before: Mapping[str, Any], after: Mapping[str, int]) -> dict[str, int]:
    return {**manifest.counts, **{name: manifest.counts[name] - int(before[name]) + after[name] for name in after}}


def _ranked(work: Cleaning, after: Collection, name: str, told: Mapping[str, Any]) -> RankedConfig:
    """A config of candidates for what is left, from its raw run."""
    run = read_run(work.opened.folder / "provenance" / "runs" / name / f"{work.opened.split}.parquet")
    kept = {
        query: [(hit.doc_id, hit.score) for hit in run[query] if hit.doc_id not in work.cleaned.documents]
        for query in after.queries.ids.to_pylist()
    }
    place = next(place for place, words in PLACES.items() if words == told["positives"])
    raw = Run.of(str(told["system"]), kept)
    return ranked_config(after, raw, told["settings"], depth=int(told["depth"]), place=place)


def _graded(work: Cleaning, after: Collection) -> Qrels:
    """The source judgements of the queries that are left, and those that the audit added."""
    source = work.opened.folder / "provenance" / "qrels" / f"{work.opened.split}.parquet"
    judged: dict[str, dict[str, int]] = {}
    for query, doc, grade in read_qrels([source]).rows():
        if query in after.queries:
            judged.setdefault(query, {})[doc] = grade
    for query, doc, grade in after.qrels.rows():
        held = judged.setdefault(query, {})
        held[doc] = max(held.get(doc, grade), grade)
    return Qrels.of(judged)
