"""The account of one step, with only the reasons that occurred."""

from __future__ import annotations

from collections.abc import Mapping

from pyrite.core import LedgerEntry


def account(
    stage: str, unit: str, *, rows_in: int, rows_out: int, dropped: Mapping[str, int], notes: tuple[str, ...] = ()
) -> LedgerEntry:
    """A ledger entry without the reasons that nothing was left out for.

    >>> account("empty documents", "documents", rows_in=3, rows_out=3, dropped={"empty text": 0}).dropped
    {}
    """
    return LedgerEntry(stage, unit, rows_in, rows_out, {why: count for why, count in dropped.items() if count}, notes)
