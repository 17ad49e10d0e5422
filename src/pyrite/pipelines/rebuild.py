"""A built folder against itself: made again from its own recipe, and compared file by file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pyrite.core import DataError, RecipeError
from pyrite.engine import Progress, digest_file, is_url
from pyrite.formats import read_json, read_manifest
from pyrite.pipelines.build import build
from pyrite.pipelines.recipe import LoadedRecipe, find_recipe, load_recipe, shipped_recipes

Outcome = Literal["same", "different", "missing", "not of the build", "not compared"]
RECIPE = "recipe.toml"
_NOT_COMPARED = ("README.md", "manifest.json")
"""The card may be written in by hand; the manifest names versions, which are told beside the files."""


@dataclass(frozen=True)
class Rebuilt:
    """What a second build made of a folder's recipe.

    Attributes:
        files: path -> "same", "different", "missing" (the build makes it, the folder lacks it), "not of the build", or
            "not compared" (a page that other versions of packages draw otherwise), sorted by path.
        versions: package -> (version of the folder, version now), of those that differ.
        base: the folder that relative sources were taken from.
    """

    files: Mapping[str, Outcome]
    versions: Mapping[str, tuple[str, str]]
    base: Path

    @property
    def same(self) -> bool:
        """Whether every file that the recipe makes is there with the same bytes; results that came later may be."""
        return all(
            outcome in ("same", "not compared") or (outcome == "not of the build" and path.startswith("results/"))
            for path, outcome in self.files.items()
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        versions = {package: list(pair) for package, pair in self.versions.items()}
        return {"same": self.same, "files": dict(self.files), "versions": versions, "base": str(self.base)}


def rebuild(
    folder: Path,
    *,
    base: Path | None = None,
    work: Path | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Rebuilt:
    """Build the recipe of a folder again, in a temporary folder and from nothing, and compare every file.

    Args:
        folder: a built folder; it is only read.
        base: the folder that relative sources of the recipe start from, which a dataset does not tell (it names no
            folder of the machine on which it was made). Default: the first of these in which they all are: the folder
            that holds the dataset's folder, the one of a shipped recipe of the same name, the working directory.
        work: where the temporary folder is made; default: the system's place for such.
        workers: processes of the build.
        progress: who is told how far it is.

    Raises:
        DataError: there is no recipe, or the build ends with one. RecipeError: the sources are not found.
    """
    manifest = read_manifest(folder)
    if not (folder / RECIPE).is_file():
        raise DataError("there is no recipe.toml", where=str(folder), fix="name a folder that pyrite build made")
    loaded = load_recipe(str(folder / RECIPE))
    loaded = replace(loaded, base=_base(loaded, folder, base))
    with tempfile.TemporaryDirectory(prefix="pyrite-rebuild-", dir=work) as temporary:
        out = Path(temporary) / "out"
        made = build(loaded, out=out, work=Path(temporary) / "work", workers=workers, progress=progress)
        files = _compare(_digests(folder), _digests(out))
        now = made.manifest.versions
        names = sorted({*manifest.versions, *now})
        pairs = {name: (str(manifest.versions.get(name, "none")), str(now.get(name, "none"))) for name in names}
        versions = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if versions:
            files = {path: _but_for_versions(path, outcome, folder, out) for path, outcome in files.items()}
    return Rebuilt(files, versions, loaded.base)


def _but_for_versions(path: str, outcome: Outcome, folder: Path, made: Path) -> Outcome:
    """The outcome under other versions of packages: a report names them, and its page is drawn anew by each."""
    if outcome == "different" and path.startswith("results/"):
        if path.endswith(".html"):
            return "not compared"
        if path.endswith("report.json"):
            then, now = ({**read_json(root / path), "versions": None} for root in (folder, made))
            return "same" if then == now else "different"
    return outcome


def _base(loaded: LoadedRecipe, folder: Path, asked: Path | None) -> Path:
    relative = sorted(set(_relative_paths(loaded.recipe.model_dump())))
    name = loaded.recipe.model_dump()["name"]
    places = [folder.resolve().parent, *_shipped_folders(name), Path.cwd()] if asked is None else [asked]
    for place in places:
        if all(_is_there(place, path) for path in relative):
            return place
    missing = next(path for path in relative if not _is_there(places[0], path))
    raise RecipeError(
        f"the source '{missing}' is not in {places[0]}",
        where=f"{folder}/{RECIPE}",
        fix="name the folder that it is relative to with --base",
    )


def _shipped_folders(name: str) -> list[Path]:
    found = [find_recipe(one) for one in shipped_recipes()]
    return [path.parent for path in found if load_recipe(str(path)).recipe.model_dump()["name"] == name]


def _relative_paths(value: object) -> Iterator[str]:
    """Every relative path of a source that says by its form that it is a file: ids of the hub look like none."""
    if isinstance(value, Mapping):
        path = value.get("path")
        if isinstance(path, str) and not (
            is_url(path) or Path(path).expanduser().is_absolute() or _may_be_on_hub(value, path)
        ):
            yield path
        for held in value.values():
            yield from _relative_paths(held)
    elif isinstance(value, list):
        for held in value:
            yield from _relative_paths(held)


def _may_be_on_hub(table: Mapping[str, Any], path: str) -> bool:
    return bool(table.get("revision")) or (path.count("/") == 1 and not Path(path).suffix and not path.startswith("."))


def _is_there(base: Path, path: str) -> bool:
    return (base / path).exists() or (any(sign in path for sign in "*?[") and any(base.glob(path)))


def _digests(folder: Path) -> dict[str, str]:
    places = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    hidden = {place for place in places if any(part.startswith(".") for part in place.split("/"))}
    kept = sorted(place for place in places if place not in _NOT_COMPARED and place not in hidden)
    return {place: digest_file(places[place]) for place in kept}


def _compare(folder: Mapping[str, str], made: Mapping[str, str]) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    for place in sorted({*folder, *made}):
        if place not in made:
            outcomes[place] = "not of the build"
        elif place not in folder:
            outcomes[place] = "missing"
        else:
            outcomes[place] = "same" if folder[place] == made[place] else "different"
    return outcomes
