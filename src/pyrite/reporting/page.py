"""The report page: one HTML file that opens anywhere and asks for nothing."""

from __future__ import annotations

from pyrite.core import Ledger
from pyrite.reporting.built import build_facts, rules, system_facts, version_facts
from pyrite.reporting.charts import chart_data
from pyrite.reporting.naming import shown_systems
from pyrite.reporting.rendering import render
from pyrite.reporting.tables import (
    PageTable,
    board_table,
    hardness_table,
    ledger_table,
    lengths_table,
    set_table,
    sources_table,
    spread_table,
    sweep_table,
    truncated_table,
)
from pyrite.reporting.values import MeasuredSet, Page

SWEEPS = ("distractors", "max_length")


def render_page(page: Page) -> str:
    """The text of `report.html`, self-contained; the same page is the same text.

    >>> text = render_page(Page("minerals <en>"))
    >>> "<title>minerals &lt;en&gt;</title>" in text
    True
    """
    names = shown_systems(page.systems)
    manifest = page.manifest
    return render(
        "report.html.jinja",
        data=chart_data(page),
        page=page,
        said=[_said(one, names) for one in page.sets],
        hard=[_hard(one) for one in page.sets],
        boards=[board_table(page, place) for place in range(len(page.boards))] if len(page.sets) > 1 else [],
        set_tables=[set_table(one, names, drawn=len(page.sets) == 1) for one in page.sets],
        hardness=hardness_table(page),
        sweeps={
            sweep: [sweep_table(one, sweep, names) for one in page.sets if one.report.sweeps.get(sweep)]
            for sweep in SWEEPS
        },
        truncated=truncated_table(page),
        spread=spread_table(page),
        lengths=lengths_table(page),
        ledger=_ledger(page),
        sources=sources_table(manifest) if manifest is not None and manifest.sources else None,
        built=build_facts(manifest, page.digest) if manifest is not None else [],
        settings=system_facts(page),
        versions=version_facts(page),
        rules=rules(page),
    )


def _ledger(page: Page) -> PageTable | None:
    if page.manifest is None or not page.manifest.ledger:
        return None
    return ledger_table(Ledger.from_json(page.manifest.ledger))


def _said(one: MeasuredSet, names: dict[str, str]) -> list[str]:
    """Which queries the numbers of a set are about, which systems miss some, and which rest on ties."""
    queries = one.report.queries
    said = [f"{queries.selected:,} of {queries.total:,} queries; {queries.measured:,} measured"]
    if queries.without_positives:
        said[0] += f", {queries.without_positives:,} left out because nothing relevant is judged"
    missing = [
        f"{names.get(system, system)} retrieves nothing for {count:,} of {queries.measured:,} queries; each counts 0."
        for system, count in queries.missing_from_run.items()
        if count
    ]
    tied = [f"{names[system.system]} {system.tied:.1%}" for system in one.report.systems if system.tied]
    return [f"{said[0]}.", *missing, *([f"Queries with tied scores: {', '.join(tied)}."] if tied else [])]


def _hard(one: MeasuredSet) -> list[str]:
    """What the first measure's means say of the set."""
    return [
        sentence
        for measure in one.measures[:1]
        if measure in one.hardness
        for sentence in one.hardness[measure].sentences
    ]
