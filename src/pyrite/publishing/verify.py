"""Whether a folder is still what was built: its files against the digests in its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyrite.core import DataError
from pyrite.formats import read_manifest
from pyrite.publishing.digest import content_digest
from pyrite.publishing.folder import NOT_DIGESTED, sha256
from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import hidden


def verify_folder(folder: Path) -> list[Offence]:
    """One line for each file that is missing, changed or not of the build; empty where the folder is what was built.

    The card may be edited by hand and the manifest holds the digests, so neither is compared; hidden files are
    nobody's build. Where a table changed, a last line says whether the dataset in it did.

    Raises:
        DataError: there is no folder, or no manifest with digests in it.
    """
    manifest = read_manifest(folder)
    told = manifest.content.get("files")
    if not isinstance(told, dict):
        raise DataError("holds no digests of files", where=f"{folder}/manifest.json", fix="build the folder again")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    found = [Offence(file, "", "is missing") for file in sorted(set(told) - there)]
    compared = [_compare(folder, file, told[file]) for file in sorted(set(told) & there)]
    found += [offence for offence in compared if offence is not None]
    extra = sorted(file for file in there - set(told) if file not in NOT_DIGESTED and not hidden(file))
    found += [Offence(file, "", "is not in the manifest") for file in extra]
    if any(offence.file.endswith(".parquet") for offence in found):
        found += _digest_offence(folder, str(manifest.content.get("digest", "")))
    return found


def _compare(folder: Path, file: str, told: dict[str, Any]) -> Offence | None:
    size = (folder / file).stat().st_size
    if size != told["bytes"]:
        return Offence(file, "", f"is changed: {size:,} bytes, {told['bytes']:,} in the manifest")
    if sha256(folder / file) != told["sha256"]:
        return Offence(file, "", "is changed: same size, other bytes than the manifest's sha256")
    return None


def _digest_offence(folder: Path, told: str) -> list[Offence]:
    try:
        digest = content_digest(folder)
    except DataError:
        # The file that can't be read is told already.
        return []
    if digest != told:
        return [Offence("manifest.json", "content.digest", f"is {told or 'missing'}, the tables say {digest}")]
    return [Offence("manifest.json", "content.digest", "still holds: files differ, the dataset in them does not")]
