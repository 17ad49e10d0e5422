"""A system as it was asked for, before anything of it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyrite.core import RecipeError
from pyrite.retrieval.short_forms import write_value


@dataclass(frozen=True)
class SystemSpec:
    """A system as it was asked for.

    Attributes:
        system: its family and what follows the colon ("bm25", "bm25:ja", "run:mine.trec").
        settings: its further settings, as text.
    """

    system: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """What stands before the first colon."""
        return self.system.partition(":")[0]

    @property
    def argument(self) -> str:
        """What stands after it, or ""."""
        return self.system.partition(":")[2]

    @property
    def text(self) -> str:
        """The short form, which `parse_system` reads to the same.

        >>> SystemSpec("dense:m", {"query_prompt": "query: "}).text
        'dense:m,query_prompt="query: "'
        """
        return ",".join([self.system, *(f"{key}={write_value(value)}" for key, value in self.settings.items())])

    def only(self, *accepted: str, usage: str) -> None:
        """RecipeError for a setting that is not one of these."""
        for key in self.settings:
            if key not in accepted:
                raise RecipeError(f"{self.family} has no setting '{key}'", where=self.system, fix=f"write {usage}")
