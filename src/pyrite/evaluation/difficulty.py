"""Whether a dataset still tells systems apart: ceiling, floor, low variance, headroom."""

from __future__ import annotations

from dataclasses import dataclass

from pyrite.core import Report
from pyrite.evaluation.align import align
from pyrite.evaluation.significance import ALPHA, compare

CEILING_MEAN = 0.90
FLOOR_MEAN = 0.10
EDGE_SD = 0.05
LOW_SD = 0.03


@dataclass(frozen=True)
class Difficulty:
    """What the means of several systems say about the dataset.

    Attributes:
        measure: as it prints. systems: how many.
        mean: over the systems' means. sd: their sample standard deviation (n - 1), 0 for one system.
        best: the highest mean. headroom: 1 - best, what is left to gain.
        pairs, separated: pairs of systems, and how many of them the dataset tells apart
            (paired randomisation test, Holm-corrected, at 0.05).
        flags: of "ceiling" (mean >= .90 and sd <= .05), "floor" (mean <= .10 and sd <= .05),
            "low variance" (two systems or more and sd <= .03).
    """

    measure: str
    systems: int
    mean: float
    sd: float
    best: float
    headroom: float
    pairs: int
    separated: int
    flags: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a reader should know, a sentence each."""
        spread = f"mean {self.mean:.3f}, standard deviation {self.sd:.3f} over {self.systems} systems"
        said = {
            "ceiling": f"Ceiling: {self.measure} is near its maximum for all ({spread}).",
            "floor": f"Floor: {self.measure} is near 0 for all ({spread}).",
            "low variance": f"Low variance: {self.measure} hardly differs between systems ({spread}).",
        }
        headroom = f"Headroom: the best system leaves {self.headroom:.3f} of {self.measure} to gain."
        separated = f"Separated: {self.separated} of {self.pairs} pairs of systems (p < {ALPHA}, Holm-corrected)."
        return (*(said[flag] for flag in self.flags), headroom, *((separated,) if self.pairs else ()))


def difficulty(report: Report, measure: str, *, seed: int = 0) -> Difficulty:
    """The flags, the headroom and the separable pairs of a report's systems by one measure.

    Args:
        report: of one or more systems on the same queries.
        measure: one of its measures, as it prints.
        seed: of the tests.
    """
    aligned = align([report], measure)
    means = aligned.values.mean(axis=1)
    systems = len(means)
    mean, best = float(means.mean()), float(means.max())
    sd = float(means.std(ddof=1)) if systems > 1 else 0.0
    separated = compare(aligned, seed=seed).separated if systems > 1 else 0
    raised = {
        "ceiling": mean >= CEILING_MEAN and sd <= EDGE_SD,
        "floor": mean <= FLOOR_MEAN and sd <= EDGE_SD,
        "low variance": systems > 1 and sd <= LOW_SD,
    }
    return Difficulty(
        measure=measure,
        systems=systems,
        mean=mean,
        sd=sd,
        best=best,
        headroom=1.0 - best,
        pairs=systems * (systems - 1) // 2,
        separated=separated,
        flags=tuple(flag for flag, is_raised in raised.items() if is_raised),
    )
