"""A reranker orders what it is given: it adds nothing, loses nothing, and a constant one earns nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Collection, DataError, Run
from pyrite.evaluation import measure
from pyrite.retrieval import BM25
from pyrite.retrieval.neural import NeuralSettings, NeuralSystem, Reranker
from pyrite.retrieval.neural.pair_scores import CrossEncoderScorer, PairScores


@pytest.fixture
def reranker(make_model: Callable[..., Path]) -> Reranker:
    system = NeuralSystem("rerank", str(make_model("cross")), NeuralSettings(name="tiny"))
    return Reranker(system, BM25("en"), depth=10)


def constant(monkeypatch: pytest.MonkeyPatch, value: float = 0.0) -> None:
    def score(self, pairs):
        return PairScores(np.full(len(pairs), value, np.float32), 0.0, 0, len(pairs))

    monkeypatch.setattr(CrossEncoderScorer, "score_and_tell", score)


def test_the_candidates_are_ordered_by_their_logits(reranker: Reranker, minerals: Collection) -> None:
    index = reranker.index(minerals.corpus)
    found, _ = index.candidates(minerals.queries)
    run, told = index.search_and_tell(minerals.queries, 100)
    assert run.system == "rerank:tiny,over=bm25:en,depth=10"
    for (query, hits), (_, candidates) in zip(run, found, strict=True):
        assert {hit.doc_id for hit in hits} == {hit.doc_id for hit in candidates}
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True), query
    assert (told.settings["scored"], told.settings["max_length"]) == (len(found.positions), 64)
    assert told.truncated == {"pairs": 0.0}
    assert index.search(minerals.queries, 3).depth == 3


def test_a_constant_scorer_gains_nothing_from_positives_that_are_listed_first(
    reranker: Reranker, minerals: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O20: with candidates that list the positives first, it must be near chance, and not 1."""
    constant(monkeypatch)
    ids = minerals.corpus.ids.to_pylist()
    lists = {}
    for query in minerals.queries.ids.to_pylist():
        positives = minerals.qrels.positives(query)[:1]
        others = [doc for doc in ids if doc not in minerals.qrels.positives(query)]
        lists[query] = [(doc, 1.0) for doc in [*positives, *others[:19]]]
    one = {query: {ranking[0][0]: 1} for query, ranking in lists.items()}
    from pyrite.core import Qrels

    index = reranker.index(minerals.corpus)
    run, _ = index.rerank(Run.of("lists", lists), minerals.queries)
    value = measure(Qrels.of(one), run, "RR@20").mean("RR@20")
    backwards = Run.of("lists", {query: ranking[::-1] for query, ranking in lists.items()})
    again, _ = index.rerank(backwards, minerals.queries)
    # 20 candidates in random order: the expected reciprocal rank is H(20) / 20 = 0.18.
    assert 0.05 < value < 0.4
    assert measure(Qrels.of(one), again, "RR@20").mean("RR@20") == value


def test_a_candidate_or_a_query_that_is_not_there_is_an_error(reranker: Reranker, minerals: Collection) -> None:
    index = reranker.index(minerals.corpus)
    with pytest.raises(DataError, match="candidate 'd999' is not in the corpus"):
        index.rerank(Run.of("x", {"q0": [("d1", 1.0), ("d999", 0.5)]}), minerals.queries)
    with pytest.raises(DataError, match="a query that is not asked"):
        index.rerank(Run.of("x", {"q99": [("d1", 1.0)]}), minerals.queries)
    with pytest.raises(DataError, match="depth of a search is 0"):
        index.search(minerals.queries, 0)


def test_a_query_without_candidates_keeps_an_empty_ranking(reranker: Reranker, minerals: Collection) -> None:
    run, _ = reranker.index(minerals.corpus).rerank(Run.of("x", {"q0": [], "q1": [("d1", 1.0)]}), minerals.queries)
    assert [len(hits) for _, hits in run] == [0, 1]


def test_the_settings_hold_those_of_the_first_stage(reranker: Reranker) -> None:
    settings = reranker.settings()
    assert settings["depth"] == 10
    assert settings["over"]["system"] == "bm25:en"
    assert settings["over"]["k1"] == 1.5
    assert reranker.longest() == 64
