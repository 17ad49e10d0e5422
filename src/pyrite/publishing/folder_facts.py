"""What the card of every kind of folder knows from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyrite.formats import Manifest

CARD = {"summary": "", "tags": [], "train_on": "", "not_included": "", "notes": "", "canary": False}
"""What the template may ask for and a recipe may leave out."""


@dataclass(frozen=True)
class FolderFacts:
    """What a manifest says; the facts of each kind add what its files say."""

    manifest: Manifest

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
