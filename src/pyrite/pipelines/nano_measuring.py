"""What `[evaluate]` of a Nano recipe names, measured on every split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pyrite.engine import Engine, digest_of
from pyrite.formats import write_report
from pyrite.pipelines.evaluating import Evaluated, evaluate_systems
from pyrite.pipelines.nano_candidates import ChosenSplit
from pyrite.pipelines.recipe_nano import NanoRecipe
from pyrite.pipelines.searching import Dataset, loaded, search_dataset


def measure_splits(
    recipe: NanoRecipe, base: Path, splits: Sequence[ChosenSplit], folder: Path, engine: Engine
) -> Evaluated | None:
    """A report a split in results/SPLIT, as anyone would get who reads the folder; the last one is returned."""
    if recipe.evaluate is None:
        return None
    evaluated = None
    for split in splits:
        dataset = Dataset(folder, split.name, digest_of(split.done.digest, split.name))
        evaluated = evaluate_systems(
            loaded(dataset),
            recipe.evaluate.forms(),
            partial(search_dataset, dataset, engine=engine),
            protocol=recipe.evaluate.protocol(),
            base=base,
        )
        evaluated = replace(evaluated, report=replace(evaluated.report, split=split.name))
        write_report(folder / "results" / split.name, evaluated.report)
    return evaluated
