"""One recipe in, one dataset folder out; whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyrite.core import RecipeError, Report
from pyrite.engine import (
    Engine,
    Progress,
    RayCluster,
    StageCount,
    atomic_file,
    atomic_folder,
    cache_folder,
    is_url,
    local_path,
    plain_url,
)
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
from pyrite.pipelines.stated_language import warn_of_language
from pyrite.pipelines.training import training_folder
from pyrite.publishing import (
    dataset_licence,
    deliver,
    fetch_earlier,
    read_folder,
    refuse_another_build,
    seal,
    write_card,
    write_recipe,
)
from pyrite.retrieval import progress_to

Builder = Callable[[LoadedRecipe, Path, Engine], tuple[Manifest, Evaluated | None]]

BUILDERS: dict[str, Builder] = {"benchmark": benchmark_folder, "nano": nano_folder, "training": training_folder}


@dataclass(frozen=True)
class Built:
    """A finished build.

    Attributes:
        folder: where the dataset is; of one in an object store, this machine's copy. url: of that one, else "".
        manifest: what is in it, and what was done to get there.
        report: what `[evaluate]` measured, if anything.
        stages: stage -> shards that an earlier run had finished, and shards done now.
    """

    folder: Path
    manifest: Manifest
    report: Report | None
    stages: dict[str, StageCount]
    url: str = ""

    @property
    def where(self) -> str:
        """The path or the URL, as it was asked for."""
        return self.url or str(self.folder)


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
        out: the folder to make (default: ./NAME), or a URL of an object store ("s3://bucket/gems"); one with something
            else in it is refused, an earlier build of the same recipe is replaced when the new one is complete.
        work: where finished shards are kept for a resume (default: a folder of the user's cache); a folder, or a URL.
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
    url, folder = _target(checked.name if out is None else out, kind=checked.kind, name=checked.name)
    directory = default_work(checked.name) if work is None else work
    _refuse_within(directory, url or folder)
    if isinstance(workers, RayCluster):
        workers = replace(workers, gpus=checked.cluster.gpus)
    about = {"name": checked.name, "kind": checked.kind, "recipe": _told(recipe), "out": url or str(folder.resolve())}
    engine = Engine(directory, workers=workers, progress=progress, about=about)
    with engine, progress_to(progress), atomic_folder(folder) as fresh:
        # Not before: a folder whose replacement was killed is put back by then.
        readme = (folder / "README.md").read_bytes() if (folder / "README.md").is_file() else None
        manifest, evaluated = BUILDERS[checked.kind](loaded, fresh, engine)
        manifest = finish_build(fresh, loaded, manifest, readme=readme)
        warn_of_language(fresh)
    if url:
        deliver(folder, url)
    return Built(folder, manifest, evaluated.report if evaluated else None, dict(engine.counts), url)


def _refuse_within(work: str | Path, out: str | Path) -> None:
    """RecipeError where the work is in the folder that is to be made: replacing the one would remove the other."""
    if is_url(work) != is_url(out):
        return
    if is_url(work):
        inside = f"{plain_url(str(work))}/".startswith(f"{plain_url(str(out))}/")
    else:
        inside = local_path(work).resolve().is_relative_to(local_path(out).resolve())
    if inside:
        raise RecipeError("lies in the folder that is made", where=str(work), fix="choose another --work or --out")


def _target(out: str | Path, *, kind: str, name: str) -> tuple[str, Path]:
    """The URL, if it is one, and the folder of this machine; refused where something else is there."""
    if is_url(out):
        return str(out), fetch_earlier(str(out), kind=kind, name=name)
    refuse_another_build(local_path(out), kind=kind, name=name)
    return "", local_path(out)


def finish_build(fresh: Path, loaded: LoadedRecipe, manifest: Manifest, *, readme: bytes | None = None) -> Manifest:
    """Add to finished tables the recipe, the page, the sealed manifest and the card.

    `readme` is the card of an earlier build.
    """
    checked = loaded.recipe
    assert isinstance(checked, BenchmarkRecipe | NanoRecipe | TrainingRecipe)
    write_recipe(fresh, loaded.text)
    reading = read_folder(fresh, template=manifest.protocol.get("template"))
    must_be_as_expected(checked.expect, {"digest": reading.digest}, checked.name)
    write_build_page(fresh, manifest, recipe=loaded.text, reading=reading)
    manifest = seal(fresh, manifest, reading.digest)
    if readme is not None:
        # What a person wrote into the card of the earlier build stays.
        with atomic_file(fresh / "README.md") as path:
            path.write_bytes(readme)
    write_card(fresh, reading=reading)
    return manifest


def _told(recipe: str | Path | LoadedRecipe) -> str:
    """What a recipe is called in a list of kept work; "" for one that has no file."""
    if isinstance(recipe, LoadedRecipe):
        return ""
    return str(Path(recipe).resolve()) if Path(recipe).is_file() else str(recipe)


def default_work(name: str) -> Path:
    """The user's cache folder for the shards of one dataset."""
    return cache_folder("work") / name
