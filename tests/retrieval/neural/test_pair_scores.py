"""A cross-encoder's logits: those of predict, each pair once, none lost to a kill or a sigmoid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Collection, DataError, TextPairs
from pyrite.retrieval.neural import CrossEncoderScorer, NeuralSettings, NeuralSystem
from pyrite.retrieval.neural import pair_scores as module
from pyrite.retrieval.neural.loading import load_model


def scorer(make_model: Callable[..., Path], **settings: object) -> CrossEncoderScorer:
    return CrossEncoderScorer(NeuralSystem("rerank", str(make_model("cross")), NeuralSettings(**settings)))  # type: ignore[arg-type]


def pairs(minerals: Collection, count: int = 200) -> TextPairs:
    chance = np.random.default_rng(0)
    queries, documents = chance.integers(0, 12, count), chance.integers(0, 60, count)
    return TextPairs(minerals.queries, minerals.corpus, queries.astype(np.int32), documents.astype(np.int32))


def texts(given: TextPairs) -> list[tuple[str, str]]:
    return [
        (given.queries[int(query)].text, given.corpus[int(document)].text)
        for query, document in zip(given.query_positions, given.doc_positions, strict=True)
    ]


def test_the_scores_are_those_of_predict_without_its_sigmoid(
    make_model: Callable[..., Path], minerals: Collection
) -> None:
    """O17: one label has a sigmoid by default, which would squash them."""
    import torch

    own, given = scorer(make_model), pairs(minerals)
    model = load_model(own.system).first
    assert type(model.activation_fn).__name__ == "Sigmoid"
    theirs = model.predict(texts(given), batch_size=8, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    ours = own.score(given)
    assert ours.dtype == np.float32
    assert np.allclose(ours, theirs, atol=1e-5)
    assert ours.max() > 1 or ours.min() < 0


def test_a_pair_is_scored_once_and_what_was_finished_stays(
    make_model: Callable[..., Path], minerals: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAIRS", 32)
    own, given = scorer(make_model), pairs(minerals)
    known = set(texts(given))
    distinct = len(known)
    first = own.score_and_tell(given)
    assert (first.before, first.now) == (0, distinct)
    again = own.score_and_tell(given)
    assert (again.before, again.now) == (distinct, 0)
    assert np.array_equal(first.logits, again.logits)
    more = pairs(minerals, 300)
    assert own.score_and_tell(more).now == len(set(texts(more)) - known)


def test_pairs_that_are_cut_are_told_and_prompts_and_lengths_have_scores_of_their_own(
    make_model: Callable[..., Path], minerals: Collection
) -> None:
    given = pairs(minerals)
    lengths = np.array([len(query.replace("?", " ?").split()) + len(doc.split()) + 3 for query, doc in texts(given)])
    with pytest.warns(UserWarning, match="cuts .* of 200 pairs at 20 tokens"):
        cut = scorer(make_model, max_length=20).score_and_tell(given)
    assert cut.cut == pytest.approx((lengths > 20).mean())
    whole, prompted = scorer(make_model).score_and_tell(given), scorer(make_model, prompt="the ").score_and_tell(given)
    assert whole.cut == 0.0
    assert prompted.now == whole.now
    assert not np.allclose(whole.logits, prompted.logits)
    assert not np.allclose(whole.logits, cut.logits)


def test_a_score_that_is_no_number_names_its_pair(
    make_model: Callable[..., Path], minerals: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CrossEncoderScorer, "_call", lambda self, texts: lambda copy, rows: [float("inf")] * len(rows))
    given = pairs(minerals, 3)
    query, document = int(given.query_positions[0]), int(given.doc_positions[0])
    with pytest.raises(DataError, match=f"query 'q{query}': the score of document 'd{document}' is not a finite"):
        scorer(make_model).score(given)


def test_no_pairs_have_no_scores(make_model: Callable[..., Path], minerals: Collection) -> None:
    assert len(scorer(make_model).score(pairs(minerals, 0))) == 0


def test_a_scorer_says_what_it_is(make_model: Callable[..., Path]) -> None:
    own = scorer(make_model, max_length=20)
    assert (own.family, own.name.split(":")[0]) == ("reranker", "rerank")
    assert own.settings()["max_length"] == 20
