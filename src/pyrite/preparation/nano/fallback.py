"""Which query split of a source is asked, where the wished one cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyrite.core import RecipeError


@dataclass(frozen=True)
class QuerySplitChoice:
    """The query split that is used, and why not an earlier one.

    Attributes:
        requested: what the recipe asks for.
        used: the first usable one, or None where there is none.
        refused: (query split, reason) of each that was tried before, in order.
    """

    requested: str
    used: str | None
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def is_fallback(self) -> bool:
        """Whether another split than the requested one is used."""
        return self.used is not None and self.used != self.requested

    @property
    def reason(self) -> str:
        """Why the splits that were tried are not used, as one sentence; "" where the first one is."""
        return "; ".join(f"{split}: {why}" if split else why for split, why in self.refused)


def choose_query_split(requested: str, fallback: Sequence[str], unusable: Callable[[str], str]) -> QuerySplitChoice:
    """The requested query split, else the first usable fallback.

    Args:
        requested: tried first.
        fallback: tried in this order.
        unusable: why a split can't be used ("it does not exist"), or "" where it can; asked only until one can.

    >>> why = {"testB": "it does not exist", "testA": "no query has a positive in the corpus", "dev": ""}
    >>> choose_query_split("testB", ["testA", "dev", "train"], why.__getitem__).used
    'dev'
    """
    order = [requested, *fallback]
    if len(set(order)) != len(order):
        raise RecipeError(f"a query split is named twice in {', '.join(order)}", fix="name each once")
    refused: list[tuple[str, str]] = []
    for split in order:
        reason = unusable(split)
        if not reason:
            return QuerySplitChoice(requested, split, tuple(refused))
        refused.append((split, reason))
    return QuerySplitChoice(requested, None, tuple(refused))
