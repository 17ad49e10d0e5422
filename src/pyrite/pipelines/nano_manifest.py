"""What a Nano folder says of itself: the metadata of each split, the manifest, HAKARI's description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pyrite.core import Ledger, LedgerEntry
from pyrite.formats import HakariDataset, Manifest
from pyrite.pipelines.expecting import versions
from pyrite.pipelines.nano_candidates import ChosenSplit, RankedConfig
from pyrite.pipelines.nano_choosing import Outcome
from pyrite.pipelines.recipe_nano import NanoRecipe

COUNTS = ("queries", "corpus", "qrels")


def split_metadata(recipe: NanoRecipe, split: ChosenSplit, ranked: Mapping[str, RankedConfig]) -> dict[str, Any]:
    """What metadata/SPLIT.json says: where the split is from, how it was chosen, and what was forced where."""
    outcome, facts = split.outcome, split.done.facts
    choice = outcome.choice
    return {
        "schema": 1,
        "name": split.name,
        "language": split.language,
        "language_from": "recipe" if outcome.language else "queries" if split.language else "",
        "source": {**outcome.source, "task": split.table.source_task or split.name},
        "query_split": {
            "requested": choice.requested,
            "used": choice.used,
            "refused": [{"split": name, "reason": reason} for name, reason in choice.refused],
        },
        "rules": recipe.nano.model_dump(mode="json"),
        "counts": {name.replace(" ", "_"): number for name, number in facts["counts"].items()},
        "candidates": {name: dict(one.facts) for name, one in ranked.items()},
        "ledger": facts["ledger"],
    }


def nano_manifest(
    recipe: NanoRecipe, splits: Sequence[ChosenSplit], bm25: Sequence[RankedConfig], skipped: Sequence[Outcome]
) -> Manifest:
    """The manifest, before its folder is sealed.

    Args:
        recipe: whole.
        splits: that were made; `bm25` is aligned with them.
        skipped: those with nothing usable.
    """
    languages = list(dict.fromkeys(split.language for split in splits))
    return Manifest(
        kind=recipe.kind,
        name=recipe.name,
        language=languages[0] if len(languages) == 1 else "",
        recipe=recipe.model_dump(mode="json"),
        versions=versions(),
        protocol={"headline_queries": None, "remove_self": False, "template": recipe.nano.template},
        counts={"splits": len(splits), **totals(splits)},
        ledger=_together(splits).to_json(),
        sources={
            split.name: {**split.outcome.source, "rows": split.done.facts["source_documents"]} for split in splits
        },
        published=_published(splits, bm25),
        facts={
            "skipped": [
                {
                    "split": outcome.table.name,
                    "source_task": outcome.table.source_task,
                    "reason": outcome.choice.reason,
                }
                for outcome in skipped
            ],
        },
    )


def totals(splits: Sequence[ChosenSplit]) -> dict[str, int]:
    """Queries, corpus and qrels of all splits together."""
    return {name: sum(int(split.done.facts["counts"][name]) for split in splits) for name in COUNTS}


def _published(splits: Sequence[ChosenSplit], bm25: Sequence[RankedConfig]) -> list[dict[str, Any]]:
    rows = []
    for split, ranked in zip(splits, bm25, strict=True):
        forced = {"forced": ranked.candidates.forced_count}
        ours = {**split.done.facts["counts"], **forced, **ranked.facts["measures"]}
        rows += [
            {"name": f"{split.name}: {key}", "published": value, "built": ours.get(key)}
            for key, value in split.table.published.items()
        ]
    return rows


def _together(splits: Sequence[ChosenSplit]) -> Ledger:
    """The account of all splits, stage by stage; metadata/SPLIT.json has the notes, with their ids."""
    stages: dict[tuple[str, str], list[LedgerEntry]] = {}
    for split in splits:
        for entry in Ledger.from_json(split.done.facts["ledger"]).entries:
            stages.setdefault((entry.stage, entry.unit), []).append(entry)
    return Ledger(tuple(_sum(stage, unit, entries) for (stage, unit), entries in stages.items()))


def _sum(stage: str, unit: str, entries: Sequence[LedgerEntry]) -> LedgerEntry:
    dropped: Counter[str] = Counter()
    for entry in entries:
        dropped.update(entry.dropped)
    rows_in, rows_out = sum(entry.rows_in for entry in entries), sum(entry.rows_out for entry in entries)
    return LedgerEntry(stage, unit, rows_in, rows_out, dict(dropped))


def hakari_dataset(recipe: NanoRecipe, splits: Sequence[ChosenSplit]) -> HakariDataset:
    """The dataset as HAKARI-Bench is told of it."""
    return HakariDataset(
        name=recipe.name,
        dataset_id=recipe.dataset_id or recipe.name,
        splits={split.name: split.language for split in splits},
        description=recipe.card.summary or f"{recipe.name}, a Nano retrieval benchmark of {len(splits)} splits.",
    )
