"""The statistics of a mined set on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrite.cli.tables import print_table
from pyrite.evaluation import Table

_LABELS = {
    "positive_logit": "positive",
    "max_negative_logit": "hardest negative",
    "mean_negative_logit": "mean of the negatives",
    "margin": "margin (positive - hardest negative)",
    "all_logits": "every scored pair",
}


def print_mined(told: Mapping[str, Any]) -> None:
    """Rows by what became of them, negatives by origin, the filter, and the spread of the logits.

    Args:
        told: `facts["statistics"]` of a manifest.
    """
    for table in mined_tables(told):
        print_table(table)


def mined_tables(told: Mapping[str, Any]) -> list[Table]:
    """The tables that `print_mined` prints."""
    pairs, rows = told["pairs"], told["margin_only"] + told["top_up"]
    fates = [
        ("filled by the margin alone", told["margin_only"]),
        ("with top-up", told["top_up"]),
        ("dropped: weak positive", told["weak_positive"]),
        ("dropped: too few candidates", told["too_few_candidates"]),
        *([("short, in n-tuples-short", told["short"])] if told["short"] else []),
    ]
    deeper = f"{told['extended']:,} of the rows filled by the margin have candidates of deeper ranks"
    spreads = [(name, *(f"{value:,.2f}" for value in told[key])) for key, name in _LABELS.items()]
    return [
        _shares("Pairs", fates, pairs, notes=(deeper,) if told["extended"] else ()),
        _shares("Negatives of n-tuples", list(told["origins"].items()), told["negatives"]),
        _shares("The filter over n-tuples", list(told["filtered"].items()), rows),
        Table("Logits", ("of", "min", "median", "mean", "max"), tuple(spreads)),
        Table(
            "Candidates of the pairs that are not weak",
            ("what became of them", "candidates"),
            tuple((name, f"{told['candidates'][name]:,}") for name in told["candidates"]),
        ),
    ]


def _shares(title: str, counts: list[tuple[str, int]], total: int, notes: tuple[str, ...] = ()) -> Table:
    rows = [(name, f"{count:,}", f"{100 * count / total:.1f}%" if total else "–") for name, count in counts]
    return Table(title, ("", "count", "share"), (*rows, ("together", f"{total:,}", "")), notes)
