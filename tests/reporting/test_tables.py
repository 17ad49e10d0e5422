from dataclasses import replace

from pyrite.core import Ledger
from pyrite.reporting import Page, TextLengths
from pyrite.reporting.naming import shown_systems
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


def texts(table: PageTable) -> list[list[str]]:
    assert {len(row) for row in table.rows} <= {len(table.header)}
    return [[cell.text for cell in row] for row in table.rows]


def test_a_set_is_told_best_system_first_with_groups_and_intervals(page: Page) -> None:
    table = set_table(page.sets[0], shown_systems(page.systems), drawn=True)
    assert table.header == ("system", "family", "group", "nDCG@10", "RR@10")
    assert texts(table) == [
        ["good", "lexical", "a", "0.7500", "0.7500"],
        ["bad", "lexical", "a", "0.5000", "0.5000"],
    ]
    assert table.rows[0][3].small == "0.6500–0.8500"
    assert table.rows[0][3].estimate == page.sets[0].report.systems[1].measures["nDCG@10"]


def test_a_board_has_a_column_a_set_and_a_dash_where_nothing_was_measured(several: Page) -> None:
    table = board_table(several, 0)
    assert table.header == ("system", "family", "mean", "en", "de")
    last = next(row for row in texts(table) if row[0] == "system 7")
    assert last == ["system 7", "lexical", "–", "0.6125", "–"]
    assert texts(table)[0] == ["system 6", "lexical", "0.5875", "0.5875", "0.5875"]


def test_what_was_given_positives_stands_below_the_others_and_is_marked(forced: Page) -> None:
    for table in (set_table(forced.sets[0], shown_systems(forced.systems), drawn=True), board_table(forced, 0)):
        assert [row[0].text for row in table.rows] == ["good", "bad", "good, given all"]
        assert [bool(row[0].small) for row in table.rows] == [False, False, True]
        assert table.apart == 1
    assert texts(set_table(forced.sets[0], shown_systems(forced.systems), drawn=True))[2][2] == ""
    assert texts(board_table(forced, 0))[2][2] == "1.0000"


def test_hardness_is_told_with_its_flags(page: Page) -> None:
    assert texts(hardness_table(page)) == [
        ["minerals", "nDCG@10", "low variance", "2", "0.7000", "0.1000", "0.8000", "0.2000", "0 of 1"]
    ]


def test_a_sweep_has_a_column_a_point_and_a_gap_where_a_system_was_not_measured(page: Page) -> None:
    names = shown_systems(page.systems)
    table = sweep_table(page.sets[0], "distractors", names)
    assert table.header == ("system", "measure", "0", "20")
    assert texts(table) == [["good", "nDCG@10", "0.9000", "0.7000"], ["bad", "nDCG@10", "0.9000", "0.7000"]]
    report = page.sets[0].report
    fewer = {"distractors": report.sweeps["distractors"][:3]}
    table = sweep_table(replace(page.sets[0], report=replace(report, sweeps=fewer)), "distractors", names)
    assert texts(table)[1] == ["bad", "nDCG@10", "0.9000", "–"]


def test_what_is_cut_is_told_by_length(page: Page) -> None:
    assert texts(truncated_table(page)) == [["good", "documents", "32", "50.0%"], ["good", "documents", "64", "25.0%"]]


def test_the_spread_over_queries_is_told_in_shares_and_quartiles(page: Page) -> None:
    rows = texts(spread_table(page))
    assert rows[0] == ["bad", "nDCG@10", "25.0%", "0.0000", "0.5000", "0.5000", "25.0%"]
    assert rows[2] == ["good", "nDCG@10", "25.0%", "0.0000", "1.0000", "1.0000", "75.0%"]


def test_lengths_name_their_set_where_they_have_one(page: Page) -> None:
    assert texts(lengths_table(page))[1] == ["queries", "2", "15.0", "10", "10", "20", "20"]
    named = replace(page, lengths=(replace(page.lengths[0], of="de"), TextLengths("queries", "", 0, 0, 0, 0, 0, 0, ())))
    assert [row[:2] for row in texts(lengths_table(named))] == [["de", "documents"], ["", "queries"]]


def test_a_ledger_row_has_every_reason_and_adds_up(page: Page) -> None:
    assert page.manifest is not None
    assert texts(ledger_table(Ledger.from_json(page.manifest.ledger))) == [
        ["passages", "rows", "1 empty; 2 seen before", "12", "9", "3"]
    ]


def test_a_source_is_told_without_the_folder_that_it_lay_in(page: Page) -> None:
    assert page.manifest is not None
    table = sources_table(page.manifest)
    assert table.header == ("source", "path", "rows", "digest")
    assert texts(table) == [["eval", "eval.jsonl", "12", "abc"]]
