"""Leaks of a protected collection in a training table, row by row."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.preparation.excluding import REASONS, Protection

DOCUMENT = "Pyrite, an iron sulfide, is called fool's gold for its pale brass-yellow hue."
QUERY = "What is fool's gold made of?"


def _protection(**settings) -> Protection:
    protection = Protection(**settings)
    protection.add(pa.array(["Gold is an element.", DOCUMENT]), "document")
    protection.add(pa.array([QUERY]), "query")
    return protection


def _reasons(protection: Protection, *columns: list) -> list[str]:
    return protection.leaks([pa.array(column) for column in columns]).texts()


def test_each_row_gets_the_strongest_reason_that_holds() -> None:
    """O39: the last but one differs from a protected document in punctuation alone."""
    rows = [
        DOCUMENT,
        QUERY,
        DOCUMENT.upper() + " ",
        "what is fool\u2019s gold made of?".replace("\u2019", "'"),
        "Pyrite - an iron sulfide - is called fool's gold for its pale brass-yellow hue!",
        "Copper is a metal.",
    ]
    assert _reasons(_protection(near=0.8), rows) == [REASONS[1], REASONS[2], REASONS[3], REASONS[4], REASONS[5], ""]


def test_copies_with_a_space_another_case_or_decomposed_are_the_same_normalised() -> None:
    """O11."""
    protection = Protection()
    protection.add(pa.array(["Café au lait"]), "document")
    rows = ["Café au lait ", "CAFÉ AU LAIT", "Cafe\u0301 au lait", "Café au  lait", "Cafe au lait"]
    assert _reasons(protection, rows) == [REASONS[3]] * 4 + [""]


def test_without_near_and_normalised_only_equal_bytes_leak() -> None:
    protection = _protection(identical="exact")
    assert _reasons(protection, [DOCUMENT, DOCUMENT + " ", QUERY.lower()]) == [REASONS[1], "", ""]
    assert _reasons(_protection(), [DOCUMENT.replace(",", ";")]) == [""]


def test_a_text_in_any_column_or_list_makes_its_row_leak() -> None:
    anchors = ["about copper", QUERY, "about tin", "about lead", None]
    positives = ["Copper.", "Copper.", DOCUMENT, "Lead.", "Zinc."]
    negatives = [["x"], [DOCUMENT.lower()], [], None, ["y", QUERY.lower(), DOCUMENT]]
    leaks = _protection().leaks([pa.array(anchors), pa.array(positives), pa.array(negatives)])
    assert leaks.texts() == ["", REASONS[2], REASONS[1], "", REASONS[1]]
    assert leaks.rows.tolist() == [False, True, True, False, True]
    # Protected texts are numbered as they came: two documents, then the query.
    assert leaks.protected.tolist() == [-1, 2, 1, -1, 1]


def test_blank_texts_protect_nothing_and_leak_nothing() -> None:
    protection = Protection(near=0.5)
    protection.add(pa.array(["", None, " \u3000", "..."]), "document")
    assert _reasons(protection, ["", None, "  ", "...", "?!"]) == ["", "", "", REASONS[1], ""]
    assert protection.leaks([pa.array(["..."])]).protected.tolist() == [3]


def test_every_protected_text_counts_however_alike_they_are() -> None:
    """A training text like the second of two near-duplicates leaks, though it is unlike the first."""
    words = [f"w{place}" for place in range(60)]
    protection = Protection(near=0.6)
    protection.add(pa.array([" ".join(words[:44]), " ".join(words[8:52])]), "document")
    leaks = protection.leaks([pa.array([" ".join(words[16:60])])])
    assert leaks.texts() == [REASONS[5]]
    assert leaks.protected.tolist() == [1]


def test_the_first_protected_of_equal_texts_is_named_and_keeps_its_role() -> None:
    protection = Protection(near=0.8)
    protection.add(pa.array(["gold", "Gold"]), "query")
    protection.add(pa.array(["gold", "silver"]), "document")
    leaks = protection.leaks([pa.array(["gold", "GOLD", "gold!", "silver"])])
    assert leaks.protected.tolist() == [0, 0, 0, 3]
    assert leaks.texts() == [REASONS[2], REASONS[4], REASONS[6], REASONS[1]]


@pytest.mark.parametrize("size", [1, 3, 9000])
def test_batches_and_a_work_folder_change_nothing(tmp_path: Path, size: int) -> None:
    protected = pa.array([f"document number {row} of the protected side, with words" for row in range(60)])
    training = pa.array([f"Document number {row} of the protected side with words." for row in range(0, 120, 3)])
    whole, other = Protection(near=0.8, seed=4), Protection(near=0.8, seed=4, work=tmp_path)
    whole.add(protected, "document")
    for start in range(0, 60, size):
        other.add(protected.slice(start, size), "document")
    expected = whole.leaks([training])
    found = [other.leaks([training.slice(start, size)]) for start in range(0, 40, size)]
    assert np.array_equal(np.concatenate([leaks.reasons for leaks in found]), expected.reasons)
    assert np.array_equal(np.concatenate([leaks.protected for leaks in found]), expected.protected)
    assert expected.rows.tolist() == [True] * 20 + [False] * 20
    assert list(tmp_path.iterdir())


def test_the_account_adds_up_and_starts_at_nothing() -> None:
    protection = _protection(near=0.8)
    assert protection.entry().rows_in == 0
    protection.leaks([pa.array([DOCUMENT, "copper", QUERY])])
    protection.leaks([pa.array([QUERY, "tin"])])
    entry = protection.entry()
    assert (entry.rows_in, entry.rows_out) == (5, 2)
    assert dict(entry.dropped) == {REASONS[1]: 1, REASONS[2]: 2}


def test_nothing_protected_leaks_nothing() -> None:
    assert _reasons(Protection(near=0.8), ["a", "b"]) == ["", ""]
    assert Protection().leaks([]).rows.tolist() == []
    assert Protection().leaks([pa.array([], pa.string())]).rows.tolist() == []
