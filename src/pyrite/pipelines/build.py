"""One recipe in, one dataset folder out; whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyrite.core import Report
from pyrite.engine import Engine, Progress, RayCluster, StageCount, atomic_file, atomic_folder
from pyrite.formats import Manifest
from pyrite.pipelines.asked import must_be_possible
from pyrite.pipelines.benchmark import benchmark_folder
from pyrite.pipelines.evaluating import Evaluated
from pyrite.pipelines.expecting import must_be_as_expected
from pyrite.pipelines.nano import nano_folder
from pyrite.pipelines.recipe import BenchmarkRecipe, LoadedRecipe, load_recipe
from pyrite.pipelines.recipe_nano import NanoRecipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.reports import write_build_page
from pyrite.pipelines.training import training_folder
from pyrite.publishing import content_digest, dataset_licence, refuse_another_build, seal, write_card, write_recipe
from pyrite.retrieval import progress_to

Builder = Callable[[LoadedRecipe, Path, Engine], tuple[Manifest, Evaluated | None]]

BUILDERS: dict[str, Builder] = {"benchmark": benchmark_folder, "nano": nano_folder, "training": training_folder}


@dataclass(frozen=True)
class Built:
    """A finished build.

    Attributes:
        folder: where the dataset is.
        manifest: what is in it, and what was done to get there.
        report: what `[evaluate]` measured, if anything.
        stages: stage -> shards that an earlier run had finished, and shards done now.
    """

    folder: Path
    manifest: Manifest
    report: Report | None
    stages: dict[str, StageCount]


def build(
    recipe: str | Path | LoadedRecipe,
    *,
    out: str | Path | None = None,
    work: str | Path | None = None,
    overrides: Sequence[str] = (),
    workers: int | RayCluster = 1,
    progress: Progress | None = None,
) -> Built:
    """Build the dataset that a recipe describes; run again after a crash, it goes on where it was.

    Args:
        recipe: the name of a shipped recipe, a TOML file, or a recipe that was loaded before.
        out: the folder to make (default: ./NAME); a folder with something else in it is refused, an earlier build
            of the same recipe is replaced when the new one is complete.
        work: where finished shards are kept for a resume (default: a folder of the user's cache).
        overrides: "key=value" settings that replace the recipe's.
        workers: processes here, or a `RayCluster`; the bytes of the result do not depend on it.
        progress: who is told how far it is.

    Raises:
        RecipeError: the recipe or a path is wrong. DataError: the data are, or a count is not as `[expect]` says.
    """
    loaded = recipe if isinstance(recipe, LoadedRecipe) else load_recipe(str(recipe), overrides)
    checked = loaded.recipe
    assert isinstance(checked, BenchmarkRecipe | NanoRecipe | TrainingRecipe)
    # A licence or a system that cannot be is told before hours of work.
    dataset_licence(checked.model_dump(mode="json"))
    if not isinstance(checked, TrainingRecipe) and checked.evaluate is not None:
        must_be_possible(checked.evaluate.forms(), checked.evaluate.protocol(), base=loaded.base)
    folder = Path(out) if out is not None else Path(checked.name)
    refuse_another_build(folder, kind=checked.kind, name=checked.name)
    directory = Path(work) if work is not None else default_work(checked.name)
    if isinstance(workers, RayCluster):
        workers = replace(workers, gpus=checked.cluster.gpus)
    about = {"name": checked.name, "kind": checked.kind, "recipe": _told(recipe), "out": str(folder.resolve())}
    engine = Engine(directory, workers=workers, progress=progress, about=about)
    with engine, progress_to(progress), atomic_folder(folder) as fresh:
        # Not before: a folder whose replacement was killed is put back by then.
        readme = (folder / "README.md").read_bytes() if (folder / "README.md").is_file() else None
        manifest, evaluated = BUILDERS[checked.kind](loaded, fresh, engine)
        manifest = finish_build(fresh, loaded, manifest, readme=readme)
        return Built(folder, manifest, evaluated.report if evaluated else None, dict(engine.counts))


def finish_build(fresh: Path, loaded: LoadedRecipe, manifest: Manifest, *, readme: bytes | None = None) -> Manifest:
    """Add to finished tables the recipe, the page, the sealed manifest and the card.

    `readme` is the card of an earlier build.
    """
    checked = loaded.recipe
    assert isinstance(checked, BenchmarkRecipe | NanoRecipe | TrainingRecipe)
    write_recipe(fresh, loaded.text)
    content = content_digest(fresh)
    must_be_as_expected(checked.expect, {"digest": content}, checked.name)
    write_build_page(fresh, manifest, recipe=loaded.text, digest=content)
    manifest = seal(fresh, manifest, content)
    if readme is not None:
        # What a person wrote into the card of the earlier build stays.
        with atomic_file(fresh / "README.md") as path:
            path.write_bytes(readme)
    write_card(fresh)
    return manifest


def _told(recipe: str | Path | LoadedRecipe) -> str:
    """What a recipe is called in a list of kept work; "" for one that has no file."""
    if isinstance(recipe, LoadedRecipe):
        return ""
    return str(Path(recipe).resolve()) if Path(recipe).is_file() else str(recipe)


def default_work(name: str) -> Path:
    """The user's cache folder for the shards of one dataset."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "pyrite" / "work" / name
