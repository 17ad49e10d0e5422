"""How many tokens a model would read of a text if it read all of it, and so which texts it cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.neural.loading import LoadedModel


class TokenCounter:
    """Counts tokens as the model's tokenizer cuts them.

    Args:
        model: where the tokenizer is.
        role: "query", "document" or "pair".
        prompt: what stands before each text.
    """

    def __init__(self, model: LoadedModel, role: str, prompt: str | None) -> None:
        self._tokenizer = _tokenizer(model.first)
        self._prompt = prompt or ""
        self.limit = model.limit(role)
        self.sure = self._tokenizer is not None and not _has_template(model.first)

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Tokens of each text, its prompt and the special ones included; without a tokenizer, estimated."""
        if not texts:
            return np.zeros(0, np.int64)
        prompted = [self._prompt + text for text in texts] if self._prompt else list(texts)
        if self._tokenizer is None:
            return np.array([len(text) // 4 + 1 for text in prompted], np.int64)
        cut = self._tokenizer(
            prompted,
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return np.fromiter((len(ids) for ids in cut["input_ids"]), np.int64, len(prompted))

    def pair_counts(
        self, first: NDArray[np.int64], second: NDArray[np.int64], *, prompted: int = 0
    ) -> NDArray[np.int64]:
        """Tokens of pairs from the counts of their two texts, each counted alone; `prompted`: those of a prompt."""
        if self._tokenizer is None:
            return first + second + prompted
        alone = int(self._tokenizer.num_special_tokens_to_add(pair=False))
        return first + second - 2 * alone + int(self._tokenizer.num_special_tokens_to_add(pair=True)) + prompted

    def read(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of so many tokens the model reads."""
        return counts if self.limit is None else np.minimum(counts, self.limit)

    def is_cut(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether texts of so many tokens are cut."""
        return np.zeros(len(counts), np.bool_) if self.limit is None else counts > self.limit


def _tokenizer(model: Any) -> Any | None:
    from transformers import PreTrainedTokenizerBase

    try:
        tokenizer = model.tokenizer
    except AttributeError:
        return None
    return tokenizer if isinstance(tokenizer, PreTrainedTokenizerBase) else None


def _has_template(model: Any) -> bool:
    """Whether texts are put into a conversation first, whose tokens are not counted here."""
    return "message" in getattr(model[0], "modality_config", {})
