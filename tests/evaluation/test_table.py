"""What a reader sees."""

from dataclasses import replace

from pyrite.core import Estimate, Qrels, QueryCounts, Run, SweepPoint
from pyrite.evaluation import describe_queries, measure, report_table, sweep_table

QRELS = Qrels.of({"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d9": 0}})
REPORT = replace(
    measure(QRELS, Run.of("bm25:en", {"q1": [("d1", 1.0)]}), "RR P@1"),
    dataset="toy",
    queries=QueryCounts(5000, 1000, 993, 7, {"bm25:en": 1}),
)


def test_the_number_of_queries_is_printed_as_part_of_all():
    assert describe_queries(QueryCounts(5000, 1000, 1000, 0)) == ("Queries: 1,000 of 5,000; 1,000 measured.",)


def test_a_report_becomes_a_row_a_system_with_means_intervals_and_notes():
    """Two values, 1 and 0: a quarter of the resamples is 0, a quarter is 1."""
    table = report_table(REPORT)
    assert (table.title, table.header) == ("toy", ("system", "RR", "P@1"))
    assert table.rows == (("bm25:en", "0.5000 [0.0000, 1.0000]", "0.5000 [0.0000, 1.0000]"),)
    assert table.notes == (
        "Queries: 1,000 of 5,000; 993 measured, 7 left out because nothing relevant is judged.",
        "bm25:en retrieves nothing for 1 of 993 queries; each counts 0.",
    )


def test_markdown_has_names_to_the_left_numbers_to_the_right_and_notes_below():
    lines = report_table(REPORT).to_markdown().splitlines()
    assert lines[:4] == [
        "| system | RR | P@1 |",
        "|---|---:|---:|",
        "| bm25:en | 0.5000 [0.0000, 1.0000] | 0.5000 [0.0000, 1.0000] |",
        "",
    ]
    assert lines[4].startswith("Queries: 1,000 of 5,000")


def test_what_a_system_cuts_is_noted():
    (system,) = REPORT.systems
    cut = replace(REPORT, systems=(replace(system, truncated={"documents": 0.125, "queries": 0.0}),))
    assert report_table(cut).notes[-1] == "bm25:en cuts 12.5% of documents."


def test_what_a_part_of_a_system_cuts_is_noted_once_where_the_part_is_in_the_report_too():
    (system,) = REPORT.systems
    part = replace(system, system="dense:m", truncated={"documents": 0.25})
    whole = replace(system, system="fusion:f", truncated={"documents (dense:m)": 0.25, "documents (sparse:s)": 0.5})
    told = report_table(replace(REPORT, systems=(part, whole))).notes[-2:]
    assert told == ("dense:m cuts 25.0% of documents.", "fusion:f cuts 50.0% of documents (sparse:s).")


def test_a_sweep_of_one_measure_needs_no_column_for_it():
    points = [SweepPoint("a", name, 64, 4, Estimate(0.5, 0.5, 0.5)) for name in ("RR", "P@1")]
    table = sweep_table(replace(REPORT, sweeps={"max_length": tuple(points)}), "max_length", "RR")
    assert table.title == "toy: RR by tokens that are read of a text"
    assert (table.header, table.rows) == (("system", "64"), (("a", "0.5000 [0.5000, 0.5000]"),))


def test_a_sweep_becomes_a_column_a_point():
    points = [
        SweepPoint(system, "RR", at, at + 4, Estimate(mean, mean, mean))
        for system, at, mean in [("a", 1000, 0.5), ("a", 0, 0.75), ("b", 0, 0.25)]
    ]
    table = sweep_table(replace(REPORT, sweeps={"distractors": tuple(points)}), "distractors")
    assert (table.title, table.header) == ("toy: by number of distractors", ("system", "measure", "0", "1,000"))
    assert table.rows == (
        ("a", "RR", "0.7500 [0.7500, 0.7500]", "0.5000 [0.5000, 0.5000]"),
        ("b", "RR", "0.2500 [0.2500, 0.2500]", ""),
    )
    assert table.to_markdown().splitlines()[1] == "|---|---|---:|---:|"


def test_a_run_that_is_too_shallow_for_a_measure_is_noted_and_no_other_rule_is():
    report = measure(QRELS, Run.of("my, run", {"q1": [("d1", 1.0)]}), "RR@10 P@1")
    shallow = "The run my, run is at most 1 deep, which is all that RR@10 can see."
    assert [note for note in report_table(report).notes if note in report.rules] == [shallow]
