"""A cross-encoder's pairs: sorted by length in batches of a token budget, against input order in batches of 16.

    python benchmarks/rerank.py [--pairs 128] [--layers 3] [--hidden 384] [--repeat 2] [--model FOLDER]

Without a model one of that size is made with random weights: the time does not depend on what they are. Pairs have
lognormal lengths, as passages do. The paths take turns; the best repeat is shown.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pyrite.core import Corpus, Document, Queries, Query, TextPairs
from pyrite.retrieval import CrossEncoderScorer, NeuralSettings, NeuralSystem
from pyrite.retrieval.neural.batches import padding, token_batches
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.running import BUDGET
from pyrite.retrieval.neural.tokens import TokenCounter


def write_model(folder: Path, layers: int, hidden: int) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *_words()])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=512,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=4 * hidden,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def _words() -> list[str]:
    return [f"word{number}" for number in range(5000)]


def make_pairs(count: int) -> TextPairs:
    chance = np.random.default_rng(0)
    words = _words()
    texts = [
        " ".join(words[place] for place in chance.integers(0, 5000, length))
        for length in np.clip(chance.lognormal(5.0, 0.6, count), 10, 480).astype(int)
    ]
    queries = Queries.of([Query(f"q{n}", " ".join(words[p] for p in chance.integers(0, 5000, 12))) for n in range(8)])
    corpus = Corpus.of([Document(f"d{number}", text) for number, text in enumerate(texts)])
    rows = np.arange(count, dtype=np.int32)
    return TextPairs(queries, corpus, rows % 8, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, kind, default in (
        ("pairs", int, 128),
        ("layers", int, 3),
        ("hidden", int, 384),
        ("repeat", int, 2),
        ("model", Path, None),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = asked.model or write_model(folder / "model", asked.layers, asked.hidden)
        system = NeuralSystem("rerank", str(model), NeuralSettings(devices=("cpu",), name="benchmark"))
        pairs = make_pairs(asked.pairs)
        loaded = load_model(system)
        counter = TokenCounter(loaded, "pair", None)
        texts = [
            (pairs.queries[int(q)].text, pairs.corpus[int(d)].text)
            for q, d in zip(pairs.query_positions, pairs.doc_positions, strict=True)
        ]
        counts = [counter.counts([text[side] for text in texts]) for side in (0, 1)]
        lengths = counter.read(counter.pair_counts(*counts))
        in_order = [np.arange(start, min(start + 16, len(texts))) for start in range(0, len(texts), 16)]

        def by_input() -> np.ndarray:
            return np.concatenate([_predict(loaded.first, [texts[row] for row in rows]) for rows in in_order])

        def ours(turn: int) -> np.ndarray:
            return CrossEncoderScorer(system, folder / f"cache{turn}").score(pairs)

        seconds: dict[str, list[float]] = {"input order, batches of 16": [], "sorted, by token budget": []}
        _predict(loaded.first, texts[:4])
        for turn in range(asked.repeat):
            for label, path in zip(seconds, (by_input, lambda turn=turn: ours(turn)), strict=True):
                cpu = time.process_time()
                found = path()
                seconds[label].append(time.process_time() - cpu)
        off = np.abs(by_input() - found).max()
    print(f"{asked.pairs:,} pairs of {int(lengths.mean()):,} tokens in the mean; scores differ by {off:.1e} at most")
    for label, batches in zip(seconds, (in_order, token_batches(lengths, BUDGET)), strict=True):
        best = min(seconds[label])
        print(
            f"  {label:28} {best:7.2f} s cpu {asked.pairs / best:7.1f} pairs/s, padding {padding(lengths, batches):.2f}"
        )
    first, second = (min(own) for own in seconds.values())
    print(f"  {first / second:.2f}x the rate of input order")


def _predict(model: Any, texts: list[tuple[str, str]]) -> np.ndarray:
    found: np.ndarray = model.predict(
        texts, batch_size=len(texts), activation_fn=torch.nn.Identity(), show_progress_bar=False
    )
    return found


if __name__ == "__main__":
    main()
