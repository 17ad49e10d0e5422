"""The sentences by which a report says how its numbers were made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyrite.core import Run
from pyrite.evaluation.measures import Measure

ALWAYS = (
    "The ranking is the run's order.",
    "A query with at least one document of relevance 1 or more is measured; one that a run lacks, or for which it "
    "retrieves nothing, counts 0.",
    "A query without such a document is left out of every mean and counted.",
    "The denominator of every mean is the number of measured queries.",
    "A document without a judgement counts as relevance 0, and so does a negative grade.",
    "A document that is retrieved twice for one query is an error.",
)


def measure_rules(measures: Sequence[Measure]) -> tuple[str, ...]:
    """What holds for every report, then a sentence for each family of measures.

    >>> measure_rules([Measure("P", 5)])[-1]
    'P@k divides by k, even where fewer documents are retrieved.'
    """
    levels = sorted({measure.rel for measure in measures if measure.rel > 1})
    leveled = [
        f"With (rel={rel}) a document is relevant from relevance {rel}; a measured query without one counts 0."
        for rel in levels
    ]
    return (*ALWAYS, *dict.fromkeys(measure.rule for measure in measures), *leveled)


def selection_rule(selected: int, total: int, *, headline: bool) -> str:
    """Which queries the numbers are about.

    >>> selection_rule(1000, 5000, headline=True)
    'The queries are the first 1,000 of 5,000, the headline protocol of the dataset.'
    """
    if selected == total:
        return f"The queries are all {total:,}."
    return f"The queries are the first {selected:,} of {total:,}" + (
        ", the headline protocol of the dataset." if headline else ", as asked for."
    )


def self_rule(*, removed: bool) -> str:
    """What happens to a document whose id is the query's id."""
    return (
        "A document whose id is the query's id is "
        + ("taken out of" if removed else "kept in")
        + " every ranking, for every system alike."
    )


def depth_rules(runs: Sequence[Run], measures: Sequence[Measure], *, documents: int | None = None) -> tuple[str, ...]:
    """A sentence for each run that is shallower than a cutoff although there are more documents.

    >>> depth_rules([Run.of("toy", {"q1": [("d1", 1.0)]})], [Measure("R", 100)])
    ('The run toy is at most 1 deep, which is all that R@100 can see.',)
    """
    said = []
    for run in runs:
        deeper = [m for m in measures if m.cutoff is not None and m.cutoff > run.depth]
        if deeper and (documents is None or documents > run.depth):
            names = ", ".join(str(measure) for measure in deeper)
            said.append(f"The run {run.system} is at most {run.depth:,} deep, which is all that {names} can see.")
    return tuple(said)


_SHALLOW = re.compile(r"The run .+ is at most [\d,]+ deep, which is all that .+ can see\.", re.DOTALL)


def caveats(rules: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a report that a reader needs beside its numbers: of runs too shallow for what they measure.

    >>> caveats([*ALWAYS, *depth_rules([Run.of("toy", {"q1": [("d1", 1.0)]})], [Measure("R", 100)])])
    ('The run toy is at most 1 deep, which is all that R@100 can see.',)
    """
    return tuple(rule for rule in rules if _SHALLOW.fullmatch(rule))


def tie_rule(depth: int | None) -> str:
    """What the share of tied queries counts.

    >>> tie_rule(100)
    'A tied query has two documents of one score (in float32) next to each other in its first 100.'
    """
    where = "its ranking" if depth is None else f"its first {depth:,}"
    return f"A tied query has two documents of one score (in float32) next to each other in {where}."


def interval_rule(samples: int, seed: int) -> str:
    """How the intervals were made."""
    return f"Intervals hold 95% of the means of {samples:,} bootstrap resamples of the queries (seed {seed})."
