"""An audit: a dataset is searched and scored, what is suspicious becomes a review queue, and all is accounted for."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.auditing import (
    AuditRules,
    Leak,
    Ranked,
    Sightings,
    Suspects,
    audit_counts,
    queue_of,
    suspect,
)
from pyrite.core import DataError, Ledger, LedgerEntry, RecipeError, Scorer, TextPairs
from pyrite.engine import Engine, Progress, atomic_file, digest_file
from pyrite.formats import DataWarning, read_json, read_queue, read_scores, write_queue
from pyrite.mining import checked_logits, coarse_labels
from pyrite.pipelines.auditing_leaks import Other, leaks_of
from pyrite.pipelines.auditing_near import near_pairs
from pyrite.pipelines.auditing_sources import Opened, first_queries, only_candidates, open_dataset, sight_opened
from pyrite.pipelines.build import default_work
from pyrite.pipelines.searching import Search, distinct_names, search_collection, search_dataset
from pyrite.retrieval import GivenScores, make_scorer, matched_logits, parse_system, progress_to
from pyrite.sources import fetch

SCHEMA = 1
AUDIT, QUEUE_FILE, REVIEW_FILE = "audit.json", "queue.parquet", "review.jsonl"


@dataclass(frozen=True)
class AuditRequest:
    """What is to be audited, and by whom.

    Attributes:
        dataset: a folder, BEIR zip, hub id or ir_datasets id; or the folder of a mined set.
        systems: short forms. teacher: a short form, or "" for none (of a mined set: its own).
        split: the one that is audited, where there are several.
        other: what is looked for in it, or None.
        rules: when something is suspicious.
        queries: only the first so many are audited; None: all.
    """

    dataset: str
    systems: tuple[str, ...] = ()
    teacher: str = ""
    split: str | None = None
    other: Other | None = None
    rules: AuditRules = field(default_factory=AuditRules)
    queries: int | None = None


@dataclass(frozen=True, eq=False)
class Audited:
    """A finished audit.

    Attributes:
        folder: with queue.parquet, audit.json and, once somebody decides, review.jsonl.
        told: what audit.json says. queue: the queue.
    """

    folder: Path
    told: Mapping[str, Any]
    queue: pa.Table


def audit(
    request: AuditRequest, *, out: str | Path, work: str | Path | None = None, progress: Progress | None = None
) -> Audited:
    """Look for likely false negatives, near-duplicates of positives, ambiguous queries and leaks; see `AuditRules`.

    The dataset is only read. The same request on the same data gives the same bytes; decisions that lie in `out` stay.

    Args:
        request: what is audited.
        out: the folder to write, outside the dataset; an earlier audit of the same dataset there is replaced.
        work: where finished searches are kept for a resume; default: a folder of the user's cache.
        progress: who is told how far it is.

    Raises:
        RecipeError: a system, a rule or a path is wrong. DataError: the data are damaged.
    """
    # What is wrong is told before anything is searched.
    teacher = scorer_of(request.teacher) if request.teacher else None
    for system in request.systems:
        parse_system(system)
    folder = fetch(request.dataset, split=request.split)
    target = Path(out)
    _refuse_target(target, request, folder)
    whole = open_dataset(folder, request.split)
    opened = whole if request.queries is None else first_queries(whole, request.queries)
    near, notes = near_pairs(opened.collection, request.rules.near)
    near = only_candidates(opened, near)
    seen = sight_opened(opened, _search(opened, request, work, progress), near)
    if teacher is not None:
        with progress_to(progress):
            logits = logits_of(teacher, seen.text_pairs())
        seen = seen.with_logits(logits)
        notes = (*notes, *_unscored(teacher.name, seen), *coarse_labels(seen.logit[seen.scored]))
    suspects = suspect(seen, near, request.rules)
    leaks = leaks_of(opened.collection, request.other) if request.other is not None else []
    told = _told(opened, request, suspects, leaks)
    told["notes"] = [*_left_out(opened, whole), *told["notes"], *notes]
    return _written(target, told, queue_of(suspects, leaks))


def _left_out(opened: Opened, whole: Opened) -> list[str]:
    here, there = len(opened.collection.queries), len(whole.collection.queries)
    return [f"Only the first {here:,} of {there:,} queries were looked at."] if here < there else []


def _search(opened: Opened, request: AuditRequest, work: str | Path | None, progress: Progress | None) -> list[Ranked]:
    searches = [Search(system, request.queries, request.rules.depth) for system in request.systems]
    if not searches:
        return []
    with progress_to(progress):
        if opened.mined is not None:
            found = [search_collection(opened.collection, one) for one in searches]
        else:
            directory = Path(work) if work is not None else default_work(f"audit-{opened.dataset.digest[:16]}")
            with Engine(directory, progress=progress) as engine:
                found = search_dataset(opened.dataset, searches, engine)
    runs = [one.run for one in distinct_names(found)]
    if opened.collection.remove_self:
        runs = [run.without_self() for run in runs]
    return [Ranked.of(run, opened.collection, depth=request.rules.depth) for run in runs]


def scorer_of(spec: str) -> Scorer:
    """The scorer of a short form; RecipeError where its file is not there."""
    scorer = make_scorer(spec)
    if isinstance(scorer, GivenScores) and not scorer.path.is_file():
        raise RecipeError("there is no such file", where=str(scorer.path), fix="check the path")
    return scorer


def logits_of(scorer: Scorer, pairs: TextPairs) -> NDArray[np.float32]:
    """The logit of every pair, float32; of a file NaN for a pair that it lacks, and a DataError where it has none."""
    if not isinstance(scorer, GivenScores):
        return checked_logits(scorer.score(pairs), pairs, teacher=scorer.name)
    held = read_scores(scorer.path)
    known = pairs.queries.positions(held.query_ids), pairs.corpus.positions(held.doc_ids)
    logits = matched_logits(known, held.logits, (pairs.query_positions, pairs.doc_positions))
    if len(logits) and np.isnan(logits).all():
        raise DataError(
            "scores none of the pairs that are looked at",
            where=str(scorer.path),
            fix="give the scores of this dataset's queries and documents, by its ids",
        )
    return logits


def _unscored(teacher: str, seen: Sightings) -> tuple[str, ...]:
    lacking = int((~seen.scored).sum())
    if not lacking:
        return ()
    without = np.ones(len(seen.collection.queries), dtype=np.bool_)
    without[seen.query[seen.scored & seen.positive]] = False
    return (
        f"{teacher} has no logit for {lacking:,} of the {len(seen):,} pairs, nor for any positive of "
        f"{int(without.sum()):,} queries; those are judged by the systems alone.",
    )


def _told(opened: Opened, request: AuditRequest, suspects: Suspects, leaks: Sequence[Leak]) -> dict[str, Any]:
    seen, own = suspects.seen, opened.mined.recipe.teacher.system if opened.mined is not None else None
    teacher = request.teacher or own
    entries: tuple[LedgerEntry, ...] = (suspects.entry(),)
    notes = []
    if teacher is None and len(seen.systems) < request.rules.agree:
        notes.append(
            f"Likely false negatives were not looked for: without a teacher it takes {request.rules.agree} systems."
        )
        warnings.warn(f"{notes[0][:-1]}; name a --teacher, or another --system", DataWarning, stacklevel=3)
    return {
        "schema": SCHEMA,
        "dataset": request.dataset,
        "name": opened.collection.name,
        "kind": opened.kind,
        "split": opened.split,
        "digest": opened.digest,
        "systems": list(seen.systems),
        "teacher": teacher,
        "against": request.other.path if request.other is not None else None,
        "rules": {**vars(request.rules)},
        "counts": audit_counts(suspects, leaks).to_json(),
        "ledger": Ledger(entries).to_json(),
        "notes": notes,
    }


def _refuse_target(target: Path, request: AuditRequest, dataset: Path) -> None:
    if target.resolve().is_relative_to(dataset.resolve()):
        raise RecipeError("lies in the dataset, which would be changed", where=str(target), fix="choose another --out")
    if target.exists() and not target.is_dir():
        raise RecipeError("is a file, not a folder", where=str(target), fix="choose another --out")
    if not target.exists() or not any(target.iterdir()):
        return
    if not (target / AUDIT).is_file():
        raise RecipeError("is a folder with other files in it", where=str(target), fix="choose another --out")
    held = read_json(target / AUDIT)
    # Decisions are kept, so that they must be of the same dataset.
    same = Path(str(held.get("dataset"))).name == Path(request.dataset).name
    if not same or (request.split is not None and held.get("split") != request.split):
        raise RecipeError(
            f"holds the audit of {held.get('dataset')}, split '{held.get('split')}'",
            where=str(target),
            fix="choose another --out",
        )


def _written(folder: Path, told: dict[str, Any], queue: pa.Table) -> Audited:
    # Not as a whole folder: decisions may be written there this moment.
    with atomic_file(folder / QUEUE_FILE) as path:
        write_queue(path, queue)
    told["queue"] = digest_file(folder / QUEUE_FILE)
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)
    with atomic_file(folder / AUDIT) as path:
        path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return Audited(folder, told, queue)


def read_audit(folder: Path) -> Audited:
    """The audit in a folder; DataError where there is none, or its two files are not of one audit."""
    told = read_json(folder / AUDIT)
    if told.get("schema") != SCHEMA:
        raise DataError(
            f"has schema {told.get('schema')!r}, and this version of Pyrite reads {SCHEMA}",
            where=str(folder / AUDIT),
            fix="audit again",
        )
    queue = read_queue(folder / QUEUE_FILE)
    if digest_file(folder / QUEUE_FILE) != told.get("queue"):
        raise DataError("is not the queue of audit.json", where=str(folder / QUEUE_FILE), fix="audit again")
    return Audited(folder, told, queue)
