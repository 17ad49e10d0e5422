"""A cross-encoder's logits for (query, document) pairs: each distinct pair once, kept on disk, sorted by length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import Corpus, DataError, Queries, TextPairs, taken
from pyrite.retrieval.bm25.segment_cache import cache_folder
from pyrite.retrieval.neural.batches import token_batches
from pyrite.retrieval.neural.encoder import limit_of, share_cut
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.running import Runner, token_budget
from pyrite.retrieval.neural.store import Store, first_places, text_digests
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.neural.telling import shown
from pyrite.retrieval.neural.tokens import TokenCounter

PAIRS = 2048
"""What one shard holds."""


@dataclass(frozen=True)
class PairScores:
    """Scored pairs.

    Attributes:
        logits: float32, one a pair, before any sigmoid.
        cut: share of the pairs that the model did not read to their end; None: not known.
        before, now: how many distinct pairs were there already, and how many were scored for this.
    """

    logits: NDArray[np.float32]
    cut: float | None
    before: int
    now: int


@dataclass(frozen=True)
class CrossEncoderScorer:
    """A cross-encoder as a scorer of pairs.

    Attributes:
        system: family "rerank", model and settings.
        cache: where logits are kept; None: `pairs` in the user's cache folder.
    """

    system: NeuralSystem
    cache: Path | None = None

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.system.name

    @property
    def family(self) -> str:
        """Always "reranker"."""
        return "reranker"

    def settings(self) -> dict[str, Any]:
        """Everything that decides its scores and is known before the model is loaded."""
        return self.system.told()

    def score(self, pairs: TextPairs) -> NDArray[np.float32]:
        """Raw float32 logits, one a pair, in the pairs' order."""
        return self.score_and_tell(pairs).logits

    def score_and_tell(self, pairs: TextPairs) -> PairScores:
        """The logits, with the share of pairs that are cut and what had to be scored.

        A pair that occurs twice, or that an earlier call scored, killed or not, is not scored again. Warns where pairs
        are cut. DataError for a logit that is not finite, with the pair's ids.
        """
        folder = self.cache if self.cache is not None else cache_folder() / "pairs"
        store = Store(folder / self.system.fingerprint("pair"))
        digests = _pair_digests(pairs)
        distinct = first_places(digests)
        absent = distinct[store.find(digests.take(pa.array(distinct))) < 0]
        self._fill(store, pairs, digests, absent)
        rows = store.find(digests)
        logits = np.concatenate(
            [np.zeros(0, np.float32), *(shard.column("logit").to_numpy() for shard in store.shards)]
        )
        flags = np.concatenate([np.zeros(0, np.int8), *(shard.column("cut").to_numpy() for shard in store.shards)])
        limit = limit_of(store.shards[0]) if store.shards else ""
        cut = share_cut(flags[rows], f"{self.system.name} cuts", "pairs", limit)
        return PairScores(logits[rows], cut, len(distinct) - len(absent), len(absent))

    def _fill(self, store: Store, pairs: TextPairs, digests: pa.Array, absent: NDArray[np.int64]) -> None:
        if not len(absent):
            return
        model = load_model(self.system)
        counter = TokenCounter(model, "pair", None)
        runner = Runner(model, self.system.name, token_budget(model, self.system.settings.batch_size, counter.limit))
        counts = _counts(counter, pairs, absent, self.system.settings.prompt)
        contents = pairs.corpus.contents()
        with shown(f"{self.system.name}: score pairs", len(absent), "pairs") as progress:
            for start in range(0, len(absent), PAIRS):
                own = absent[start : start + PAIRS]
                queries = taken(pairs.queries.texts, pairs.query_positions[own]).to_pylist()
                documents = taken(contents, pairs.doc_positions[own]).to_pylist()
                texts = list(zip(queries, documents, strict=True))
                lengths = counter.read(counts[start : start + PAIRS])
                logits = np.array(
                    runner.run(token_batches(lengths, runner.budget), lengths, self._call(texts), progress), np.float32
                )
                _must_be_finite(logits, pairs, own, self.system.name)
                cut = counter.is_cut(counts[start : start + PAIRS]).astype(np.int8)
                columns = {
                    "digest": digests.take(pa.array(own)),
                    "cut": pa.array(cut if counter.sure else np.full(len(own), -1, np.int8)),
                    "logit": pa.array(logits),
                }
                limit = "" if counter.limit is None else str(counter.limit)
                store.add(pa.RecordBatch.from_pydict(columns).replace_schema_metadata({"limit": limit}))

    def _call(self, texts: list[tuple[str, str]]) -> Callable[[Any, NDArray[np.int64]], list[float]]:
        import torch

        def call(copy: Any, rows: NDArray[np.int64]) -> list[float]:
            # Raw logits: without an activation of our own, one label gets a sigmoid, which rounds strong ones to 1.
            scores = copy.predict(
                [texts[row] for row in rows.tolist()],
                prompt=self.system.settings.prompt,
                batch_size=len(rows),
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
                convert_to_tensor=True,
            )
            found: list[float] = scores.float().cpu().tolist()
            return found

        return call


def _pair_digests(pairs: TextPairs) -> pa.Array:
    """What identifies the two texts of each pair, 32 bytes."""
    both = np.empty((len(pairs), 32), np.uint8)
    contents = pairs.corpus.contents()
    for side, texts, positions in (
        (slice(0, 16), pairs.queries.texts, pairs.query_positions),
        (slice(16, 32), contents, pairs.doc_positions),
    ):
        used, rows = np.unique(positions, return_inverse=True)
        digests = text_digests(taken(texts, used))
        both[:, side] = np.frombuffer(digests.buffers()[1], np.uint8, len(used) * 16).reshape(-1, 16)[rows]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), len(pairs), [None, pa.py_buffer(both.tobytes())])


def _counts(counter: TokenCounter, pairs: TextPairs, rows: NDArray[np.int64], prompt: str | None) -> NDArray[np.int64]:
    """Tokens of these pairs; each text is counted once."""

    def side(texts: Queries | Corpus, positions: NDArray[np.int32]) -> NDArray[np.int64]:
        used, places = np.unique(positions[rows], return_inverse=True)
        held = texts.contents() if isinstance(texts, Corpus) else texts.texts
        return counter.counts(taken(held, used).to_pylist())[places]

    # A prompt's own special tokens are not those of the pair.
    prompted = int(counter.counts([prompt])[0] - counter.counts([""])[0]) if prompt else 0
    first, second = side(pairs.queries, pairs.query_positions), side(pairs.corpus, pairs.doc_positions)
    return counter.pair_counts(first, second, prompted=prompted)


def _must_be_finite(logits: NDArray[np.float32], pairs: TextPairs, rows: NDArray[np.int64], name: str) -> None:
    wrong = np.flatnonzero(~np.isfinite(logits))
    if len(wrong):
        row = int(rows[wrong[0]])
        query = pairs.queries.ids[int(pairs.query_positions[row])].as_py()
        document = pairs.corpus.ids[int(pairs.doc_positions[row])].as_py()
        raise DataError(
            f"the score of document '{document}' is not a finite number",
            where=f"{name}, query '{query}'",
            fix="use dtype=float32",
        )
