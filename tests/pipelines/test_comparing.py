"""Results folders are read wherever they lie, and compared, ranked and set against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query, RecipeError, Run
from pyrite.evaluation import comparison_tables, evaluate_runs
from pyrite.formats import write_report
from pyrite.pipelines import compare_results, rank_results, subset_fidelity
from pyrite.pipelines.comparing import read_results

IDS = [f"d{number}" for number in range(8)]


def results(folder: Path, places: dict[str, int], queries: int = 20) -> Path:
    """A report in which each system ranks every query's one positive at a place of its own."""
    asked = [Query(f"q{number}", "x") for number in range(queries)]
    corpus = Corpus.of([Document(doc_id, "x") for doc_id in IDS])
    qrels = Qrels.of({query.query_id: {"d7": 1} for query in asked})
    toy = Collection("toy", "en", corpus, Queries.of(asked), qrels)
    runs = []
    for name, place in places.items():
        order = [*IDS[:place], "d7", *IDS[place:7]]
        ranked = Run.of(name, {q.query_id: [(d, -float(i)) for i, d in enumerate(order)] for q in asked})
        runs.append((ranked, "x", {"forced_positives": 3} if name == "forced" else {}))
    write_report(folder, evaluate_runs(toy, runs, measures=["RR@10", "nDCG@10"]))
    return folder


def test_a_folder_of_results_and_a_dataset_with_results_are_read(tmp_path: Path) -> None:
    results(tmp_path / "many" / "b", {"one": 0})
    results(tmp_path / "many" / "a", {"two": 1})
    assert [report.systems[0].system for report in read_results(tmp_path / "many")] == ["two", "one"]
    results(tmp_path / "dataset" / "results", {"one": 0})
    assert len(read_results(tmp_path / "dataset")) == 1
    with pytest.raises(RecipeError, match=r"has no report\.json"):
        read_results(tmp_path / "none")


def test_systems_of_several_folders_are_compared_and_ranked_by_the_first_measure(tmp_path: Path) -> None:
    first, second = results(tmp_path / "a", {"good": 0, "bad": 3}), results(tmp_path / "b", {"middle": 1})
    compared = compare_results([first, second])
    assert compared.measure == "RR@10"
    assert [name for name, _ in compared.systems] == ["good", "middle", "bad"]
    assert compared.separated == 3
    board = rank_results([first, second], "nDCG@10")
    assert (board.measure, board.systems) == ("nDCG@10", ("good", "middle", "bad"))


def test_a_number_with_forced_positives_has_no_place_among_systems(tmp_path: Path) -> None:
    """O24: the reranker would be first, with positives that its first stage never found."""
    given = results(tmp_path / "a", {"forced": 0, "raw": 3, "other": 1})
    compared, ranked = compare_results([given]), rank_results([given])
    assert [name for name, _ in compared.systems] == ["other", "raw"]
    assert ranked.systems == ("other", "raw")
    # It is named all the same: a reader may look for it.
    told = "Left out, since positives were put into their candidates: forced."
    assert (comparison_tables(compared)[0].notes[-1], ranked.table().notes[-1]) == (told, told)
    plain = rank_results([results(tmp_path / "b", {"raw": 3, "other": 1})])
    assert not [note for note in plain.table().notes if "Left out" in note]


def test_a_subset_is_as_faithful_as_its_order_of_systems(tmp_path: Path) -> None:
    order = {name: place for place, name in enumerate("abcdef")}
    full = results(tmp_path / "full", order)
    assert subset_fidelity(results(tmp_path / "nano", order, 5), full).kendall.mean == 1.0
    backwards = {name: 5 - place for name, place in order.items()}
    assert subset_fidelity(results(tmp_path / "other", backwards, 5), full).spearman.mean == pytest.approx(-1.0)
    with pytest.raises(DataError, match="2 systems are measured on both sides"):
        subset_fidelity(results(tmp_path / "few", {"a": 0, "b": 1}), full)
