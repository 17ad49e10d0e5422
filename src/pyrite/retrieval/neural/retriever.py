"""Dense, sparse and multi-vector models as retrievers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyrite.core import Corpus
from pyrite.retrieval.neural.encoder import Encoder
from pyrite.retrieval.neural.indexes import NeuralIndex
from pyrite.retrieval.neural.loading import load_model
from pyrite.retrieval.neural.system import NeuralSystem


@dataclass(frozen=True)
class NeuralRetriever:
    """A retriever that encodes queries and documents apart.

    Attributes:
        system: family "dense", "sparse" or "multi-vector", model and settings.
        cache: where embeddings are kept; None: in the user's cache folder.
        finished: files of encoded texts, see `Encoder`; no part of its name or its settings.
    """

    system: NeuralSystem
    cache: Path | None = None
    finished: Mapping[str, tuple[Path, ...]] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """What reports call it ("dense:org/model,max_length=256")."""
        return self.system.name

    @property
    def family(self) -> str:
        """The system's family."""
        return self.system.family

    def settings(self) -> dict[str, Any]:
        """Everything that decides its rankings and is known before the model is loaded."""
        return self.system.told()

    def longest(self) -> int | None:
        """The most tokens that it can read of a text; None: there is no bound."""
        return load_model(self.system).positions

    def reads(self, max_length: int) -> bool:
        """Whether `max_length` is what it reads of texts as it is set, so that setting it would change nothing."""
        model = load_model(self.system)
        query = model.limit("query")
        return model.limit("document") == max_length and query is not None and query <= max_length

    def index(self, corpus: Corpus) -> NeuralIndex:
        """The corpus, encoded; what an earlier call encoded, killed or not, is taken from the cache."""
        return NeuralIndex(self.name, Encoder(self.system, self.cache, self.finished), corpus)
