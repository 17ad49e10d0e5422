"""A dataset in the form that other tools read, with its licence and credits beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.core import RecipeError
from pyrite.engine import atomic_folder
from pyrite.formats import read_manifest, write_hakari, write_manifest, write_mteb_task
from pyrite.publishing.declared import CARD
from pyrite.publishing.export_card import HAKARI, MTEB_TASK, ExportSource, export_card
from pyrite.publishing.export_forms import Rank, Written, beir_unit, hakari_unit, mteb_unit, trec_unit
from pyrite.publishing.export_units import ExportUnit, export_units

UNIT_WRITERS: dict[str, Callable[[ExportUnit, Path, Written, Rank | None], None]] = {
    "mteb": mteb_unit,
    "hakari": hakari_unit,
    "beir": beir_unit,
    "trec": trec_unit,
}
FORMS = tuple(UNIT_WRITERS)
_APART = ("beir", "trec")
"""Forms in which a folder holds one corpus."""


@dataclass(frozen=True)
class Exported:
    """A finished export.

    Attributes:
        folder: where it is. form: one of `FORMS`.
        counts: queries, corpus, qrels, over all units.
        files: path in the folder -> bytes.
        lost: sentences on what the form cannot hold.
    """

    folder: Path
    form: str
    counts: Mapping[str, int]
    files: Mapping[str, int]
    lost: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        held = {"counts": dict(self.counts), "files": dict(self.files), "lost": list(self.lost)}
        return {"folder": str(self.folder), "form": self.form, **held}


@dataclass(frozen=True)
class ExportAs:
    """How a folder is exported.

    Attributes:
        form: one of `FORMS`.
        dataset_id: what task files call the dataset on the hub; "" for the folder itself.
        results: folders of results whose runs go with a TREC export.
        rank: makes candidates where the form needs them and the folder has none.
    """

    form: str
    dataset_id: str = ""
    results: tuple[Path, ...] = ()
    rank: Rank | None = None


def export_folder(folder: Path, out: Path, how: ExportAs) -> Exported:
    """Write a dataset folder in another form; whole or not at all, and the same bytes at every call.

    What `formats.read_collection` reads of the export is the collection of the folder, but for what `Exported.lost`
    says. A manifest.json carries what no other tool asks for: language, template and protocol.

    Args:
        folder: a dataset in any layout that is read; several Nano splits become folders (BEIR, TREC), configs with a
            prefix (MTEB) or splits (HAKARI).
        out: the folder to make; an earlier export there is replaced, anything else refused.

    Raises:
        RecipeError: no such form, or `out` holds something else. DataError: the data are not fit.
    """
    if how.form not in FORMS:
        raise RecipeError(f"'{how.form}' is no form of an export", fix=f"choose one of {', '.join(FORMS)}")
    _refuse_other(out)
    source = ExportSource.of(folder)
    written = Written()
    with atomic_folder(out) as fresh:
        for unit in export_units(folder, how.results):
            apart = fresh / unit.name if how.form in _APART and unit.name else fresh
            apart.mkdir(exist_ok=True)
            written.add(unit)
            UNIT_WRITERS[how.form](unit, apart, written, how.rank)
            if how.form in _APART:
                write_manifest(apart / "manifest.json", source.manifest_of(unit, how.form))
            elif unit.name and how.form == "mteb":
                _write_language(fresh, unit)
        _finish(fresh, source, written, how)
        places = sorted(path for path in fresh.rglob("*") if path.is_file())
        files = {path.relative_to(fresh).as_posix(): path.stat().st_size for path in places}
    return Exported(out, how.form, written.counts, files, tuple(written.lost))


def _refuse_other(out: Path) -> None:
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    manifest = read_manifest(out) if (out / "manifest.json").is_file() else None
    if manifest is None or "exported" not in manifest.facts:
        raise RecipeError("holds something else than an export", where=str(out), fix="choose another --out")


def _write_language(folder: Path, unit: ExportUnit) -> None:
    """Where `read_collection` looks for the language of one config of several."""
    (folder / "metadata").mkdir(exist_ok=True)
    text = json.dumps(
        {"name": unit.name, "language": unit.first.language}, ensure_ascii=False, sort_keys=True, indent=1
    )
    (folder / "metadata" / f"{unit.name}.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def _finish(folder: Path, source: ExportSource, written: Written, how: ExportAs) -> None:
    """The files of the whole: task file, card and manifest."""
    if how.form == "mteb":
        write_mteb_task(folder / MTEB_TASK, source.mteb_task(written, how.dataset_id))
    if how.form == "hakari":
        write_hakari(folder / HAKARI, source.hakari_dataset(written, how.dataset_id))
    if not (folder / "manifest.json").is_file():
        write_manifest(folder / "manifest.json", source.manifest_of(None, how.form))
    (folder / CARD).write_text(export_card(source, written, how.form), encoding="utf-8", newline="\n")
