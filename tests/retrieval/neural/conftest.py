"""Tiny random models, made here: a word-piece tokenizer and two layers of 32 numbers, seeded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query

WORDS = (
    *("pyrite", "gold", "iron", "sulfur", "quartz", "fool", "glitters", "soft", "hard"),
    *("mineral", "element", "crystal", "cube", "vein", "river", "rock", "mine", "copper"),
    *("zinc", "lead", "silver", "ore", "heavy", "light", "blue", "green", "red"),
    *("yellow", "streak", "lustre", "cleavage", "hardness", "which", "what", "where", "how"),
    *("is", "the", "of", "in", "a", "deep", "old", "new", "bright"),
    *("dark"),
)


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the folder of a random model: kind ("dense", "masked" or "cross"), seed."""
    made: dict[tuple[str, int], Path] = {}

    def make(kind: str, seed: int = 0) -> Path:
        if (kind, seed) not in made:
            made[kind, seed] = _make(kind, seed, tmp_path_factory.mktemp(f"{kind}{seed}") / "tiny")
        return made[kind, seed]

    return make


def _make(kind: str, seed: int, folder: Path) -> Path:
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import (
        BertConfig,
        BertForMaskedLM,
        BertForSequenceClassification,
        BertModel,
        PreTrainedTokenizerFast,
    )

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = dict.fromkeys([*special, *WORDS, *"abcdefghijklmnopqrstuvwxyz?."])
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(("pad", "unk", "cls", "sep", "mask"), special, strict=True))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **{f"{name}_token": token for name, token in names.items()}
    )
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=1,
        initializer_range=0.5,
    )
    kinds = {"dense": BertModel, "masked": BertForMaskedLM, "cross": BertForSequenceClassification}
    kinds[kind](config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def minerals() -> Collection:
    """60 documents of word salad and 12 queries, with positives everywhere; no two documents are alike."""
    import numpy as np

    chance = np.random.default_rng(4)
    texts = [" ".join(chance.choice(WORDS, chance.integers(4, 40))) for _ in range(60)]
    asked = [" ".join(chance.choice(WORDS, 5)) + "?" for _ in range(12)]
    grades = {
        f"q{number}": {f"d{place}": place % 3 for place in range(60) if (7 * place + 5 * number) % 4 == 0}
        for number in range(12)
    }
    return Collection(
        "minerals",
        "en",
        Corpus.of([Document(f"d{number}", text) for number, text in enumerate(texts)]),
        Queries.of([Query(f"q{number}", text) for number, text in enumerate(asked)]),
        Qrels.of(grades),
    )


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
