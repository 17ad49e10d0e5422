"""Tokens are counted as the model's own tokenizer cuts them, special ones and prompt included."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from pyrite.retrieval.neural import NeuralSettings, NeuralSystem
from pyrite.retrieval.neural.loading import LoadedModel, load_model
from pyrite.retrieval.neural.tokens import TokenCounter


def test_counts_are_those_of_the_models_own_input(make_model: Callable[..., Path]) -> None:
    model = load_model(NeuralSystem("dense", str(make_model("dense"))))
    texts = ["gold", "", "what glitters in a river?", "iron " * 30]
    counter = TokenCounter(model, "document", "the ")
    fed = [model.first.preprocess([text], prompt="the ")["input_ids"].shape[1] for text in texts]
    assert counter.counts(texts).tolist() == fed
    assert counter.is_cut(counter.counts(["iron " * 61, "iron " * 62])).tolist() == [False, True]


def test_the_limit_cuts_what_is_read(make_model: Callable[..., Path]) -> None:
    model = load_model(NeuralSystem("dense", str(make_model("dense")), NeuralSettings(max_length=5)))
    counter = TokenCounter(model, "query", None)
    assert counter.read(np.array([3, 5, 9])).tolist() == [3, 5, 5]


def test_a_pair_is_as_long_as_the_model_reads_it(make_model: Callable[..., Path]) -> None:
    model = load_model(NeuralSystem("rerank", str(make_model("cross"))))
    counter = TokenCounter(model, "pair", None)
    pairs = [("gold", "iron ore"), ("", "a"), ("what is hard?", "quartz")]
    counts = counter.pair_counts(*(counter.counts([pair[side] for pair in pairs]) for side in (0, 1)))
    assert counts.tolist() == [model.first.preprocess([pair])["input_ids"].shape[1] for pair in pairs]


def test_without_a_tokenizer_lengths_are_estimated_and_nothing_is_claimed() -> None:
    class Bare:
        max_seq_length = None

        def __getitem__(self, place: int) -> object:
            return object()

    counter = TokenCounter(LoadedModel((Bare(),), ("cpu",), (None, None, None), None), "document", None)
    assert not counter.sure
    assert counter.counts(["x" * 40, ""]).tolist() == [11, 1]
    assert counter.is_cut(np.array([10**9])).tolist() == [False]
