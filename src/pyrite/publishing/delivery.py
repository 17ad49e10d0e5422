"""A dataset folder in an object store: the manifest comes last, and a folder without it is not finished."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from pyrite.core import RecipeError
from pyrite.engine import Storage, local_copy, make_folder
from pyrite.formats import UNFINISHED, held_files, read_manifest
from pyrite.publishing.folder import refuse_another_dataset

MANIFEST, CARD = "manifest.json", "README.md"


def fetch_earlier(url: str, *, kind: str, name: str) -> Path:
    """The card and the manifest of an earlier build in a store, in a folder of this machine.

    RecipeError where the URL holds something that this recipe did not make; its own earlier build is fine. A delivery
    that was broken off has no manifest; what a person wrote into its card is still there.
    """
    storage, folder = Storage(url), local_copy(url)
    sizes = storage.sizes()
    if sizes and MANIFEST not in sizes and UNFINISHED not in sizes:
        raise RecipeError("is a folder with other files in it", where=url, fix="choose another --out")
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder)
    for file in {MANIFEST, CARD} & set(sizes):
        storage.fetch(file, folder / file)
    if MANIFEST in sizes:
        refuse_another_dataset(read_manifest(folder), kind=kind, name=name, where=url)
    return folder


def deliver(folder: Path, url: str) -> None:
    """Make the objects below a URL those of a finished folder; run again after a crash, it goes on.

    Files that are there already, by the manifest of an earlier build, are not written again. While others are, there
    is no manifest, so that nobody takes a half for the whole.
    """
    storage, target = Storage(url), (folder / MANIFEST).read_bytes()
    sizes = storage.sizes()
    # Once this target is named, what did not belong to it is gone, so that all that is there is of this build.
    goes_on = UNFINISHED in sizes and storage.read(UNFINISHED) == target
    there = sizes if goes_on else _clear(storage, sizes, target)
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        name = path.relative_to(folder).as_posix()
        if name != MANIFEST and (name == CARD or there.get(name) != path.stat().st_size):
            storage.put(path, name)
    storage.write(MANIFEST, target)
    storage.remove([UNFINISHED])


def _clear(storage: Storage, sizes: Mapping[str, int], target: bytes) -> dict[str, int]:
    """Remove every object that is not a file of the target; what is left, by size."""
    old = held_files(storage.read(MANIFEST)) if MANIFEST in sizes else {}
    new = held_files(target)
    same = {name: size for name, size in sizes.items() if name in new and old.get(name) == new[name]}
    same = {name: size for name, size in same.items() if size == new[name]["bytes"]}
    storage.write(UNFINISHED, b"")
    # The card stays until the new one has what a person wrote into it.
    storage.remove([name for name in sizes if name not in same and name not in (CARD, UNFINISHED)])
    storage.write(UNFINISHED, target)
    return same
