"""Scores that fall strictly within each ranking, so that a tool which sorts by score finds the order as it was."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# float32 in steps: 0 is 0.0, 1 the least normal number above it. Subnormal numbers are passed over, since some
# programs take them for zero.
_SUBNORMAL = 0x007FFFFF
_GREATEST = 0x7F7FFFFF - _SUBNORMAL


def falling_scores(scores: NDArray[np.floating], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32 scores, each as near to its own as strictly falling scores can be; one a row.

    Args:
        scores: one a row.
        offsets: ranking i is the rows [offsets[i], offsets[i + 1]).

    trec_eval holds scores as float32, where 20.000001 and 20.0000015 are one number; a score that would tie with the
    one before it, or be above it, becomes the next number below that one.

    >>> falling_scores(np.array([2.0, 1.0, 1.0, 5.0]), np.array([0, 4])).tolist()
    [2.0, 1.0, 0.9999999403953552, 0.9999998807907104]
    """
    with np.errstate(over="ignore"):
        steps = _steps(np.asarray(scores, dtype=np.float32))
    for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        # s[i] = min(s[i], s[i - 1] - 1) for every i, as one running minimum.
        rank = np.arange(stop - start)
        falling = np.minimum.accumulate(steps[start:stop] + rank) - rank
        # The last may be no less than the least number there is, the one before it one step above, ...
        steps[start:stop] = np.maximum(falling, -_GREATEST + rank[::-1])
    return _floats(steps)


def _steps(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    bits = np.abs(scores).view(np.int32).astype(np.int64)
    return np.sign(scores).astype(np.int64) * np.clip(bits - _SUBNORMAL, 0, _GREATEST)


def _floats(steps: NDArray[np.int64]) -> NDArray[np.float32]:
    bits = np.where(steps == 0, 0, np.abs(steps) + _SUBNORMAL).astype(np.int32)
    return np.where(steps < 0, -bits.view(np.float32), bits.view(np.float32)).astype(np.float32)
