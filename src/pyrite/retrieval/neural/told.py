"""What a search can tell beside its run: what the model itself decided, and how much of the texts it cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from pyrite.core import Queries, Run


@dataclass(frozen=True)
class Told:
    """What a search learned beside its run.

    Attributes:
        settings: what decided the run and was not known before (lengths and prompts of the model).
        truncated: of what ("documents", "queries") -> the share that was cut.
        encoded: texts that were encoded for it; what earlier ones left is not in it.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    truncated: Mapping[str, float] = field(default_factory=dict)
    encoded: int = 0


@runtime_checkable
class TellingIndex(Protocol):
    """An index that can say more about a search than its run."""

    def search(self, queries: Queries, depth: int) -> Run:
        """The run."""
        ...

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        """The run, and what else was learned."""
        ...
