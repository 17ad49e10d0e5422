"""A report as a table of strings: for a terminal, for Markdown; nothing is printed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyrite.core import Estimate, QueryCounts, Report, SweepPoint
from pyrite.evaluation.rules import caveats


@dataclass(frozen=True)
class Table:
    """Strings to lay out.

    Attributes:
        title: what it is about.
        header: one a column. rows: as long as the header, each.
        notes: sentences to set below.
        named_by: how many first columns name a row; the others are numbers.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    named_by: int = 1

    def to_markdown(self) -> str:
        r"""The table in GitHub's Markdown, numbers to the right, the notes as lines below; ends with a newline.

        >>> print(Table("T", ("system", "RR@10"), (("a|b", "0.5000"),)).to_markdown(), end="")
        | system | RR@10 |
        |---|---:|
        | a\|b | 0.5000 |
        """
        lines = [self.header, *self.rows]
        texts = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        rule = "|" + "---|" * self.named_by + "---:|" * (len(self.header) - self.named_by)
        notes = [f"\n{note}" for note in self.notes]
        return "\n".join([texts[0], rule, *texts[1:], *notes]) + "\n"


def format_estimate(estimate: Estimate) -> str:
    """Mean and interval, four decimals.

    >>> format_estimate(Estimate(0.75, 0.7312, 0.76999))
    '0.7500 [0.7312, 0.7700]'
    """
    return f"{estimate.mean:.4f} [{estimate.low:.4f}, {estimate.high:.4f}]"


def left_out_note(systems: Sequence[str]) -> tuple[str, ...]:
    """A sentence that says which systems have no place in an order, and why; nothing where there is none.

    >>> left_out_note(["rerank:x (forced positives)"])
    ('Left out, since positives were put into their candidates: rerank:x (forced positives).',)
    """
    return (f"Left out, since positives were put into their candidates: {', '.join(systems)}.",) if systems else ()


def describe_queries(queries: QueryCounts) -> tuple[str, ...]:
    """Sentences that say how many queries the numbers are about.

    >>> describe_queries(QueryCounts(5000, 1000, 993, 7, {"bm25:en": 2, "dense": 0}))[0]
    'Queries: 1,000 of 5,000; 993 measured, 7 left out because nothing relevant is judged.'
    >>> describe_queries(QueryCounts(5000, 1000, 993, 7, {"bm25:en": 2, "dense": 0}))[1:]
    ('bm25:en retrieves nothing for 2 of 993 queries; each counts 0.',)
    """
    head = f"Queries: {queries.selected:,} of {queries.total:,}; {queries.measured:,} measured"
    if queries.without_positives:
        head += f", {queries.without_positives:,} left out because nothing relevant is judged"
    missing = [
        f"{system} retrieves nothing for {count:,} of {queries.measured:,} queries; each counts 0."
        for system, count in queries.missing_from_run.items()
        if count
    ]
    return (f"{head}.", *missing)


def report_table(report: Report) -> Table:
    """One row a system, one column a measure, each cell a mean with its interval; notes say which queries.

    A system that cuts texts adds a note with the share of documents and queries it cuts, a run that ends before a
    cutoff says so, and one note names the systems that tie, with the share of queries.
    """
    measures = list(dict.fromkeys(name for system in report.systems for name in system.measures))
    rows = [
        (system.system, *(format_estimate(system.measures[name]) for name in measures)) for system in report.systems
    ]
    named = frozenset(system.system for system in report.systems)
    cut = []
    for system in report.systems:
        shares = [f"{share:.1%} of {what}" for what, share in system.truncated.items() if _told(what, share, named)]
        cut += [f"{system.system} cuts {', '.join(shares)}."] if shares else []
    tied = [f"{system.system} {system.tied:.1%}" for system in report.systems if system.tied]
    ties = [f"Queries with tied scores: {', '.join(tied)}."] if tied else []
    notes = (*describe_queries(report.queries), *cut, *ties, *caveats(report.rules))
    return Table(_title(report), ("system", *measures), tuple(rows), notes)


def _told(what: str, share: float, named: frozenset[str]) -> bool:
    """Whether a share is worth a word: not none, and not that of a part which says it itself."""
    _, bracket, part = what.partition(" (")
    return share > 0 and not (bracket and part.removesuffix(")") in named)


SWEEPS = {"distractors": "number of distractors", "max_length": "tokens that are read of a text"}
"""What the columns of a sweep are."""


def sweep_table(report: Report, sweep: str, measure: str | None = None) -> Table:
    """One row a system, one column a point of the sweep (a number of distractors, a maximum length).

    `measure` is the only one that is shown; None: each has a row.
    """
    points = [point for point in report.sweeps[sweep] if measure is None or point.measure == measure]
    columns = sorted({point.at for point in points})
    cells: dict[tuple[str, str], dict[int, SweepPoint]] = {}
    for point in points:
        cells.setdefault((point.system, point.measure), {})[point.at] = point
    named_by = 2 if measure is None else 1
    rows = [
        (*key[:named_by], *(format_estimate(row[at].estimate) if at in row else "" for at in columns))
        for key, row in cells.items()
    ]
    header = ("system", "measure")[:named_by] + tuple(f"{at:,}" for at in columns)
    notes = (*describe_queries(report.queries), *_cut_at(points, frozenset(point.system for point in points)))
    title = f"{_title(report)}: {'' if measure is None else f'{measure} '}by {SWEEPS.get(sweep, sweep)}"
    return Table(title, header, tuple(rows), notes, named_by=named_by)


def _cut_at(points: Sequence[SweepPoint], named: frozenset[str]) -> list[str]:
    """Sentences that say how much each system cuts at each point: "a cuts 98.0% of documents at 64, 3.1% at 256."."""
    shares: dict[tuple[str, str], dict[int, float]] = {}
    for point in points:
        for what, share in point.truncated.items():
            if " (" in what and not _told(what, 1.0, named):
                continue
            shares.setdefault((point.system, what), {})[point.at] = share
    told = []
    for (system, what), own in shares.items():
        if any(own.values()):
            first, *others = sorted(own)
            more = "".join(f", {own[at]:.1%} at {at:,}" for at in others)
            told.append(f"{system} cuts {own[first]:.1%} of {what} at {first:,}{more}.")
    return told


def _title(report: Report) -> str:
    return f"{report.dataset} ({report.split})" if report.split else report.dataset
