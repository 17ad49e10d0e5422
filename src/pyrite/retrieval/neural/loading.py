"""Loading a model by sentence-transformers: one copy a device, kept until another model is asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from logging import getLogger
from multiprocessing import current_process
from pathlib import Path
from typing import Any

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.retrieval.neural.heads import trained_only
from pyrite.retrieval.neural.system import NeuralSystem

_CLASSES = {
    "dense": "SentenceTransformer",
    "sparse": "SparseEncoder",
    "multi-vector": "MultiVectorEncoder",
    "rerank": "CrossEncoder",
}
_NO_LIMIT = 1_000_000
"""Tokenizers without a limit say a number beyond this."""


@dataclass(frozen=True)
class LoadedModel:
    """A model on its devices.

    Attributes:
        copies: sentence-transformers models, one a device. devices: their names.
        lengths: what the model itself says of (max_seq_length, query_length, document_length).
        positions: the most tokens that it can tell apart, or None where that has no bound.
    """

    copies: tuple[Any, ...]
    devices: tuple[str, ...]
    lengths: tuple[int | None, int | None, int | None]
    positions: int | None

    @property
    def first(self) -> Any:
        """The copy on the first device."""
        return self.copies[0]

    def read_at_most(self, max_length: int | None) -> None:
        """Cut texts at so many tokens from now on; None: as the model itself says."""
        whole, queries, documents = self.lengths
        for copy in self.copies:
            first = copy[0]
            with _tolerated():
                copy.max_seq_length = whole if max_length is None else max_length
            if documents is not None:
                first.document_length = documents if max_length is None else max_length
            if queries is not None:
                first.query_length = queries if max_length is None else min(queries, max_length)

    def limit(self, role: str) -> int | None:
        """The tokens that are read of a "query", a "document" or a "pair" as it is set now; None: all."""
        first = self.first[0]
        expansion = getattr(first, "query_expansion", None) if role == "query" else None
        if expansion is not None and expansion["strategy"] == "fixed":
            return int(expansion["length"])
        own = getattr(first, f"{role}_length", None)
        limit = own if own is not None else self.first.max_seq_length
        return None if limit is None or limit > _NO_LIMIT else int(limit)


def load_model(system: NeuralSystem) -> LoadedModel:
    """The model of a system, set to read as many tokens as the system says.

    MissingExtraError without the packages, RecipeError for a device or a length that the model does not have,
    DataError for files that are no such model.
    """
    settings = system.settings
    try:
        import sentence_transformers  # noqa: F401
        import torch
    except ImportError:
        raise MissingExtraError.of("models", needed_for=system.name) from None
    devices = settings.devices or (_best_device(),)
    for device in devices:
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError, NotImplementedError):
            raise RecipeError(f"there is no device '{device}'", where=system.name, fix="take cpu or cuda:0") from None
    model = _loaded(system.family, str(system.files.folder), system.files.digest, settings.dtype or "float32", devices)
    if settings.max_length is not None and model.positions is not None and settings.max_length > model.positions:
        raise RecipeError(
            f"max_length={settings.max_length} is more than the {model.positions} tokens that the model can read",
            where=system.name,
            fix=f"give {model.positions} or less",
        )
    model.read_at_most(settings.max_length)
    return model


def _best_device() -> str:
    """An accelerator where there is one; the processes of a local pool take its GPUs in turn."""
    import torch

    if torch.cuda.is_available():
        # A process that was spawned knows the how many-th it is; any other is the first.
        place, *_ = (*current_process()._identity, 1)
        return f"cuda:{(place - 1) % torch.cuda.device_count()}"
    return "mps" if torch.backends.mps.is_available() else "cpu"


@lru_cache(maxsize=1)
def _loaded(family: str, folder: str, _digest: str, dtype: str, devices: tuple[str, ...]) -> LoadedModel:
    import sentence_transformers
    import torch

    make = getattr(sentence_transformers, _CLASSES[family])
    kind = getattr(torch, dtype)
    try:
        with _quietly():
            loaded = [
                make(folder, device=device, model_kwargs={"dtype": kind}, local_files_only=True) for device in devices
            ]
    except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise DataError(
            f"can't be loaded as a {_CLASSES[family]} ({said[0].rstrip('.')})",
            where=Path(folder).name,
            fix="check that it is a model of this family",
        ) from error
    copies = tuple(trained_only(family, copy, Path(folder)) for copy in loaded)
    for copy in copies:
        copy.eval()
    first = copies[0]
    if family == "rerank" and first.num_labels != 1:
        raise DataError(
            f"gives {first.num_labels} labels for a pair, and a reranker gives one score", where=Path(folder).name
        )
    lengths = (first.max_seq_length, *(getattr(first[0], f"{side}_length", None) for side in ("query", "document")))
    return LoadedModel(copies, devices, lengths, _positions(first))


def _positions(model: Any) -> int | None:
    transformer = model.transformers_model
    if transformer is None:
        return None
    config = transformer.config
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions < 1:
        return None
    embeddings = getattr(getattr(transformer, "embeddings", None), "position_embeddings", None)
    # RoBERTa's family counts positions from behind the padding's.
    offset = getattr(embeddings, "padding_idx", None)
    return positions if offset is None else positions - offset - 1


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Without the bars that transformers draws while it loads, and without what it says of heads that are dropped."""
    from transformers.utils import logging

    log: Any = logging
    shown, level = log.is_progress_bar_enabled(), log.get_verbosity()
    theirs = getLogger("sentence_transformers")
    their_level = theirs.level
    log.disable_progress_bar()
    log.set_verbosity_error()
    theirs.setLevel("ERROR")
    try:
        yield
    finally:
        log.set_verbosity(level)
        theirs.setLevel(their_level)
        if shown:
            log.enable_progress_bar()


def _tolerated() -> contextlib.AbstractContextManager[None]:
    """A model without a tokenizer of its own has no length to set."""
    return contextlib.suppress(AttributeError)
