"""What the card of every kind of folder knows from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pyrite.formats import Manifest
from pyrite.publishing.audit_facts import AuditFacts, audit_facts

CARD = {"summary": "", "tags": [], "train_on": "", "not_included": "", "notes": "", "canary": False}
"""What the template may ask for and a recipe may leave out."""


@dataclass(frozen=True)
class FolderFacts:
    """What a manifest says; the facts of each kind add what its files say.

    Attributes:
        folder: where it is. digest: of the tables as they are now.
    """

    manifest: Manifest
    folder: Path
    digest: str

    @cached_property
    def audit(self) -> AuditFacts:
        """What audits of the folder found, and what one did to it."""
        return audit_facts(self.folder, self.manifest, self.digest)

    @property
    def recipe(self) -> Mapping[str, Any]:
        """The recipe that made the folder, defaults filled in."""
        return self.manifest.recipe

    @property
    def card(self) -> Mapping[str, Any]:
        """The recipe's `[card]`."""
        return CARD | (self.recipe.get("card") or {})

    @property
    def name(self) -> str:
        """The dataset's name."""
        return self.manifest.name

    @property
    def title(self) -> str:
        """The heading of the card."""
        return str(self.card.get("pretty_name") or self.name)
