"""Comparisons between systems as tables of strings."""

from __future__ import annotations

from pyrite.evaluation.fidelity import Fidelity
from pyrite.evaluation.significance import Comparison
from pyrite.evaluation.table import Table, format_estimate, left_out_note


def comparison_tables(compared: Comparison) -> tuple[Table, Table]:
    """The systems with the groups that can't be told apart, and every pair with its tests."""
    columns = tuple(f"group {number}" for number in range(1, len(compared.groups) + 1))
    rows = tuple(
        (name, format_estimate(estimate), *("x" if name in group else "" for group in compared.groups))
        for name, estimate in compared.systems
    )
    note = (
        f"{compared.queries:,} queries; {compared.separated} of {len(compared.pairs)} pairs are told apart "
        f"(paired randomisation test, Holm-corrected, p < {compared.alpha}). Systems of one group are not."
    )
    systems = Table(
        f"Systems by {compared.measure}",
        ("system", compared.measure, *columns),
        rows,
        (note, *left_out_note(compared.left_out)),
    )
    pairs = tuple(
        (
            pair.better,
            pair.worse,
            f"{pair.difference.mean:+.4f} [{pair.difference.low:+.4f}, {pair.difference.high:+.4f}]",
            f"{pair.p:.4f}",
            f"{pair.p_holm:.4f}",
            f"{pair.wins:,} / {pair.losses:,} / {pair.ties:,}",
        )
        for pair in compared.pairs
    )
    header = ("better", "worse", "difference", "p", "p (Holm)", "wins / losses / ties")
    return systems, Table("Pairs of systems", header, pairs, named_by=2)


def fidelity_table(found: Fidelity) -> Table:
    """The systems by their means on the full set, with the rank correlations below."""
    order = sorted(found.systems, key=lambda one: -one[1])
    place = {name: str(number) for number, (name, _, _) in enumerate(order, start=1)}
    rows = tuple(
        (name, f"{full:.4f}", str(number), f"{subset:.4f}", place[name])
        for number, (name, subset, full) in enumerate(found.systems, start=1)
    )
    notes = [
        f"Kendall's tau {format_estimate(found.kendall)}, Spearman's rho {format_estimate(found.spearman)}; intervals "
        f"from resampling the {len(found.systems)} systems.",
    ]
    if found.left_out:
        notes.append(f"Measured on one side only, and left out: {', '.join(found.left_out)}.")
    header = ("system", "full set", "rank", "subset", "rank")
    return Table(f"Fidelity of the subset by {found.measure}", header, rows, tuple(notes))
