"""Pictures of numbers, as shapes that a template draws: no script, no library, one size that scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 640, 120
BINS = 40


@dataclass(frozen=True)
class Histogram:
    """Two distributions on one axis, each as the outline of an area.

    Attributes:
        shapes: points of an SVG polygon, one a series, within WIDTH by HEIGHT.
        ticks: (place, label) along the axis. low, high: its ends.
    """

    shapes: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value stands, from 0 to WIDTH.

        >>> histogram([np.array([0.0, 10.0])]).at(5.0)
        320.0
        """
        return round(WIDTH * (value - self.low) / (self.high - self.low), 1)


def histogram(series: Sequence[NDArray[np.float64]]) -> Histogram:
    """The distributions of several series, each as high as its own highest bin.

    >>> drawn = histogram([np.array([0.0, 1.0, 1.0]), np.array([4.0])])
    >>> drawn.low, drawn.high, [label for _, label in drawn.ticks]
    (0.0, 4.0, ['0', '1', '2', '3', '4'])
    """
    joined = np.concatenate(series)
    low, high = float(joined.min()), float(joined.max())
    if high - low < 1e-6:
        low, high = low - 0.5, high + 0.5
    shapes = []
    for values in series:
        counts, _ = np.histogram(values, bins=BINS, range=(low, high))
        tops = HEIGHT * (1 - counts / max(int(counts.max(initial=0)), 1))
        edges = np.linspace(0, WIDTH, BINS + 1)
        corners = [(x, top) for left, right, top in zip(edges, edges[1:], tops, strict=False) for x in (left, right)]
        points = [(0.0, HEIGHT), *corners, (WIDTH, HEIGHT)]
        shapes.append(" ".join(f"{x:.1f},{y:.1f}" for (x, y) in points))
    drawn = Histogram(tuple(shapes), (), low, high)
    return Histogram(drawn.shapes, tuple((drawn.at(value), label) for value, label in _ticks(low, high)), low, high)


def differences(values: NDArray[np.float64]) -> tuple[str, str]:
    """Falling differences as two areas over and under a line in the middle of WIDTH by HEIGHT: won, lost.

    >>> differences(np.array([1.0, 0.0, -0.5]))[0]
    '0,60 0.0,0.0 213.3,0.0 213.3,60.0 426.7,60.0 426.7,60.0 640.0,60.0 640,60'
    """
    greatest = float(np.abs(values).max(initial=0)) or 1.0
    areas = []
    for side in (np.maximum(values, 0), np.minimum(values, 0)):
        kept = side if len(side) <= WIDTH else side[np.linspace(0, len(side) - 1, WIDTH).astype(int)]
        edges = np.linspace(0, WIDTH, len(kept) + 1)
        corners = [
            f"{x:.1f},{HEIGHT / 2 * (1 - value / greatest):.1f}"
            for left, right, value in zip(edges, edges[1:], kept.tolist(), strict=False)
            for x in (left, right)
        ]
        areas.append(" ".join([f"0,{HEIGHT // 2}", *corners, f"{WIDTH},{HEIGHT // 2}"]))
    return areas[0], areas[1]


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    rough = (high - low) / 5
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = np.ceil(low / step - 1e-9)
    values = [float((first + number) * step) for number in range(12) if (first + number) * step <= high + 1e-9 * step]
    return [(value, f"{value:g}".replace("-", "\N{MINUS SIGN}")) for value in values]
