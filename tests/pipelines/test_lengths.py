"""The truncation curve: systems that cut, at lengths that they can read, under the report's names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, Run
from pyrite.pipelines import Protocol
from pyrite.pipelines.evaluating import evaluate_systems
from pyrite.pipelines.lengths import at_lengths
from pyrite.pipelines.searching import Search, Searched
from pyrite.retrieval import BM25, NeuralRetriever, NeuralSettings, NeuralSystem, Reranker, parse_system


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (NeuralRetriever, Reranker):
        monkeypatch.setattr(kind, "longest", lambda self: 128)
        monkeypatch.setattr(kind, "reads", lambda self, length: length == 100)


def test_a_system_is_asked_once_for_each_length_it_can_read() -> None:
    with pytest.warns(UserWarning, match="dense:org/m reads 128 tokens at most, so it is not measured at 512"):
        found = at_lengths('dense:org/m,query_prompt="q: "', [128, 512, 64, 64], language="en")
    assert [length for length, _ in found] == [64, 128]
    assert [parse_system(str(text)).settings for _, text in found] == [
        {"query_prompt": "q: ", "max_length": "64"},
        {"query_prompt": "q: ", "max_length": "128"},
    ]


def test_at_the_length_that_it_reads_anyway_a_system_is_the_one_that_was_given() -> None:
    found = at_lengths("dense:org/m", [64, 100], language="en")
    assert found == [(64, "dense:org/m,max_length=64"), (100, "dense:org/m")]


def test_a_system_that_cuts_nothing_has_no_curve() -> None:
    assert at_lengths("bm25", [64], language="en") == []
    assert at_lengths("fusion:rrf,of=bm25+dense:m", [64], language="en") == []
    assert at_lengths(BM25("en"), [64], language="en") == []


def test_without_lengths_no_model_is_loaded_to_ask_what_it_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NeuralRetriever, "longest", lambda self: 1 / 0)
    assert at_lengths("dense:org/m", [], language="en") == []


def test_a_retriever_of_ones_own_making_is_cut_like_a_named_one() -> None:
    made = NeuralRetriever(NeuralSystem("dense", "org/m", NeuralSettings(normalize=True)))
    ((_, cut),) = at_lengths(made, [64], language="en")
    assert isinstance(cut, NeuralRetriever)
    assert cut.system.settings == NeuralSettings(normalize=True, max_length=64)
    ((_, reranked),) = at_lengths(Reranker(NeuralSystem("rerank", "org/ce"), BM25("en")), [64], language="en")
    assert isinstance(reranked, Reranker)
    assert (reranked.system.settings.max_length, reranked.over) == (64, BM25("en"))


def test_what_two_points_ask_for_alike_is_searched_once() -> None:
    corpus = Corpus.of([Document("d1", "x"), Document("d2", "y")])
    toy = Collection("toy", "en", corpus, Queries.of([Query("q1", "x")]), Qrels.of({"q1": {"d1": 1}}))
    asked: list[str] = []

    def search(searches):
        asked.extend(one.system for one in searches)
        return [Searched(one, Run.of(one.system, {"q1": [("d1", 2.0)]}), "dense", {}, 2, 1, {}) for one in searches]

    protocol = Protocol(measures=("RR@10",), max_lengths=(64, 100))
    report = evaluate_systems(toy, ["dense:org/m"], search, protocol=protocol).report
    assert asked == ["dense:org/m", "dense:org/m,max_length=64"]
    assert [(point.system, point.at) for point in report.sweeps["max_length"]] == [
        ("dense:org/m", 64),
        ("dense:org/m", 100),
    ]


def test_the_report_has_a_point_a_length_with_the_share_that_is_cut(tmp_path: Path) -> None:
    corpus = Corpus.of([Document("d1", "x"), Document("d2", "y")])
    toy = Collection("toy", "en", corpus, Queries.of([Query("q1", "x")]), Qrels.of({"q1": {"d1": 1}}))
    asked: list[Search] = []

    def search(searches):
        asked.extend(searches)
        found = []
        for one in searches:
            length = parse_system(one.system).settings.get("max_length")
            ranking = [("d2", 2.0), ("d1", 1.0)] if length == "64" else [("d1", 2.0)]
            cut = {"documents": 0.9} if length == "64" else {}
            run = Run.of(f"dense:m,max_length={length}" if length else one.system, {"q1": ranking})
            found.append(Searched(one, run, "dense", {}, 2, 1, cut))
        return found

    protocol = Protocol(measures=("RR@10",), max_lengths=(128, 64))
    report = evaluate_systems(toy, ["dense:m", "bm25"], search, protocol=protocol).report
    points = [(p.system, p.at, p.estimate.mean, dict(p.truncated)) for p in report.sweeps["max_length"]]
    assert points == [("dense:m", 64, 0.5, {"documents": 0.9}), ("dense:m", 128, 1.0, {})]
    assert [one.system for one in asked] == ["dense:m", "dense:m,max_length=64", "dense:m,max_length=128", "bm25"]
    assert report.to_json()["sweeps"]["max_length"][0]["truncated"] == {"documents": 0.9}
