"""From source collections to a Nano folder: many small splits with candidates for rerankers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyrite.core import DataError, RecipeError
from pyrite.engine import Engine
from pyrite.formats import Manifest, write_hakari, write_manifest, write_nano_split, write_run
from pyrite.pipelines.evaluating import Evaluated
from pyrite.pipelines.expecting import must_be_as_expected
from pyrite.pipelines.nano_candidates import ChosenSplit, RankedConfig, bm25_configs, chosen_split, further_configs
from pyrite.pipelines.nano_choosing import Outcome, choose_splits
from pyrite.pipelines.nano_manifest import COUNTS, hakari_dataset, nano_manifest, split_metadata, totals
from pyrite.pipelines.nano_measuring import measure_splits
from pyrite.pipelines.recipe import LoadedRecipe
from pyrite.pipelines.recipe_nano import NanoRecipe
from pyrite.retrieval import analyzer_for


def nano_folder(loaded: LoadedRecipe, folder: Path, engine: Engine) -> tuple[Manifest, Evaluated | None]:
    """Fill a folder with the Nano dataset of a recipe, and measure what `[evaluate]` names on each split."""
    recipe = loaded.recipe
    assert isinstance(recipe, NanoRecipe)
    _must_know_the_analyzers(recipe)
    outcomes = choose_splits(recipe, loaded.base, engine)
    splits = [chosen_split(outcome) for outcome in outcomes if outcome.done is not None]
    skipped = [outcome for outcome in outcomes if outcome.done is None]
    if not splits:
        raise DataError(
            f"no split has a usable query split ({_told(skipped)})",
            where=f"recipe '{recipe.name}'",
            fix="check the source, its columns and query_split",
        )
    _must_be_as_expected(recipe, splits, skipped)
    configs = {"bm25": bm25_configs(splits, recipe.bm25, engine)}
    for table in recipe.candidates:
        configs[table.name] = further_configs(splits, table, configs, loaded.base, engine)
    for place, split in enumerate(splits):
        _write(recipe, split, {name: own[place] for name, own in configs.items()}, folder)
    write_hakari(folder / "hakari.yaml", hakari_dataset(recipe, splits))
    manifest = nano_manifest(recipe, splits, configs["bm25"], skipped)
    # Before the measuring, which reads the folder as anyone would.
    write_manifest(folder / "manifest.json", manifest)
    return manifest, measure_splits(recipe, loaded.base, splits, folder, engine)


def _must_know_the_analyzers(recipe: NanoRecipe) -> None:
    """An unknown language or a missing package is told in the first second; "auto" may have to wait for the queries."""
    for split in recipe.split:
        language = split.language or recipe.language
        if split.analyzer == "auto" and not language:
            continue
        try:
            analyzer_for(split.analyzer, language=language)
        except RecipeError as error:
            raise RecipeError(error.what, where=f"split '{split.name}'", fix=error.fix) from error


def _told(skipped: Sequence[Outcome]) -> str:
    """Why each split is skipped, the first three in words."""
    told = [f"{outcome.table.name}: {outcome.choice.reason}" for outcome in skipped]
    return ", ".join(told[:3]) + (f" and {len(told) - 3} more" if len(told) > 3 else "")


def _must_be_as_expected(recipe: NanoRecipe, splits: Sequence[ChosenSplit], skipped: Sequence[Outcome]) -> None:
    for outcome in skipped:
        must_be_as_expected(
            outcome.table.expect, dict.fromkeys(COUNTS, 0), f"{recipe.name}, split {outcome.table.name}"
        )
    for split in splits:
        must_be_as_expected(split.table.expect, split.done.facts["counts"], f"{recipe.name}, split {split.name}")
    must_be_as_expected(recipe.expect, {"splits": len(splits), **totals(splits)}, recipe.name)


def _write(recipe: NanoRecipe, split: ChosenSplit, ranked: dict[str, RankedConfig], folder: Path) -> None:
    write_nano_split(
        folder,
        split.held.collection,
        candidates={name: one.candidates for name, one in ranked.items()},
        graded=split.held.graded,
        metadata=split_metadata(recipe, split, ranked),
    )
    for name, one in ranked.items():
        path = folder / "provenance" / "runs" / name / f"{split.name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_run(path, one.raw)
