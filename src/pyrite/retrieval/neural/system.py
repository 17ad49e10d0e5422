"""A neural system: which family, which model, which settings; and what identifies what it computes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pyrite.engine import digest_of
from pyrite.retrieval.neural.model_files import ModelFiles, find_model
from pyrite.retrieval.neural.settings import NeuralSettings

STORED = 1
"""Raised whenever the same text would be stored as other numbers."""
_SHOWN = ("max_length", "truncate_dim", "dtype", "normalize")
_PACKAGES = ("sentence-transformers", "torch", "transformers")


@dataclass(frozen=True)
class NeuralSystem:
    """A model and how it is used; nothing is loaded by making one.

    Attributes:
        family: "dense", "sparse", "multi-vector" or "rerank".
        model: a folder or a hub id.
        settings: see `NeuralSettings`.
    """

    family: str
    model: str
    settings: NeuralSettings = field(default_factory=NeuralSettings)

    @cached_property
    def files(self) -> ModelFiles:
        """The model's files; a hub model is fetched."""
        return find_model(self.model, revision=self.settings.revision)

    @property
    def name(self) -> str:
        """What reports call it: family, model, and the settings that change its numbers."""
        if self.settings.name is not None:
            return f"{self.family}:{self.settings.name}"
        folder = Path(self.model)
        model = "/".join(folder.resolve().parts[-2:]) if folder.is_dir() else self.model
        revision = f"@{self.settings.revision}" if self.settings.revision is not None else ""
        said = self.settings.said()
        shown = "".join(f",{key}={str(said[key]).lower()}" for key in _SHOWN if key in said)
        return f"{self.family}:{model}{revision}{shown}"

    def told(self) -> dict[str, Any]:
        """Everything that decides its output and is known before it is loaded, for reports and keys."""
        return {
            "model": self.files.name,
            "fingerprint": self.files.digest,
            **({"revision": self.files.revision} if self.files.revision else {}),
            "versions": {name: _version(name) for name in _PACKAGES},
            **self.settings.said(),
        }

    def fingerprint(self, role: str) -> str:
        """What a stored vector or score was made by: weights, prompt, length, dimensions, dtype, normalisation.

        Args:
            role: "query", "document" or "pair".
        """
        own = self.settings
        prompt = own.prompt if role == "pair" else own.prompt_of(role)
        numbers = [own.max_length, own.truncate_dim, own.dtype or "float32", own.normalize]
        return digest_of("embedding", STORED, self.family, self.files.digest, role, prompt, numbers)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
