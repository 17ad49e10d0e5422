"""The statistics of a mined set as tables."""

from pathlib import Path

from pyrite.cli.mined import mined_tables, print_mined
from pyrite.formats import read_manifest


def test_tables_say_what_the_manifest_says_and_add_up(mined_folder: Path, capsys) -> None:
    told = read_manifest(mined_folder).facts["statistics"]
    pairs, negatives, verdicts, logits, candidates = mined_tables(told)
    assert pairs.rows == (
        ("filled by the margin alone", "4", "80.0%"),
        ("with top-up", "0", "0.0%"),
        ("dropped: weak positive", "1", "20.0%"),
        ("dropped: too few candidates", "0", "0.0%"),
        ("together", "5", ""),
    )
    assert pairs.notes == ("3 of the rows filled by the margin have candidates of deeper ranks",)
    assert negatives.rows[-1] == ("together", "8", "")
    assert sum(int(row[1]) for row in negatives.rows[:-1]) == 8
    assert verdicts.rows[-1] == ("together", "4", "")
    assert logits.rows[0] == ("positive", "5.00", "6.50", "6.50", "8.00")
    assert dict(candidates.rows)["looked at"] == "21"
    print_mined(told)
    assert "Negatives of n-tuples" in capsys.readouterr().out


def test_short_rows_are_a_line_where_there_are_some(mined_folder: Path) -> None:
    told = {**read_manifest(mined_folder).facts["statistics"], "short": 2, "extended": 0}
    pairs, *_ = mined_tables(told)
    assert ("short, in n-tuples-short", "2", "40.0%") in pairs.rows
    assert pairs.notes == ()
