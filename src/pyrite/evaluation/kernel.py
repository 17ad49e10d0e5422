"""The one loop over the rows of a run, compiled; kept apart because importing numba takes a third of a second."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def find(
    run_rows: NDArray[np.int64],
    run_offsets: NDArray[np.int64],
    run_codes: NDArray[np.int32],
    run_positions: NDArray[np.int32],
    judged_offsets: NDArray[np.int64],
    judged_codes: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The judgement and the rank from 1 of every judged document that a run retrieved, by query, then by rank.

    Args:
        run_rows: for each judged query its ranking in the run, -1 where the run lacks it.
        run_offsets: ranking i of the run is its rows [run_offsets[i], run_offsets[i + 1]).
        run_codes: for each document of the run's id table its code in `judged_codes`, -1 where nobody judged it.
        run_positions: for each row of the run its place in `run_codes`.
        judged_offsets: judgements of query i are rows [judged_offsets[i], judged_offsets[i + 1]).
        judged_codes: for each judgement the code of its document, from 0, below len(judged_codes).
    """
    judgements = np.empty(len(judged_codes), np.int64)
    ranks = np.empty(len(judged_codes), np.int64)
    # Where each document is judged for the query at hand. Never cleared: an entry below the query's first judgement
    # is left over from an earlier query.
    judged_at = np.full(len(judged_codes), -1, np.int64)
    found = 0
    for query in range(len(run_rows)):
        ranking = run_rows[query]
        first, end = judged_offsets[query], judged_offsets[query + 1]
        if ranking < 0:
            continue
        for judgement in range(first, end):
            judged_at[judged_codes[judgement]] = judgement
        wanted = end - first
        start = run_offsets[ranking]
        for row in range(start, run_offsets[ranking + 1]):
            if wanted == 0:
                break
            code = run_codes[run_positions[row]]
            if code >= 0 and judged_at[code] >= first:
                judgements[found] = judged_at[code]
                ranks[found] = row - start + 1
                judged_at[code] = -1
                found += 1
                wanted -= 1
    return judgements[:found], ranks[:found]
