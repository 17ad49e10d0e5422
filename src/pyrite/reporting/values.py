"""What a report page is about: measured sets, leaderboards over them, lengths of texts, and how a set was built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyrite.core import FORCED_POSITIVES, Report
from pyrite.formats import Manifest
from pyrite.reporting.lengths import TextLengths


@dataclass(frozen=True)
class Hardness:
    """Whether a set still tells systems apart by one measure.

    Attributes:
        systems: how many. mean, sd: of their means. best: the highest mean. headroom: 1 - best.
        pairs, separated: pairs of systems, and how many the set tells apart.
        flags: of "ceiling", "floor", "low variance". sentences: the same in words.
    """

    systems: int
    mean: float
    sd: float
    best: float
    headroom: float
    pairs: int
    separated: int
    flags: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class MeasuredSet:
    """One dataset, or one split, and every system that was measured on it.

    Attributes:
        name: as a reader knows it ("minerals-en", or "de" where all sets are splits of one dataset).
        report: the systems, on one set of queries.
        groups: measure -> system -> letters; systems that share one can't be told apart.
        hardness: measure -> whether it still tells systems apart.
        language: ISO 639 code, or "".
    """

    name: str
    report: Report
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    hardness: Mapping[str, Hardness] = field(default_factory=dict)
    language: str = ""

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that every system has, in the report's order."""
        systems = self.report.systems
        return tuple(name for name in systems[0].measures if all(name in system.measures for system in systems))

    @property
    def apart(self) -> frozenset[str]:
        """The systems that were given positives: their numbers answer another question, and are not ranked."""
        return frozenset(system.system for system in self.report.systems if FORCED_POSITIVES in system.settings)


@dataclass(frozen=True)
class Board:
    """The order of the systems by one measure.

    Attributes:
        measure: as it prints. systems: best first, without those that stand apart.
        means: system -> mean over all sets, for those that were measured on every one.
    """

    measure: str
    systems: tuple[str, ...]
    means: Mapping[str, float]


@dataclass(frozen=True)
class Page:
    """Everything that one `report.html` shows.

    Attributes:
        title: its heading.
        sets: what was measured; none where nothing was.
        boards: one a measure, the headline measure first; none without sets.
        lengths: of the texts, where they are known.
        manifest: of the build, where the page is of one; its ledger is drawn.
        recipe: the recipe's text, or "".
        digest: of the built tables, or "".
    """

    title: str
    sets: tuple[MeasuredSet, ...] = ()
    boards: tuple[Board, ...] = ()
    lengths: tuple[TextLengths, ...] = ()
    manifest: Manifest | None = None
    recipe: str = ""
    digest: str = ""

    @property
    def systems(self) -> tuple[str, ...]:
        """Every system, in the order of the headline's board, then as the sets have them; those apart come last."""
        found = [system.system for one in self.sets for system in one.report.systems]
        first = self.boards[0].systems if self.boards else ()
        apart = self.apart
        return tuple(sorted(dict.fromkeys((*first, *found)), key=lambda name: name in apart))

    @property
    def apart(self) -> frozenset[str]:
        """The systems that stand apart in every table and chart; see `MeasuredSet.apart`."""
        return frozenset[str]().union(*(one.apart for one in self.sets))
