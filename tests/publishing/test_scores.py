"""Reports as the tables of a card."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from pyrite.core import Estimate, QueryCounts, Report, SweepPoint, SystemReport
from pyrite.formats import write_report
from pyrite.publishing.scores import best_models, curves, find_mean, find_reports, published_rows, score_tables


def report(*systems: tuple[str, str, float], selected: int = 10) -> Report:
    return Report(
        dataset="toy",
        split="test",
        queries=QueryCounts(total=20, selected=selected, measured=selected, without_positives=0),
        query_ids=(),
        systems=tuple(
            SystemReport(name, family, {}, {"R@10": Estimate(0.9, 0.8, 1.0), "nDCG@10": Estimate(mean, 0.0, 1.0)}, {})
            for name, family, mean in systems
        ),
    )


def sweep(system: str, *means: float) -> Report:
    points = tuple(
        SweepPoint(system, "nDCG@10", at, 5 + at, Estimate(mean, mean, mean)) for at, mean in enumerate(means)
    )
    return Report("toy", "test", QueryCounts(1, 1, 1, 0), (), (), {"distractors": points})


def test_systems_come_best_first_by_ndcg() -> None:
    table = score_tables([report(("bm25:en", "lexical", 0.5), ("dense:a/b", "dense", 0.7))])[0]
    assert table.measures == ("nDCG@10", "R@10")
    assert [(row.system, row.family) for row in table.rows] == [("dense:a/b", "Dense"), ("bm25:en", "Lexical")]


def test_a_reranker_that_was_given_positives_comes_last_and_is_nobodys_number() -> None:
    told = report(("rerank:a/b (forced positives)", "reranker", 0.9), ("rerank:a/b", "reranker", 0.4))
    given, own = told.systems
    told = replace(told, systems=(replace(given, settings={"forced_positives": 2}), own))
    (table,) = score_tables([told])
    assert [row.system for row in table.rows] == ["rerank:a/b", "rerank:a/b (forced positives)"]
    assert find_mean([table], "nDCG@10", "a/b") == 0.4


def test_other_queries_make_another_table() -> None:
    told = [report(("bm25", "lexical", 0.5)), report(("bm25", "lexical", 0.4), selected=20)]
    assert [(table.selected, len(table.rows)) for table in score_tables(told)] == [(10, 1), (20, 1)]


def test_a_system_measured_twice_is_told_once_as_first_found() -> None:
    tables = score_tables([report(("bm25", "lexical", 0.5)), report(("bm25", "lexical", 0.4))])
    assert [row.cells[0] for row in tables[0].rows] == [Estimate(0.5, 0.0, 1.0)]


def test_curves_of_several_reports_are_one_and_a_gap_stays_a_gap() -> None:
    (curve,) = curves([sweep("a", 0.9, 0.5), sweep("b", 0.8)], "distractors")
    assert curve.points == ((0, 5), (1, 6))
    assert curve.rows[1] == ("b", (Estimate(0.8, 0.8, 0.8), None))
    assert curve.spread(0) == (0.8, 0.9)
    assert curve.spread(-1) == (0.5, 0.5)
    assert curves([sweep("a", 0.9)], "max_length") == []


def test_a_system_is_found_as_a_recipe_names_it() -> None:
    tables = score_tables([report(("bm25:en", "lexical", 0.5), ("dense:org/model,max_length=256", "dense", 0.7))])
    assert find_mean(tables, "nDCG@10", "bm25") == 0.5
    assert find_mean(tables, "nDCG@10", "org/model") == 0.7
    assert find_mean(tables, "nDCG@10", "org/mod") is None
    assert find_mean(tables, "AP@10", "bm25") is None


def test_usage_code_names_the_best_model_on_the_hub_and_no_local_path() -> None:
    told = report(("dense:a/b", "dense", 0.5), ("dense:c/d@rev", "dense", 0.7), ("sparse:./x/y/z", "sparse", 0.9))
    assert best_models(score_tables([told])) == {"dense": "c/d"}


def test_published_numbers_stand_beside_what_is_here() -> None:
    tables = score_tables([report(("bm25:en", "lexical", 0.5))])
    published = {"corpus": 7, "tokens_per_document": 941, "nDCG@10": {"bm25": 0.6, "a/b": 0.7}}
    assert published_rows(published, {"corpus": 6}, tables) == [
        ("corpus", 7, 6),
        ("tokens_per_document", 941, None),
        ("nDCG@10 of bm25", 0.6, 0.5),
        ("nDCG@10 of a/b", 0.7, None),
    ]


def test_reports_are_found_below_results_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("results/b", "results/a", "more"):
        system = SystemReport(name, "run", {}, {"R@1": Estimate(1.0, 1.0, 1.0)}, {"R@1": np.ones(1)})
        write_report(tmp_path / name, Report("toy", "test", QueryCounts(1, 1, 1, 0), ("q0",), (system,)))
    found = [one.systems[0].system for one in find_reports(tmp_path, [tmp_path / "more"])]
    assert found == ["results/a", "results/b", "more"]
