"""By which rules systems are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyrite.core import Collection
from pyrite.evaluation import DEFAULT_MEASURES, parse_measures


@dataclass(frozen=True)
class Protocol:
    """By which rules systems are measured.

    Attributes:
        measures: in ir_measures' spelling.
        queries: the first so many, "all", or None for the dataset's headline protocol.
        depth: length of the rankings; None: 100, or the deepest cutoff where that is more (1,000 for a measure
            without one).
        distractors: the corpus sizes of the saturation curve; empty: the whole corpus only.
        max_lengths: tokens to cut texts at, for the truncation curve of systems that cut; empty: none.
    """

    measures: tuple[str, ...] = DEFAULT_MEASURES
    queries: int | Literal["all"] | None = None
    depth: int | None = None
    distractors: tuple[int | Literal["all"], ...] = ()
    max_lengths: tuple[int, ...] = ()

    def reach(self) -> int:
        """The depth that is searched."""
        deepest = max((measure.cutoff or 1000 for measure in parse_measures(self.measures)), default=0)
        return self.depth if self.depth is not None else max(100, deepest)

    def first_queries(self, collection: Collection) -> int | None:
        """How many queries are searched; None: all."""
        asked = collection.headline_queries if self.queries is None else self.queries
        return None if asked is None or asked == "all" else min(asked, len(collection.queries))
