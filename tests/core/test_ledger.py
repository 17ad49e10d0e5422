"""The account must add up."""

import pytest

from pyrite.core import DataError, Ledger, LedgerEntry


def test_an_entry_that_does_not_add_up_is_refused() -> None:
    """O15: in = kept + dropped by each reason, in one unit."""
    with pytest.raises(DataError, match="does not add up"):
        LedgerEntry("distractors", "rows", 10, 8, {"empty": 1})


def test_a_ledger_survives_its_json() -> None:
    ledger = Ledger().add(
        LedgerEntry("a", "rows", 5, 3, {"x": 1, "y": 1}, ("a note",)), LedgerEntry("b", "queries", 3, 3)
    )
    assert Ledger.from_json(ledger.to_json()) == ledger
    assert ledger.dropped("x") == 1
