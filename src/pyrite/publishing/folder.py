"""Finished files become a dataset folder, with digests of every one of them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pyrite.core import RecipeError
from pyrite.formats import Manifest, read_manifest, write_manifest

NOT_DIGESTED = ("README.md", "manifest.json")
"""The card may be written in by hand, and the manifest holds the digests."""


def place_files(folder: Path, files: Mapping[str, Path]) -> None:
    """Put finished files at their places in a folder: as links where the file system can, else as copies."""
    for place, path in files.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path, target)
        except OSError:
            shutil.copyfile(path, target)


def seal(folder: Path, manifest: Manifest, content: str) -> Manifest:
    """Write the manifest of a finished folder: the content digest, and size, rows and SHA-256 of every file."""
    sealed = replace(manifest, content={"digest": content, "files": digest_files(folder)})
    write_manifest(folder / "manifest.json", sealed)
    return sealed


def answer_for(folder: Path, prefix: str) -> None:
    """Take the files under a prefix, as they are now, into the digests of a folder's manifest."""
    manifest = read_manifest(folder)
    held = {place: row for place, row in manifest.content["files"].items() if not place.startswith(prefix)}
    fresh = {place: row for place, row in digest_files(folder).items() if place.startswith(prefix)}
    content = {**manifest.content, "files": dict(sorted({**held, **fresh}.items()))}
    write_manifest(folder / "manifest.json", replace(manifest, content=content))


def digest_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Place -> bytes, rows (of a Parquet file) and SHA-256 of every file that a manifest answers for, sorted."""
    places = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    paths = {place: path for place, path in places.items() if place not in NOT_DIGESTED}
    with ThreadPoolExecutor() as threads:
        return dict(zip(paths, threads.map(_told, paths.values()), strict=True))


def _told(path: Path) -> dict[str, Any]:
    rows = {"rows": pq.read_metadata(path).num_rows} if path.suffix == ".parquet" else {}
    return {"bytes": path.stat().st_size, "sha256": sha256(path), **rows}


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def refuse_another_build(out: Path, *, kind: str, name: str) -> None:
    """RecipeError where `out` holds something that this recipe did not make; its own earlier build is fine.

    A file that somebody put into an earlier build would go with it.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise RecipeError("is a file, not a folder", where=str(out), fix="choose another --out")
    if not any(out.iterdir()):
        return
    if not (out / "manifest.json").is_file():
        raise RecipeError("is a folder with other files in it", where=str(out), fix="choose another --out")
    held = read_manifest(out)
    refuse_another_dataset(held, kind=kind, name=name, where=str(out))
    known = {*held.content.get("files", {}), *NOT_DIGESTED, ".DS_Store"}
    inside = (path.relative_to(out).as_posix() for path in sorted(out.rglob("*")) if path.is_file())
    if foreign := next((place for place in inside if place not in known), None):
        fix = "move it elsewhere, or choose another --out"
        raise RecipeError("was put into an earlier build, and would be gone", where=str(out / foreign), fix=fix)


def refuse_another_dataset(held: Manifest, *, kind: str, name: str, where: str) -> None:
    """RecipeError where a manifest is that of another dataset."""
    if (held.kind, held.name) != (kind, name):
        raise RecipeError(f"holds the {held.kind} '{held.name}', not '{name}'", where=where, fix="choose another --out")


def write_recipe(folder: Path, text: str) -> None:
    """The copy of the recipe that a folder carries, overrides included."""
    (folder / "recipe.toml").write_text(text, encoding="utf-8", newline="\n")
