"""What was decided on an audit is done to a copy of the dataset; the dataset itself is never touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.auditing import Remedies, Remedy, clean, remedies_of
from pyrite.core import DataError, Ledger, RecipeError, TextPairs
from pyrite.engine import atomic_folder
from pyrite.formats import Manifest, Review, read_review
from pyrite.pipelines.auditing import REVIEW_FILE, Audited, logits_of, scorer_of
from pyrite.pipelines.auditing_copy import Cleaning, copy_benchmark, copy_collection
from pyrite.pipelines.auditing_copy_mined import copy_mined
from pyrite.pipelines.auditing_copy_nano import copy_nano
from pyrite.pipelines.auditing_sources import Opened, open_dataset
from pyrite.publishing import refuse_another_build
from pyrite.sources import fetch


@dataclass(frozen=True)
class Applied:
    """A cleaned copy.

    Attributes:
        folder: where it is. manifest: what is in it, and what was done to get there.
        ledger: of the decisions and of what they did.
    """

    folder: Path
    manifest: Manifest
    ledger: Ledger


def apply_audit(audited: Audited, dataset: str, *, out: str | Path, remedy: Remedy, judge: str = "") -> Applied:
    """Write a copy of a dataset in which every decision on its audit is carried out; whole or not at all.

    Decisions are those of review.jsonl beside the queue, else those of the rules; see `auditing.remedies_of`. A
    benchmark, a Nano split or any other collection has judgements added and texts taken out; a mined set is selected
    again from its own scored pairs, with what is relevant no longer a negative. Ids and order stay, results of
    measuring do not come along, and the card says what changed.

    Args:
        audited: of the dataset, as it still is.
        dataset: the same folder or id as was audited.
        out: the folder to make; an earlier copy of the same dataset there is replaced.
        remedy: the rules.
        judge: a scorer's short form, whose logits `remedy.relevant_at` is a threshold of; "": the audit's own teacher.

    Raises:
        RecipeError: nothing is decided, or a path is wrong. DataError: the dataset is another one than was audited,
            or nothing would be left.
    """
    folder, target = fetch(dataset, split=audited.told["split"] or None), Path(out)
    if target.resolve() == folder.resolve() or target.resolve().is_relative_to(folder.resolve()):
        raise RecipeError("lies in the dataset that is read", where=str(target), fix="choose another --copy")
    if target.resolve() == audited.folder.resolve():
        raise RecipeError("is the folder of the audit", where=str(target), fix="choose another --copy")
    opened = open_dataset(folder, audited.told["split"] or None)
    if opened.digest != audited.told["digest"]:
        raise DataError("is not the dataset that was audited: its tables differ", where=dataset, fix="audit again")
    reviews = read_review(audited.folder / REVIEW_FILE)
    judged = _judged(opened, audited.queue, judge) if judge else None
    remedies = remedies_of(audited.queue, reviews, remedy, judged=judged)
    if not remedies.any:
        raise DataError(
            f"the decisions on {len(audited.queue):,} items change nothing",
            where=str(audited.folder),
            fix="review more of them, or give another rule",
        )
    refuse_another_build(target, kind=opened.kind, name=target.resolve().name)
    told = _told(audited, reviews, remedy, judge)
    with atomic_folder(target) as fresh:
        manifest = _copy(opened, remedies, told, fresh, target.resolve().name)
    entries = Ledger.from_json(manifest.ledger).entries
    return Applied(target, manifest, Ledger(tuple(one for one in entries if one.stage.startswith("audit: "))))


def _copy(opened: Opened, remedies: Remedies, told: dict[str, Any], fresh: Path, name: str) -> Manifest:
    assert remedies.entry is not None
    if opened.mined is not None:
        return copy_mined(opened, remedies, told, fresh, name)
    work = Cleaning(opened, clean(opened.collection, remedies), remedies.entry, told, name)
    return {"nano": copy_nano, "benchmark": copy_benchmark}.get(opened.kind, copy_collection)(work, fresh)


def _told(audited: Audited, reviews: Mapping[str, Review], remedy: Remedy, judge: str) -> dict[str, Any]:
    """What the copy's manifest says of its audit."""
    held = audited.told
    return {
        "of": held["name"],
        "digest": held["digest"],
        "split": held["split"],
        "systems": held["systems"],
        "teacher": held["teacher"],
        "against": held["against"],
        "items": held["counts"]["items"],
        "reviewed": sum(item in reviews for item in audited.queue["item"].to_pylist()),
        "judge": judge or None,
        "rules": remedy.to_json(),
    }


def _judged(opened: Opened, queue: pa.Table, judge: str) -> dict[tuple[str, str], float]:
    """The judge's logit of every pair of the queue that it has one for."""
    pairs = [
        (row["query-id"], row["corpus-id"])
        for row in queue.select(["kind", "query-id", "corpus-id"]).to_pylist()
        if row["kind"] in ("false negative", "near-duplicate")
    ]
    if not pairs:
        return {}
    query, document = zip(*pairs, strict=True)
    queries, corpus = opened.collection.queries, opened.collection.corpus
    asked = TextPairs(
        queries,
        corpus,
        queries.positions(pa.array(query, pa.large_string())),
        corpus.positions(pa.array(document, pa.large_string())),
    )
    logits = logits_of(scorer_of(judge), asked).tolist()
    return {pair: logit for pair, logit in zip(pairs, logits, strict=True) if not np.isnan(logit)}
