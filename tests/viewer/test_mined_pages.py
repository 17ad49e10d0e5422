"""Pages of a mined set."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.viewer import open_paths
from pyrite.viewer.asked import Asked, NotThereError
from pyrite.viewer.mined_pages import mined_page, row_page


def test_rows_stand_in_the_order_that_is_asked_for(mined: Path) -> None:
    told = mined_page(open_paths([mined]), Asked.of("mined=0&order=lowest&find=what"))
    assert [(row, positive, hardest, margin) for row, _, positive, hardest, margin in told["rows"]] == [
        (0, 6.0, 1.5, 4.5),
        (2, 9.0, 1.0, 8.0),
    ]


def test_a_row_says_why_each_document_was_chosen(mined: Path) -> None:
    told = row_page(open_paths([mined]), Asked.of("mined=0&row=1&order=lowest"))
    reasons = [reason for _, _, reason in told["documents"]]
    assert reasons[0] == "It is known to be relevant to the query."
    assert "keep the margin (absolute margin 4)" in reasons[1]
    assert reasons[2].startswith("Too few candidates keep the margin")
    assert (told["needed"], told["place"], told["previous"], told["next"]) == (4.0, 0, None, 0)


def test_a_long_text_is_cut_unless_it_is_asked_for_whole(mined: Path) -> None:
    shelf = open_paths([mined])
    assert [shown.cut for _, shown, _ in row_page(shelf, Asked.of("row=1"))["documents"]] == [False, False, True]
    assert not any(shown.cut for _, shown, _ in row_page(shelf, Asked.of("row=1&whole=1"))["documents"])


def test_a_row_that_is_not_there_is_one_sentence(mined: Path) -> None:
    with pytest.raises(NotThereError, match="there is no row 3"):
        row_page(open_paths([mined]), Asked.of("row=3"))
