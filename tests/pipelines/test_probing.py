"""Straight lines through short builds."""

import pytest

from pyrite.pipelines.probing import Probe, _line, _Run, _without_files
from pyrite.pipelines.recipe import DistractorsTable


def test_a_build_that_grows_with_its_rows_is_a_line():
    probe = _line(_Run(1000, 2.0, 0, 0), _Run(4000, 5.0, 8000, 4000), seconds=7.0)
    assert probe == Probe(4000, 7.0, pytest.approx(1.0), pytest.approx(0.001), pytest.approx(0.00125), 2.0, 1.0)
    assert probe.seconds_for(4000, 4000) == (pytest.approx(5.0), pytest.approx(6.0))


@pytest.mark.parametrize("small", [9.0, 5.0, 0.001])
def test_what_the_machine_did_meanwhile_bends_no_line_below_nothing(small):
    probe = _line(_Run(1000, small, 0, 0), _Run(4000, 5.0, 0, 0), seconds=1.0)
    assert 0 < probe.least_a_row <= probe.most_a_row <= 5.0 / 4000 * 2
    assert probe.fixed >= 0


def test_two_builds_of_the_same_rows_share_their_time_among_them():
    assert _line(_Run(10, 1.0, 0, 0), _Run(10, 1.0, 0, 0), seconds=2.0).most_a_row == pytest.approx(0.1)


def test_rankings_and_scores_of_the_whole_table_are_not_asked_of_a_sample():
    wanted = DistractorsTable(count=5, choose="hard", system="run:all.trec", guard={"system": "scores:all.parquet"})
    sampled = _without_files(wanted)
    assert (sampled.system, sampled.guard.system, sampled.guard.near) == ("bm25", "", 0.8)
    assert _without_files(DistractorsTable(choose="first")) == DistractorsTable(choose="first")
