"""The tables of a page: what every chart shows, in words and numbers, for readers without a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pyrite.core import Estimate, Ledger, SweepPoint, SystemReport
from pyrite.formats import Manifest
from pyrite.reporting.built import flattened
from pyrite.reporting.naming import shown_path, shown_systems
from pyrite.reporting.values import MeasuredSet, Page


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: what it says. small: a second line.
        value: the number that it is sorted by, where that can't be read off its text.
        estimate: the interval that is drawn under it.
    """

    text: str
    small: str = ""
    value: float | None = None
    estimate: Estimate | None = None


@dataclass(frozen=True)
class PageTable:
    """A table; the first cell of each row is its name.

    Attributes:
        caption: what it is about.
        header: the columns; `texts` of them, from the first, hold words and the others numbers.
        rows: each as long as the header.
        apart: so many last rows are shown below a line and never sorted among the others.
    """

    caption: str
    header: tuple[str, ...]
    texts: int
    rows: tuple[tuple[Cell, ...], ...]
    apart: int = 0


NOTHING = Cell("–", value=-1.0)
GIVEN = "was given what it had missed: not ranked"
"""What is said of a system that stands apart."""


def number(value: float, text: str | None = None) -> Cell:
    """A cell of a count or of a mean."""
    return Cell(text if text is not None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}")


def measured(estimate: Estimate | None, *, drawn: bool = True) -> Cell:
    """A mean with its interval below.

    >>> measured(Estimate(0.5, 0.25, 0.75)).small
    '0.2500–0.7500'
    """
    if estimate is None:
        return NOTHING
    low_high = f"{estimate.low:.4f}–{estimate.high:.4f}"
    return Cell(f"{estimate.mean:.4f}", low_high, estimate=estimate if drawn else None)


def set_table(one: MeasuredSet, names: Mapping[str, str], *, drawn: bool) -> PageTable:
    """The systems of one set, best first by its first measure: family, groups, every measure with its interval.

    Those that stand apart come last. `drawn`: as lines too, which takes room in a page of many sets.
    """
    grouped = [name for name in one.measures if one.groups.get(name)]
    queries = one.report.queries.measured
    rows = []
    for system in _best_first(one):
        letters = [Cell(one.groups[name].get(system.system, "")) for name in grouped[:1]]
        cells = [measured(system.measures.get(name), drawn=drawn) for name in one.measures]
        told = Cell(names[system.system], GIVEN if system.system in one.apart else "")
        rows.append((told, Cell(system.family), *letters, *cells))
    head = ("system", "family", *(["group"] if grouped else []), *one.measures)
    return PageTable(
        f"{one.name}: means over {queries:,} {'query' if queries == 1 else 'queries'}",
        head,
        len(head) - len(one.measures),
        tuple(rows),
        len(one.apart),
    )


def _best_first(one: MeasuredSet) -> list[SystemReport]:
    if not one.measures:
        return list(one.report.systems)
    return sorted(
        one.report.systems,
        key=lambda system: (system.system in one.apart, -system.measures[one.measures[0]].mean),
    )


def board_table(page: Page, place: int) -> PageTable:
    """One measure: a row a system, its mean over the sets, then a column a set; those that stand apart come last."""
    board, names = page.boards[place], shown_systems(page.systems)
    held = {(system.system, one.name): system for one in page.sets for system in one.report.systems}
    rows = []
    apart = [name for name in page.systems if name in page.apart]
    for name in (*board.systems, *apart):
        own = [held.get((name, one.name)) for one in page.sets]
        family = next(system.family for system in own if system is not None)
        mean = number(board.means[name]) if name in board.means else NOTHING
        cells = [measured(system.measures.get(board.measure) if system else None, drawn=False) for system in own]
        rows.append((Cell(names[name], GIVEN if name in page.apart else ""), Cell(family), mean, *cells))
    head = ("system", "family", "mean", *(one.name for one in page.sets))
    return PageTable(f"{board.measure}, with 95% intervals", head, 2, tuple(rows), len(apart))


def hardness_table(page: Page) -> PageTable:
    """What is left to gain on each set, and whether it tells systems apart, by the headline measure."""
    rows = []
    for one in page.sets:
        for measure in one.measures[:1]:
            if found := one.hardness.get(measure):
                apart = Cell(f"{found.separated} of {found.pairs}", value=found.separated / max(found.pairs, 1))
                rows.append(
                    (
                        Cell(one.name),
                        Cell(measure),
                        Cell(", ".join(found.flags) or "none"),
                        number(found.systems),
                        number(found.mean),
                        number(found.sd),
                        number(found.best),
                        number(found.headroom),
                        apart if found.pairs else NOTHING,
                    )
                )
    head = ("set", "measure", "flags", "systems", "mean", "sd", "best", "headroom", "pairs told apart")
    return PageTable("How hard it is", head, 3, tuple(rows))


