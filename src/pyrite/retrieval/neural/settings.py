"""What can be set of a neural system, read from text and checked before any model is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from pyrite.core import RecipeError

DTYPES = ("float32", "float16", "bfloat16")
_ALL = ("prompt", "max_length", "batch_size", "dtype", "devices", "revision", "name")
_TWO_SIDES = ("query_prompt", "document_prompt", "normalize", "scale")
ACCEPTED: Mapping[str, tuple[str, ...]] = {
    "dense": (*_TWO_SIDES, "truncate_dim", *_ALL),
    "sparse": (*_TWO_SIDES, *_ALL),
    "multi-vector": (*_TWO_SIDES, *_ALL),
    "rerank": _ALL,
}
"""Family -> the settings that it takes."""


@dataclass(frozen=True)
class NeuralSettings:
    """The settings of a neural system; None is what the model itself says.

    Attributes:
        query_prompt, document_prompt: text before every query and document; "" for none.
        prompt: text before both, where the above say nothing; of a reranker, its instruction.
        max_length: tokens that are read of a text, or of a pair.
        batch_size: texts of full length in one batch; shorter texts go in larger batches. None: by the device.
        dtype: of the weights and the computation; None: float32. With a half one documents are stored in float16.
        normalize: whether vectors get length 1; None: where the model compares by cosine.
        truncate_dim: how many leading dimensions are kept.
        devices: torch's names; several share the work. None named: an accelerator where there is one.
        revision: of a hub model, a commit, branch or tag.
        scale: what scores are multiplied with when they are used as a teacher's logits.
        name: what reports call it instead of its model.

    >>> NeuralSettings.of("dense", {"max_length": "256", "devices": "cuda:0+cuda:1"}, where="dense:m").devices
    ('cuda:0', 'cuda:1')
    """

    query_prompt: str | None = None
    document_prompt: str | None = None
    prompt: str | None = None
    max_length: int | None = None
    batch_size: int | None = None
    dtype: str | None = None
    normalize: bool | None = None
    truncate_dim: int | None = None
    devices: tuple[str, ...] = ()
    revision: str | None = None
    scale: float | None = None
    name: str | None = None

    @classmethod
    def of(cls, family: str, given: Mapping[str, str], *, where: str) -> NeuralSettings:
        """The settings of a family from their text; RecipeError for one that it does not take or that has no sense."""
        for key in given:
            if key not in ACCEPTED[family]:
                raise RecipeError(
                    f"{family} has no setting '{key}'", where=where, fix=f"accepted: {', '.join(ACCEPTED[family])}"
                )
        values: dict[str, Any] = {}
        for key, text in given.items():
            try:
                values[key] = _READ[key](text)
            except ValueError as error:
                raise RecipeError(f"{key}={text} is not {error}", where=where) from None
        return cls(**values)

    def said(self) -> dict[str, Any]:
        """Those that are set, for a report, without the name; the same for the same text, in one order."""
        held = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "name"}
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in held.items()
            if value is not None and value != ()
        }

    def prompt_of(self, role: str) -> str | None:
        """The prompt of "query" or "document"; None: the model's own."""
        own = self.query_prompt if role == "query" else self.document_prompt
        return self.prompt if own is None else own


def _whole(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ValueError("a whole number of 1 or more")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise ValueError("a number above 0")
    return value


def _switch(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("true or false")
    return text == "true"


def _dtype(text: str) -> str:
    if text not in DTYPES:
        raise ValueError(f"one of {', '.join(DTYPES)}")
    return text


def _devices(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split("+"))
    if not all(names):
        raise ValueError("a device, or several as in cuda:0+cuda:1")
    return names


_READ: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("query_prompt", "document_prompt", "prompt", "revision", "name"), str),
    **dict.fromkeys(("max_length", "batch_size", "truncate_dim"), _whole),
    "dtype": _dtype,
    "normalize": _switch,
    "devices": _devices,
    "scale": _number,
}
