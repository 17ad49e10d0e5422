"""How many queries rest on a tie, counted by hand."""

from pyrite.core import Qrels, Run
from pyrite.evaluation import measure
from pyrite.evaluation.hits import Judgements
from pyrite.evaluation.measures import parse_measures
from pyrite.evaluation.table import report_table
from pyrite.evaluation.ties import tie_depth, tied_share

QRELS = Qrels.of({query: {"d1": 1} for query in ("q1", "q2", "q3", "q4")})


def share(rankings: dict, depth: int | None = None) -> float:
    return tied_share(Judgements(QRELS), Run.of("toy", rankings), depth)


def test_scores_that_half_precision_makes_equal_are_reported_as_a_share_of_the_queries() -> None:
    """O26: two cosines 1e-4 apart are one number in bfloat16, and two in float32."""
    apart = [("d1", 0.90004), ("d2", 0.89996)]
    tied = [("d1", 0.8984375), ("d2", 0.8984375)]  # both, rounded to the 8 bits of bfloat16
    whole = {"q1": apart, "q2": apart, "q3": apart, "q4": apart}
    assert share(whole) == 0.0
    assert share({**whole, "q2": tied}) == 0.25


def test_scores_that_differ_beyond_float32_tie_as_they_do_in_trec_eval() -> None:
    assert share({"q1": [("d1", 1.0 + 2e-9), ("d2", 1.0 + 1e-9)]}) == 0.25
    assert share({"q1": [("d1", 1.0 + 2e-7), ("d2", 1.0)]}) == 0.0


def test_only_neighbours_above_the_cutoff_and_across_it_count() -> None:
    ranking = {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 2.0)]}
    assert [share(ranking, depth) for depth in (1, 2, 3)] == [0.0, 0.25, 0.25]


def test_the_last_of_one_ranking_and_the_first_of_the_next_are_no_tie() -> None:
    assert share({"q1": [("d1", 1.0)], "q2": [("d1", 1.0)], "q3": [], "q4": [("d1", 1.0)]}) == 0.0


def test_forced_documents_without_a_score_tie_with_nothing() -> None:
    low = float("-inf")
    assert share({"q1": [("d1", 1.0), ("d2", low), ("d3", low)]}) == 0.0


def test_a_query_that_is_not_measured_does_not_count() -> None:
    assert share({"q9": [("d1", 1.0), ("d2", 1.0)], "q1": [("d1", 1.0)]}) == 0.0


def test_a_run_without_documents_has_no_ties() -> None:
    assert share({"q1": []}) == 0.0


def test_a_measure_without_a_cutoff_looks_all_the_way_down() -> None:
    assert tie_depth(parse_measures("nDCG@10 R@100")) == 100
    assert tie_depth(parse_measures("nDCG@10 AP")) is None


def test_the_report_and_its_table_name_the_share_and_the_rule() -> None:
    report = measure(QRELS, Run.of("toy", {"q1": [("d2", 1.0), ("d1", 1.0)]}), "nDCG@10")
    assert report.systems[0].tied == 0.25
    assert report.to_json()["systems"][0]["tied"] == 0.25
    assert "Queries with tied scores: toy 25.0%." in report_table(report).notes
    assert (
        "A tied query has two documents of one score (in float32) next to each other in its first 10." in report.rules
    )