def sweep_table(one: MeasuredSet, sweep: str, names: Mapping[str, str]) -> PageTable:
    """One row a system and measure, one column a point of the sweep."""
    points = one.report.sweeps[sweep]
    columns = sorted({point.at for point in points})
    found: dict[tuple[str, str], dict[int, SweepPoint]] = {}
    for point in points:
        found.setdefault((point.system, point.measure), {})[point.at] = point
    rows = [
        (
            Cell(names[system]),
            Cell(measure),
            *(measured(row[at].estimate if at in row else None, drawn=False) for at in columns),
        )
        for (system, measure), row in found.items()
    ]
    unit = {"distractors": "distractors", "max_length": "tokens"}.get(sweep, sweep)
    return PageTable(
        f"{one.name}: by number of {unit}", ("system", "measure", *(f"{at:,}" for at in columns)), 2, tuple(rows)
    )


def truncated_table(page: Page) -> PageTable:
    """The share of texts that each system cuts, and at which maximum length where lengths were swept."""
    names, rows, several = shown_systems(page.systems), [], len(page.sets) > 1
    for one in page.sets:
        shares = {
            (system.system, "its own", what): share
            for system in one.report.systems
            for what, share in system.truncated.items()
        }
        for point in one.report.sweeps.get("max_length", ()):
            shares |= {(point.system, f"{point.at:,}", what): share for what, share in point.truncated.items()}
        for (system, at, what), share in shares.items():
            told = [Cell(one.name)] if several else []
            rows.append((*told, Cell(names[system]), Cell(shown_path(what)), Cell(at), number(share, f"{share:.1%}")))
    head = ("system", "texts", "maximum length", "share cut")
    return PageTable("Texts that were cut", ("set", *head) if several else head, 3 + several, tuple(rows))


def spread_table(page: Page) -> PageTable:
    """How the values of single queries lie: the share at 0, the quartiles, the share at 1."""
    names, rows, several = shown_systems(page.systems), [], len(page.sets) > 1
    for one in page.sets:
        for system in one.report.systems:
            # Of many sets the headline only.
            for measure in one.measures[: 1 if several else None]:
                values = system.values[measure]
                if len(values):
                    quartiles = np.percentile(values, [25, 50, 75], method="inverted_cdf").tolist()
                    lost, perfect = float(np.mean(values <= 0)), float(np.mean(values >= 1))
                    told = [Cell(one.name)] if several else []
                    told += [Cell(names[system.system]), Cell(measure), number(lost, f"{lost:.1%}")]
                    rows.append((*told, *map(number, quartiles), number(perfect, f"{perfect:.1%}")))
    head: tuple[str, ...] = (
        "system",
        "measure",
        "queries at 0",
        "lower quartile",
        "median",
        "upper quartile",
        "queries at 1",
    )
    head = ("set", *head) if several else head
    return PageTable("Values of single queries", head, 2 + several, tuple(rows))


def lengths_table(page: Page) -> PageTable:
    """The lengths of texts in characters."""
    named = any(one.of for one in page.lengths)
    rows = [
        (
            *([Cell(one.of)] if named else []),
            Cell(one.texts),
            number(one.count),
            number(one.mean, f"{one.mean:,.1f}"),
            *map(number, (one.p5, one.median, one.p95, one.longest)),
        )
        for one in page.lengths
    ]
    head = (
        *(["set"] if named else []),
        "texts",
        "count",
        "mean",
        "5th percentile",
        "median",
        "95th percentile",
        "longest",
    )
    return PageTable("Lengths in characters", head, 1 + named, tuple(rows))


def ledger_table(ledger: Ledger) -> PageTable:
    """Rows in, kept and dropped by reason, a line a stage."""
    rows = [
        (
            Cell(entry.stage),
            Cell(entry.unit),
            Cell("; ".join([*(f"{count:,} {reason}" for reason, count in entry.dropped.items()), *entry.notes])),
            number(entry.rows_in),
            number(entry.rows_out),
            number(entry.rows_in - entry.rows_out),
        )
        for entry in ledger.entries
    ]
    return PageTable("Every row", ("stage", "unit", "dropped, and why", "in", "kept", "dropped"), 3, tuple(rows))


def sources_table(manifest: Manifest) -> PageTable:
    """What was read: a row a source, a column for each thing that is known of one."""
    rows = {role: dict(flattened(source)) for role, source in manifest.sources.items()}
    known = ("path", "config", "split", "revision", "rows", "digest")
    there = dict.fromkeys(name for row in rows.values() for name in row)
    columns = [*(name for name in known if name in there), *(name for name in there if name not in known)]
    cells = tuple((Cell(role), *(Cell(row.get(name, "")) for name in columns)) for role, row in rows.items())
    return PageTable("Sources", ("source", *columns), 1 + len(columns), cells)
