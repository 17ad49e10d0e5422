"""A mined set selected again by other rules, from its own provenance: no source is read and no model is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, Ledger, LedgerEntry, Pool, RecipeError
from pyrite.engine import atomic_folder
from pyrite.formats import Manifest, StoredPool, read_manifest, read_pool
from pyrite.mining import KnownPositives
from pyrite.pipelines.build import Built, finish_build
from pyrite.pipelines.recipe import load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training import DECIDED, EARLY, UPSTREAM, finish_folder
from pyrite.pipelines.training_selecting import mine_pool
from pyrite.publishing import refuse_another_build

TABLES = ("select", "filter")
"""What of a recipe may be changed without scoring anything."""


def refilter(dataset: str | Path, *, out: str | Path, overrides: Sequence[str] = ()) -> Built:
    """Select again from the scored pairs of a mined set; the same bytes as a build with these rules.

    Args:
        dataset: the folder of a mined set, with its provenance.
        out: the folder to make.
        overrides: "select.absolute_margin=3" and the like: keys of `[select]` and `[filter]`.

    Raises:
        RecipeError: an override is of another table, or cannot be met. DataError: the folder is no mined set, its
            tables are damaged, or the rules need pairs that were never scored; it says how many.
    """
    source, folder = Path(dataset), Path(out)
    manifest = read_manifest(source)
    if manifest.kind != "training":
        raise DataError(f"is of kind '{manifest.kind}', not a mined training set", where=f"{source}/manifest.json")
    for override in overrides:
        if override.partition(".")[0].strip() not in TABLES:
            raise RecipeError(
                f"'{override}' cannot be changed without building again",
                fix=f"change a key of {' or '.join(f'[{name}]' for name in TABLES)}",
            )
    loaded = load_recipe(str(source / "recipe.toml"), overrides)
    recipe = loaded.recipe
    assert isinstance(recipe, TrainingRecipe)
    refuse_another_build(folder, kind=recipe.kind, name=recipe.name)
    if folder.resolve() == source.resolve():
        raise RecipeError("is the folder that is read", where=str(folder), fix="choose another --out")
    stored = read_pool(source / "provenance")
    with atomic_folder(folder) as fresh:
        mined = mine_pool(
            recipe,
            without_logits(stored.pool),
            _placed(stored, manifest),
            StoredLogits(stored.pool),
            found=stored.found,
        )
        finished = finish_build(fresh, loaded, finish_folder(fresh, recipe, upstream_of(manifest), mined))
    return Built(folder, finished, None, {})


@dataclass(frozen=True)
class StoredLogits:
    """The logits that the set was made with."""

    pool: Pool

    def __call__(self, pool: Pool, rows: NDArray[np.int64]) -> NDArray[np.float32]:  # noqa: ARG002 - of the same rows
        """The logits of these rows, of the pool or of one with the same rows."""
        return self.pool.logit[rows]


def without_logits(pool: Pool) -> Pool:
    """The pool before anything was scored."""
    return replace(pool, logit=np.full(len(pool), np.nan, dtype=np.float32))


def _placed(stored: StoredPool, manifest: Manifest) -> KnownPositives:
    entries = {entry.stage: entry for entry in Ledger.from_json(manifest.ledger).entries}
    known = stored.known
    entry = entries.get("pairs", LedgerEntry("pairs", "rows", 0, 0))
    return KnownPositives(known.pairs, known.positions, known.rows, entry.rows_in, entry)


def upstream_of(manifest: Manifest) -> Manifest:
    """What the selection did not decide."""
    return replace(
        manifest,
        counts={name: count for name, count in manifest.counts.items() if name in EARLY},
        ledger=[entry for entry in manifest.ledger if entry["stage"] not in DECIDED],
        facts={name: fact for name, fact in manifest.facts.items() if name in UPSTREAM},
    )
