"""What a search of a neural index gives and tells, whichever way its vectors took."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Queries
from pyrite.retrieval.neural import NeuralRetriever, NeuralSettings, NeuralSystem, TellingIndex
from pyrite.retrieval.neural import encoder as encoder_module

FAMILIES = {"dense": "dense", "sparse": "masked", "multi-vector": "dense"}


def retriever(family: str, make_model: Callable[..., Path], **settings: object) -> NeuralRetriever:
    return NeuralRetriever(NeuralSystem(family, str(make_model(FAMILIES[family])), NeuralSettings(**settings)))  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
def test_documents_with_one_text_tie_and_go_by_position(
    family: str, make_model: Callable[..., Path], minerals: Collection
) -> None:
    """O44: however the batches and products fell."""
    texts = [document.text for document in minerals.corpus]
    twice = Corpus.of([Document(f"{letter}{row}", text) for letter in "ab" for row, text in enumerate(texts)])
    run = retriever(family, make_model).index(twice).search(minerals.queries, 20)
    for _, hits in run:
        assert [hit.doc_id[0] for hit in hits] == ["a", "b"] * 10
        assert all(hits[i].doc_id[1:] == hits[i + 1].doc_id[1:] for i in range(0, 20, 2))
        assert all(hits[i].score == hits[i + 1].score for i in range(0, 20, 2))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_search_tells_what_the_model_decided_and_what_it_cut(
    family: str, make_model: Callable[..., Path], minerals: Collection
) -> None:
    with pytest.warns(UserWarning, match="cuts .* documents at 10 tokens"):
        index = retriever(family, make_model, max_length=10, query_prompt="which ").index(minerals.corpus)
    assert isinstance(index, TellingIndex)
    run, told = index.search_and_tell(minerals.queries, 5)
    assert run.depth == 5
    assert told.settings["max_length"] == 10
    assert told.settings["query_prompt"] == "which "
    cut = np.mean([len(document.text.split()) + 2 > 10 for document in minerals.corpus])
    assert told.truncated == {"documents": pytest.approx(cut), "queries": 0.0}
    assert index.search_and_tell(minerals.queries, 5)[1].encoded == len(minerals.corpus)


def test_token_vectors_that_are_not_kept_give_the_same_run(
    make_model: Callable[..., Path], minerals: Collection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = [document.text for document in minerals.corpus]
    corpus = Corpus.of([Document(f"d{row}", text) for row, text in enumerate([*texts, *texts[:9]])])
    kept = retriever("multi-vector", make_model).index(corpus).search(minerals.queries, 30)
    monkeypatch.setattr(encoder_module, "KEPT", 0)
    monkeypatch.setattr(encoder_module, "TEXTS", 16)
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "other"))
    index = retriever("multi-vector", make_model, max_length=64).index(corpus)
    run, told = index.search_and_tell(minerals.queries, 30)
    assert told.encoded == 60 + 12
    assert told.truncated == {"documents": 0.0, "queries": 0.0}
    assert np.array_equal(run.positions, kept.positions)
    assert np.allclose(run.scores, kept.scores, rtol=1e-5)
    assert len(list((tmp_path / "other").rglob("*.arrow"))) == 1  # the queries


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_to_search_or_to_ask_is_an_empty_run(
    family: str, make_model: Callable[..., Path], minerals: Collection
) -> None:
    """O40, O41."""
    made = retriever(family, make_model)
    empty = made.index(Corpus.of([])).search(minerals.queries, 5)
    assert (len(empty), empty.depth) == (12, 0)
    assert len(made.index(minerals.corpus).search(Queries.of([]), 5)) == 0
    blank = made.index(Corpus.of([Document("d1", ""), Document("d2", "gold")])).search(minerals.queries, 5)
    assert blank.depth <= 2
    with pytest.raises(DataError, match="depth of a search is 0"):
        made.index(minerals.corpus).search(minerals.queries, 0)
