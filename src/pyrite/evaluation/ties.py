"""How often a ranking rests on a tie-break and not on a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyrite.core import Run
from pyrite.evaluation.hits import Judgements, rows_in
from pyrite.evaluation.measures import Measure


def tied_share(judged: Judgements, run: Run, depth: int | None) -> float:
    """The share of the measured queries whose order down to `depth` (None: all of it) rests on a tie of scores.

    Two neighbours tie that have the same score in float32, as trec_eval compares them; the last one may tie with the
    first that is cut off. Documents without a score (forced candidates) tie with nothing.

    >>> from pyrite.core import Qrels
    >>> judged = Judgements(Qrels.of({"q1": {"d1": 1}, "q2": {"d1": 1}}))
    >>> run = Run.of("toy", {"q1": [("d1", 2.0), ("d2", 1.0), ("d3", 1.0)], "q2": [("d1", 1.0)]})
    >>> tied_share(judged, run, 2), tied_share(judged, run, 1)
    (0.5, 0.0)
    """
    with np.errstate(over="ignore"):
        scores = run.scores.astype(np.float32)
    lengths = np.diff(run.offsets)
    alike = np.zeros(len(scores), np.bool_)
    alike[:-1] = (scores[:-1] == scores[1:]) & np.isfinite(run.scores[:-1])
    # The last of one ranking and the first of the next are no neighbours.
    alike[run.offsets[1:][lengths > 0] - 1] = False
    owners = np.repeat(np.arange(len(run)), lengths)
    if depth is not None:
        alike &= np.arange(len(scores)) - run.offsets[owners] < depth
    tied = np.zeros(len(run) + 1, np.bool_)  # the last answers for row -1: a query that the run lacks
    tied[owners[alike]] = True
    return float(tied[rows_in(judged.query_ids, run.query_ids)].mean())


def tie_depth(measures: Sequence[Measure]) -> int | None:
    """How far down a tie can change one of these measures; None: all the way.

    >>> tie_depth([Measure("nDCG", 10), Measure("R", 100)])
    100
    """
    cutoffs = [measure.cutoff for measure in measures if measure.cutoff is not None]
    return max(cutoffs) if len(cutoffs) == len(measures) else None
