"""A dataset folder in an object store: the manifest comes last, and a folder without it is not finished."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from pyrite.core import DataError, RecipeError
from pyrite.engine import Storage, local_copy, make_folder
from pyrite.formats import UNFINISHED, Manifest, held_files, read_manifest
from pyrite.publishing.folder import refuse_another_dataset

MANIFEST, CARD = "manifest.json", "README.md"
_CLEARING = b"clearing\n"
"""Before the names of all that may be from earlier builds, as long as it is removed."""


def fetch_earlier(url: str, *, kind: str, name: str) -> Path:
    """The card and the manifest of an earlier build in a store, in a folder of this machine.

    RecipeError where the URL holds something that this recipe did not make; its own earlier build is fine. A delivery
    that was broken off has no manifest; what a person wrote into its card is still there.
    """
    storage, folder = Storage(url), local_copy(url)
    sizes = storage.sizes()
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder)
    if not sizes:
        return folder
    held = _coming(storage, sizes)
    if MANIFEST in sizes:
        storage.fetch(MANIFEST, folder / MANIFEST)
        held = read_manifest(folder)
    if held is None:
        raise RecipeError("is a folder with other files in it", where=url, fix="choose another --out")
    refuse_another_dataset(held, kind=kind, name=name, where=url)
    if CARD in sizes:
        storage.fetch(CARD, folder / CARD)
    return folder


def _coming(storage: Storage, sizes: Mapping[str, int]) -> Manifest | None:
    """The manifest of a delivery that was broken off; None where none was."""
    try:
        held = json.loads(storage.read(UNFINISHED).removeprefix(_CLEARING)) if UNFINISHED in sizes else {}
        return Manifest(kind=str(held["kind"]), name=str(held["name"]), content=dict(held["content"]))
    except (ValueError, KeyError, TypeError):
        return None


def deliver(folder: Path, url: str) -> None:
    """Make the files of a finished folder objects below a URL; run again after a crash, it goes on.

    Files that are there already, by the manifest of an earlier build, are not written again, and those that it had and
    this one has not are removed; what no build made stays. While files are on their way there is no manifest, so that
    nobody takes a half for the whole. DataError where another build is delivered there meanwhile.
    """
    storage, target = Storage(url), (folder / MANIFEST).read_bytes()
    sizes = storage.sizes()
    # Once this target is named, what did not belong to it is gone, so that all that is there of it is of this build.
    goes_on = UNFINISHED in sizes and storage.read(UNFINISHED) == target
    there = sizes if goes_on else _clear(storage, sizes, target)
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        name = path.relative_to(folder).as_posix()
        if name != MANIFEST and (name == CARD or there.get(name) != path.stat().st_size):
            storage.put(path, name)
    if storage.size(UNFINISHED) is None or storage.read(UNFINISHED) != target:
        raise DataError("another build was delivered there meanwhile", where=url, fix="run the same command again")
    storage.write(MANIFEST, target)
    storage.remove([UNFINISHED])


def _clear(storage: Storage, sizes: Mapping[str, int], target: bytes) -> dict[str, int]:
    """Remove what earlier builds made and the target has not, or has with other bytes; what stays of it, by size."""
    new, coming = held_files(target), _coming(storage, sizes)
    old = held_files(storage.read(MANIFEST)) if MANIFEST in sizes else {}
    made = {MANIFEST, *old, *new, *(coming.content.get("files", {}) if coming is not None else {})}
    made.discard(CARD)
    same = {name: size for name, size in sizes.items() if name in new and old.get(name) == new[name]}
    same = {name: size for name, size in same.items() if size == new[name]["bytes"]}
    storage.write(UNFINISHED, _CLEARING + _names(target, made))
    # The card stays until the new one has what a person wrote into it.
    storage.remove([name for name in sizes if name in made and name not in same])
    storage.write(UNFINISHED, target)
    return same


def _names(target: bytes, made: Iterable[str]) -> bytes:
    """Whose files are removed, and which, in the form of a manifest."""
    held = json.loads(target)
    files: dict[str, dict[str, str]] = {name: {} for name in sorted(made)}
    return json.dumps({"kind": held["kind"], "name": held["name"], "content": {"files": files}}).encode()
