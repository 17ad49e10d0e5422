"""From source collections to a Nano folder: many small splits with candidates for rerankers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyrite.core import DataError, Ledger
from pyrite.engine import Engine
from pyrite.formats import HakariDataset, Manifest, write_hakari, write_manifest, write_nano_split, write_run
from pyrite.pipelines.evaluating import Evaluated
from pyrite.pipelines.expecting import must_be_as_expected, versions
from pyrite.pipelines.nano_candidates import ChosenSplit, RankedConfig, bm25_configs, further_configs
from pyrite.pipelines.nano_choosing import Outcome, choose_splits
from pyrite.pipelines.nano_measuring import measure_splits
from pyrite.pipelines.nano_stages import Held
from pyrite.pipelines.recipe import LoadedRecipe
from pyrite.pipelines.recipe_nano import NanoRecipe


def nano_folder(loaded: LoadedRecipe, folder: Path, engine: Engine) -> tuple[Manifest, Evaluated | None]:
    """Fill a folder with the Nano dataset of a recipe, and measure what `[evaluate]` names on each split."""
    recipe = loaded.recipe
    assert isinstance(recipe, NanoRecipe)
    outcomes = choose_splits(recipe, loaded.base, engine)
    made = [outcome for outcome in outcomes if outcome.done is not None]
    if not made:
        raise DataError(
            f"no split has a usable query split ({made_of_none(outcomes)})",
            where=f"recipe '{recipe.name}'",
            fix="check the source, its columns and query_split",
        )
    splits = [_chosen(outcome) for outcome in made]
    _must_be_as_expected(recipe, made, outcomes)
    configs = _candidates(recipe, splits, loaded.base, engine)
    for place, (outcome, split) in enumerate(zip(made, splits, strict=True)):
        ranked = {name: own[place] for name, own in configs.items()}
        write_nano_split(
            folder,
            split.held.collection,
            candidates={name: one.candidates for name, one in ranked.items()},
            graded=split.held.graded,
            metadata=split_metadata(recipe, outcome, ranked),
        )
        for name, one in ranked.items():
            path = folder / "provenance" / "runs" / name / f"{split.name}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_run(path, one.raw)
    write_hakari(folder / "hakari.yaml", _hakari(recipe, splits))
    manifest = _manifest(recipe, outcomes, [ranked["bm25"] for ranked in _by_split(configs, len(splits))])
    write_manifest(folder / "manifest.json", manifest)
    evaluated = measure_splits(recipe, splits, folder, engine) if recipe.evaluate is not None else None
    return manifest, evaluated


def made_of_none(outcomes: Sequence[Outcome]) -> str:
    """Why each split is skipped, the first three in words."""
    told = [f"{outcome.table.name}: {_reason(outcome)}" for outcome in outcomes]
    return ", ".join(told[:3]) + (f" and {len(told) - 3} more" if len(told) > 3 else "")


def _reason(outcome: Outcome) -> str:
    tried = [f"{split}: {why}" if split else why for split, why in outcome.choice.refused]
    return "; ".join(tried)


def _chosen(outcome: Outcome) -> ChosenSplit:
    assert outcome.done is not None
    held = Held.read(outcome.done.path, outcome.table.name, outcome.language)
    return ChosenSplit(outcome.table, outcome.language, outcome.done, held)


def _must_be_as_expected(recipe: NanoRecipe, made: Sequence[Outcome], outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        counts = outcome.done.facts["counts"] if outcome.done is not None else dict.fromkeys(COUNTS, 0)
        must_be_as_expected(outcome.table.expect, counts, f"{recipe.name}, split {outcome.table.name}")
    must_be_as_expected(recipe.expect, {"splits": len(made), **_totals(made)}, recipe.name)


COUNTS = ("queries", "corpus", "qrels")


def _totals(made: Sequence[Outcome]) -> dict[str, int]:
    facts = [outcome.done.facts["counts"] for outcome in made if outcome.done is not None]
    return {name: sum(int(counts[name]) for counts in facts) for name in COUNTS}


def _candidates(
    recipe: NanoRecipe, splits: Sequence[ChosenSplit], base: Path, engine: Engine
) -> dict[str, list[RankedConfig]]:
    configs = {"bm25": bm25_configs(splits, recipe.bm25, engine)}
    for table in recipe.candidates:
        configs[table.name] = further_configs(splits, table, configs, base, engine)
    return configs


def _by_split(configs: Mapping[str, Sequence[RankedConfig]], count: int) -> list[dict[str, RankedConfig]]:
    return [{name: own[place] for name, own in configs.items()} for place in range(count)]


def split_metadata(recipe: NanoRecipe, outcome: Outcome, ranked: Mapping[str, RankedConfig]) -> dict[str, Any]:
    """What metadata/SPLIT.json says: where the split is from, how it was chosen, and what was forced where."""
    assert outcome.done is not None
    facts, choice = outcome.done.facts, outcome.choice
    counts = {name.replace(" ", "_"): number for name, number in facts["counts"].items()}
    return {
        "schema": 1,
        "name": outcome.table.name,
        "language": outcome.language,
        "source": {**outcome.source, "task": outcome.table.source_task or outcome.table.name},
        "query_split": {
            "requested": choice.requested,
            "used": choice.used,
            "refused": [{"split": split, "reason": reason} for split, reason in choice.refused],
        },
        "rules": recipe.nano.model_dump(mode="json"),
        "counts": counts,
        "candidates": {name: dict(one.facts) for name, one in ranked.items()},
        "ledger": facts["ledger"],
    }


def _manifest(recipe: NanoRecipe, outcomes: Sequence[Outcome], bm25: Sequence[RankedConfig]) -> Manifest:
    made = [outcome for outcome in outcomes if outcome.done is not None]
    languages = list(dict.fromkeys(outcome.language for outcome in made))
    ledger: list[dict[str, object]] = []
    published: list[dict[str, Any]] = []
    for outcome, ranked in zip(made, bm25, strict=True):
        assert outcome.done is not None
        name, counts = outcome.table.name, outcome.done.facts["counts"]
        entries = Ledger.from_json(outcome.done.facts["ledger"]).entries
        ledger += Ledger(tuple(replace(entry, stage=f"{name}: {entry.stage}") for entry in entries)).to_json()
        ours = {**counts, "forced": ranked.candidates.forced_count, **ranked.facts["measures"]}
        published += [
            {"name": f"{name}: {key}", "published": value, "built": ours.get(key)}
            for key, value in outcome.table.published.items()
        ]
    return Manifest(
        kind=recipe.kind,
        name=recipe.name,
        language=languages[0] if len(languages) == 1 else "",
        recipe=recipe.model_dump(mode="json"),
        versions=versions(),
        protocol={"headline_queries": None, "remove_self": False, "template": recipe.nano.template},
        counts={"splits": len(made), **_totals(made)},
        ledger=ledger,
        sources={
            outcome.table.name: {**outcome.source, "rows": outcome.done.facts["source_documents"]}
            for outcome in made
            if outcome.done is not None
        },
        published=published,
        facts={
            "skipped": [
                {
                    "split": outcome.table.name,
                    "source_task": outcome.table.source_task,
                    "reason": _reason(outcome),
                }
                for outcome in outcomes
                if outcome.done is None
            ],
        },
    )


def _hakari(recipe: NanoRecipe, splits: Sequence[ChosenSplit]) -> HakariDataset:
    return HakariDataset(
        name=recipe.name,
        dataset_id=recipe.dataset_id or recipe.name,
        splits={split.name: split.language for split in splits},
        description=recipe.card.summary or f"{recipe.name}, a Nano retrieval benchmark of {len(splits)} splits.",
    )
