import pytest

from pyrite.core import DataError
from pyrite.preparation.nano.account import account


def test_reasons_that_nothing_was_left_out_for_are_not_told():
    entry = account("step", "rows", rows_in=5, rows_out=4, dropped={"a": 1, "b": 0}, notes=("n",))
    assert dict(entry.dropped) == {"a": 1}
    assert entry.notes == ("n",)


def test_an_account_that_does_not_add_up_is_refused():
    with pytest.raises(DataError, match="does not add up"):
        account("step", "rows", rows_in=5, rows_out=4, dropped={"a": 0})
