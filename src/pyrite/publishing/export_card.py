"""What goes with an export beside its tables: the card with licence and credits, and the task files of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.formats import HakariDataset, Manifest, MtebTask, read_manifest
from pyrite.publishing.declared import CARD
from pyrite.publishing.export_forms import Written
from pyrite.publishing.export_units import ExportUnit
from pyrite.publishing.frontmatter import dump_yaml, read_front
from pyrite.publishing.licence import UNKNOWN, dataset_licence
from pyrite.publishing.statistics import size_category
from pyrite.publishing.templating import render_template

MTEB_TASK, HAKARI = "mteb_task.py", "hakari.yaml"
_CREDIT = {"url": "", "license": "", "role": "data", "bibtex": ""}


@dataclass(frozen=True)
class ExportSource:
    """What the exported folder says of itself beside its tables.

    Attributes:
        manifest: its own, or an empty one with its name. front: of its card.
    """

    manifest: Manifest
    front: Mapping[str, Any]

    @classmethod
    def of(cls, folder: Path) -> ExportSource:
        """Read manifest and card, where they are."""
        there = (folder / "manifest.json").is_file()
        manifest = read_manifest(folder) if there else Manifest(kind="", name=folder.resolve().name)
        card = folder / CARD
        return cls(manifest, read_front(card.read_text(encoding="utf-8")) if card.is_file() else {})

    @property
    def licence(self) -> str:
        """The recipe's, or else the one of the folder's card; "" where nobody says one."""
        if self.manifest.recipe:
            return dataset_licence(self.manifest.recipe)
        told = self.front.get("license")
        return str(told) if isinstance(told, str) else ""

    @property
    def credits(self) -> list[dict[str, Any]]:
        """The recipe's."""
        return [_CREDIT | dict(credit) for credit in self.manifest.recipe.get("credit") or ()]

    @property
    def title(self) -> str:
        """What people call the dataset."""
        return str((self.manifest.recipe.get("card") or {}).get("pretty_name") or self.manifest.name)

    @property
    def summary(self) -> str:
        """What it is, in a sentence or more."""
        told = str((self.manifest.recipe.get("card") or {}).get("summary") or "")
        return told or f"{self.title}, a retrieval dataset."

    def manifest_of(self, unit: ExportUnit | None, form: str) -> Manifest:
        """Of one unit, or of them all together."""
        held = self.manifest
        name = held.name if unit is None or not unit.name else f"{held.name}-{unit.name}"
        exported = {"form": form, "name": held.name, "kind": held.kind, "digest": held.content.get("digest", "")}
        language = held.language if unit is None else unit.first.language
        return Manifest("collection", name, language, protocol=held.protocol, facts={"exported": exported})

    def mteb_task(self, written: Written, dataset_id: str) -> MtebTask:
        """The task for MTEB; what nobody knows is left open in it."""
        urls = [credit["url"] for credit in self.credits if credit["url"]]
        return MtebTask(
            title=self.manifest.name,
            languages=written.languages,
            splits=written.splits,
            description=self.summary,
            dataset_id=dataset_id,
            licence=self.licence,
            reference=urls[0] if urls else "",
            bibtex="\n".join(credit["bibtex"].strip() for credit in self.credits if credit["bibtex"]),
            remove_self=bool(self.manifest.protocol.get("remove_self")),
        )

    def hakari_dataset(self, written: Written, dataset_id: str) -> HakariDataset:
        """The description for HAKARI-Bench."""
        name = self.manifest.name
        return HakariDataset(name, dataset_id or name, written.languages, self.summary)


def export_card(source: ExportSource, written: Written, form: str) -> str:
    """The README of an export."""
    front: dict[str, Any] = {
        "pretty_name": source.title,
        "language": sorted({code for code in written.languages.values() if code}),
        "license": source.licence or UNKNOWN,
        "task_categories": ["text-retrieval"],
        "size_categories": [size_category(sum(written.counts.values()))],
        "configs": _configs(written.configs),
    }
    body = render_template(
        "export.md.jinja", where=CARD, source=source, written=written, form=form, task=MTEB_TASK, hakari=HAKARI
    )
    return f"---\n{dump_yaml({key: value for key, value in front.items() if value})}---\n\n{body}"


def _configs(configs: Mapping[str, Mapping[str, list[str]]]) -> list[dict[str, Any]]:
    declared: list[dict[str, Any]] = []
    for config, splits in configs.items():
        files = [{"split": split, "path": paths if len(paths) > 1 else paths[0]} for split, paths in splits.items()]
        default = {} if declared else {"default": True}
        declared.append({"config_name": config, **default, "data_files": files})
    return declared
