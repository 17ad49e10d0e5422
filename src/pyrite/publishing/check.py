"""Whether a folder can be published: reloaded as its users will, and every rule of its tables."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyrite.core import DataError, PyriteError
from pyrite.formats import Manifest, read_manifest
from pyrite.publishing.card import loaded_id, merge_card, read_facts, render_facts
from pyrite.publishing.declared import CARD, Declared, read_declared
from pyrite.publishing.frontmatter import read_front, split_front
from pyrite.publishing.licence import breaches, inherited_sources, licence_id
from pyrite.publishing.nano_check import nano_offences
from pyrite.publishing.nano_facts import NanoFacts
from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import parquet_files, row_count
from pyrite.publishing.rules import schema_offences, table_offences
from pyrite.publishing.sections import split_sections
from pyrite.publishing.training_check import is_training, training_offences

BEFORE = 40
"""Characters of a stale line that are shown before its first difference."""


def check_folder(folder: Path) -> list[Offence]:
    """One offence for each thing that would mislead a user of the folder; empty where it can be published.

    Every config and split of the card is reloaded with `datasets`, from the folder alone and without a network; ids,
    texts, judgements, schemas, split names and counts are held against the rules, the card against what would be
    rendered now. An offence that occurs in very many rows is named for the first of them, then counted.

    Raises:
        DataError: there is no such folder.
    """
    if not folder.is_dir():
        if folder.is_file():
            fix = "name the folder of a built dataset; a table of questions and passages becomes one with pyrite build"
            raise DataError("is a file", where=str(folder), fix=fix)
        raise DataError("there is no such folder", where=str(folder))
    if not (folder / CARD).is_file():
        return [Offence(CARD, "", "is missing, so that datasets would guess the tables")]
    try:
        return list(_offences(folder))
    except DataError as error:
        # A file that can't be read can't be held against the other rules either.
        return [Offence(error.where, "", error.what)]


def _offences(folder: Path) -> Iterator[Offence]:
    text = (folder / CARD).read_text(encoding="utf-8")
    front = read_front(text)
    declared = read_declared(folder, front)
    yield from declared.offences
    # The rules of rows take the columns for what they should be.
    wrong = schema_offences(folder, declared.tables())
    rules = training_offences if is_training(declared.tables()) else table_offences
    yield from wrong or rules(folder, declared.tables())
    yield from _reload(folder, declared)
    try:
        manifest = read_manifest(folder)
    except PyriteError as error:
        yield Offence("manifest.json", "", error.what)
        return
    yield from _manifest_offences(folder, manifest)
    yield from _licence_offences(front, manifest)
    if manifest.kind in ("benchmark", "nano", "training") and not wrong:
        yield from _card_offences(folder, manifest, text)


def _reload(folder: Path, declared: Declared) -> Iterator[Offence]:
    """What `datasets` itself makes of the folder."""
    import datasets

    with tempfile.TemporaryDirectory(prefix="pyrite-check-") as cache, _quiet_and_offline():
        for part in declared.loadable():
            where = f"config '{part.config}', split '{part.split}'"
            rows = row_count(folder, part.files) if part.parquet else None
            claimed = declared.counts.get((part.config, part.split), rows)
            if rows is not None and claimed != rows:
                yield Offence(CARD, where, f"dataset_info counts {claimed:,} rows, the files hold {rows:,}")
                continue
            try:
                loaded = datasets.load_dataset(str(folder.resolve()), part.config, split=part.split, cache_dir=cache)
            except Exception as error:  # Whatever a user would meet is an offence of the folder.
                told = " ".join(str(error).split())[:200]
                yield Offence(CARD, where, f"datasets can't load it ({type(error).__name__}: {told})")
                continue
            if rows is not None and loaded.num_rows != rows:
                yield Offence(CARD, where, f"datasets loads {loaded.num_rows:,} rows, the files hold {rows:,}")


@contextlib.contextmanager
def _quiet_and_offline() -> Iterator[None]:
    """`datasets` without progress bars, chatter or network, and as it was afterwards."""
    import datasets

    bars, level = datasets.are_progress_bars_disabled(), datasets.logging.get_verbosity()
    offline = datasets.config.HF_HUB_OFFLINE
    datasets.disable_progress_bars()
    datasets.logging.set_verbosity(datasets.logging.CRITICAL)
    datasets.config.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        datasets.config.HF_HUB_OFFLINE = offline
        datasets.logging.set_verbosity(level)
        if not bars:
            datasets.enable_progress_bars()


def _manifest_offences(folder: Path, manifest: Manifest) -> Iterator[Offence]:
    files: dict[str, Any] = manifest.content.get("files") or {}
    for file in parquet_files(folder):
        told, rows = files.get(file, {}).get("rows"), row_count(folder, [file])
        if told is not None and told != rows:
            yield Offence(file, "", f"holds {rows:,} rows, manifest.json says {told:,}")


def _licence_offences(front: dict[str, Any], manifest: Manifest) -> list[Offence]:
    told = front.get("license")
    return [
        Offence(CARD, "license", f"'{name}' does not keep the terms of '{source.name}' ({source.licence})")
        for name in ([told] if isinstance(told, str) else told or [])
        for source in breaches(licence_id(str(name)), inherited_sources(manifest.recipe))
    ]


def _card_offences(folder: Path, manifest: Manifest, text: str) -> Iterator[Offence]:
    """Where the counts of the manifest, or what the card says, is not what the files say now."""
    try:
        facts = read_facts(folder)
        made = merge_card(render_facts(facts, loaded_id(text)), text)
    except PyriteError as error:
        yield Offence("manifest.json", error.where, error.what)
        return
    for name, told in manifest.counts.items():
        if facts.counts.get(name, told) != told:
            yield Offence("manifest.json", f"counts.{name}", f"is {told:,}, the files hold {facts.counts[name]:,}")
    if isinstance(facts, NanoFacts):
        yield from nano_offences(facts)
    yield from _stale(text, made)


def _stale(text: str, made: str) -> Iterator[Offence]:
    if split_front(text)[0] != split_front(made)[0]:
        yield Offence(CARD, "front matter", "is not what the files say now; write the card again")
    now = {piece.name: piece.text for piece in split_sections(split_front(made)[1]) if piece.name}
    then = {piece.name: piece.text for piece in split_sections(split_front(text)[1]) if piece.name}
    for name in dict.fromkeys([*now, *then]):
        if now.get(name) != then.get(name):
            yield Offence(CARD, f"section '{name}'", f"is stale; {_first_difference(then.get(name), now.get(name))}")


def _first_difference(then: str | None, now: str | None) -> str:
    if then is None or now is None:
        return "write the card again"
    old, new = then.splitlines(), now.splitlines()
    for one, other in zip(old, new, strict=False):
        if one != other:
            # The first difference, with enough before it to know the place.
            shared = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
            start = max(shared - BEFORE, 0)
            return f"it says '{_clip(one, start)}', the files say '{_clip(other, start)}'"
    return f"it has {len(old)} lines, and would have {len(new)}"


def _clip(line: str, start: int) -> str:
    piece = line[start : start + 2 * BEFORE]
    return ("…" if start else "") + piece + ("…" if start + len(piece) < len(line) else "")
