"""Texts to vectors: each distinct text once, in shards that outlive a kill, sorted by length, by a budget of tokens."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import taken
from pyrite.retrieval.bm25.segment_cache import cache_folder
from pyrite.retrieval.neural.batches import token_batches, windows
from pyrite.retrieval.neural.calls import columns_of, encode_call, similarity
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.running import Runner, token_budget
from pyrite.retrieval.neural.store import Store, first_places, text_digests
from pyrite.retrieval.neural.system import NeuralSystem
from pyrite.retrieval.neural.telling import shown
from pyrite.retrieval.neural.tokens import TokenCounter

TEXTS, CHARACTERS = 1024, 4 << 20
"""What one shard holds at most."""
KEPT = 4 << 30
"""Bytes of token vectors of one corpus that are kept on disk; a larger one is encoded for every search."""
_NOUNS = {"query": "queries", "document": "documents"}
_PROMPTS = {"query": ("query",), "document": ("document", "passage", "corpus")}


@dataclass(frozen=True)
class Encoding:
    """Texts that are encoded and stored.

    Attributes:
        store: where. rows: int64, the row of each text, in the texts' order.
        cut: share of the texts that the model did not read to their end; None: not known.
        before, now: how many distinct texts were there already, and how many were encoded for this.
    """

    store: Store
    rows: NDArray[np.int64]
    cut: float | None
    before: int
    now: int


@dataclass(frozen=True)
class Encoder:
    """Encodes queries and documents with a neural system.

    Attributes:
        system: dense, sparse or multi-vector.
        cache: where embeddings are kept; None: `embeddings` in the user's cache folder.
        finished: role -> files of encoded texts (see `write_encoded`), which are taken instead of what is in the cache.
            No file for the documents of a multi-vector system: they are encoded for every search and kept nowhere.
    """

    system: NeuralSystem
    cache: Path | None = None
    finished: Mapping[str, tuple[Path, ...]] = field(default_factory=dict, hash=False)

    def store(self, role: str) -> Store:
        """What was stored of this system and role; nothing of another prompt, length, dtype or fine-tune."""
        folder = self.cache if self.cache is not None else cache_folder() / "embeddings"
        return Store(folder / self.system.fingerprint(role), self.finished.get(role, ()))

    def encode(self, texts: pa.ChunkedArray | pa.Array, role: str) -> Encoding:
        """Every text encoded and on disk.

        Args:
            texts: large_string.
            role: "query" or "document".

        A text that occurs twice, or that an earlier call encoded, is not encoded again. Warns where texts are cut.
        """
        store = self.store(role)
        digests = text_digests(texts)
        distinct = first_places(digests)
        absent = distinct[store.find(digests.take(pa.array(distinct))) < 0]
        for shard in self.stream(texts, absent, role):
            store.add(shard)
        rows = store.find(digests)
        held = [shard.column("cut").to_numpy() for shard in store.shards]
        flags = np.concatenate([np.zeros(0, np.int8), *held])[rows]
        limit = limit_of(store.shards[0]) if store.shards else ""
        cut = share_cut(flags, f"{self.system.name} cuts", _NOUNS[role], limit)
        return Encoding(store, rows, cut, len(distinct) - len(absent), len(absent))

    def fits(self, texts: pa.ChunkedArray | pa.Array) -> bool:
        """Whether the token vectors of these texts may be kept on disk."""
        if "document" in self.finished:
            return bool(self.finished["document"])
        model = load_model(self.system)
        dims = model.first.get_embedding_dimension() or 1024
        characters = pc.sum(pc.utf8_length(texts)).as_py() or 0
        # Four characters a token is a middle; where it is two, twice as much is kept.
        needed = characters // 4 * dims * (4 if self.system.settings.dtype in (None, "float32") else 2)
        folder = self.cache if self.cache is not None else cache_folder()
        existing = next(parent for parent in (folder, *folder.resolve().parents) if parent.is_dir())
        return bool(needed <= min(KEPT, shutil.disk_usage(existing).free // 4))

    def used(self) -> dict[str, Any]:
        """What the model said where the settings say nothing: lengths, prompts, comparison, dimensions, dtype."""
        model = load_model(self.system)
        first, settings = model.first, self.system.settings
        said: dict[str, Any] = {
            "max_length": model.limit("document"),
            "query_max_length": model.limit("query"),
            "query_prompt": self._prompt(first, "query") or "",
            "document_prompt": self._prompt(first, "document") or "",
            "similarity": similarity(self.system, first),
            "dimensions": settings.truncate_dim or first.get_embedding_dimension(),
            "dtype": settings.dtype or "float32",
        }
        if said["query_max_length"] == said["max_length"]:
            del said["query_max_length"]
        return {key: value for key, value in said.items() if value is not None}

    def _prompt(self, model: Any, role: str) -> str | None:
        asked = self.system.settings.prompt_of(role)
        if asked is not None:
            return asked
        prompts: Mapping[str, str] = getattr(model, "prompts", {})
        own = next((prompts[name] for name in _PROMPTS[role] if name in prompts), None)
        default = getattr(model, "default_prompt_name", None)
        return prompts.get(default) if own is None and default is not None else own

    def stream(
        self, texts: pa.ChunkedArray | pa.Array, positions: NDArray[np.int64], role: str
    ) -> Iterator[pa.RecordBatch]:
        """The texts at these positions, each distinct, encoded in their order, a shard at a time; none is kept here.

        A shard has the columns `digest`, `cut` (1: the text is cut, 0: it is not, -1: not known) and the numbers.
        """
        if not len(positions):
            return
        model = load_model(self.system)
        counter = TokenCounter(model, role, self._prompt(model.first, role))
        call = encode_call(self.system, model.first, role)
        runner = Runner(model, self.system.name, token_budget(model, self.system.settings.batch_size, counter.limit))
        sizes = np.asarray(pc.utf8_length(texts).to_numpy(), np.int64)[positions]
        with shown(f"{self.system.name}: encode {_NOUNS[role]}", len(positions), "texts") as progress:
            for start, stop in windows(sizes, texts=TEXTS, characters=CHARACTERS):
                held = taken(texts, positions[start:stop])
                own = held.to_pylist()
                counts = counter.counts(own)
                lengths = counter.read(counts)
                encoded = runner.run(
                    token_batches(lengths, runner.budget),
                    lengths,
                    lambda copy, rows, own=own: call(copy, [own[row] for row in rows.tolist()]),  # type: ignore[misc]
                    progress,
                )
                cut = counter.is_cut(counts).astype(np.int8) if counter.sure else np.full(len(own), -1, np.int8)
                columns = {"digest": text_digests(held), "cut": pa.array(cut)}
                batch = pa.RecordBatch.from_pydict({**columns, **columns_of(self.system, role, encoded)})
                yield batch.replace_schema_metadata({"limit": "" if counter.limit is None else str(counter.limit)})


def limit_of(shard: pa.RecordBatch) -> str:
    """How many tokens were read of a text, as a shard says it, or ""."""
    return str((shard.schema.metadata or {}).get(b"limit", b"").decode())


def share_cut(flags: NDArray[np.int8], who: str, what: str, limit: str) -> float | None:
    """The share of texts that were cut, with a warning where there are any; None where it is not known.

    Args:
        flags: 1 for a text that was cut, 0 for one that was not, -1 where nobody knows.
        who, what, limit: for the warning: who cuts, what, and at how many tokens.
    """
    if not len(flags) or (flags < 0).any():
        return None
    share = float(flags.mean())
    if share:
        length = f" at {limit} tokens" if limit else ""
        warnings.warn(f"{who} {share:.1%} of {len(flags):,} {what}{length}", stacklevel=2)
    return share
