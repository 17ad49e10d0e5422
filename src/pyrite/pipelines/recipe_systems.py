"""Systems as a recipe names them: one table for retrievers, teachers and whatever is measured."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.recipe_parts import Strict
from pyrite.retrieval import SystemSpec, parse_system

Least1 = Annotated[int, Field(ge=1)]


class SystemTable(Strict):
    """A system and its settings; a setting that the system's family does not take is an error before any work."""

    system: str = Field(description='short form, as in "bm25:ja", "dense:path/model" or "run:FILE"')
    query_prompt: str | None = None
    document_prompt: str | None = None
    prompt: str | None = None
    max_length: Least1 | None = None
    batch_size: Least1 | None = None
    dtype: Literal["float16", "bfloat16", "float32"] | None = None
    normalize: bool | None = None
    truncate_dim: Least1 | None = None
    devices: list[str] | None = None
    revision: str | None = None
    scale: Annotated[float, Field(gt=0)] | None = None

    def spec(self) -> SystemSpec:
        """The system with its settings as text: those of its short form, and those of the table over them.

        >>> SystemTable(system="dense:m,max_length=64", query_prompt="query, ", normalize=True).spec().settings
        {'max_length': '64', 'query_prompt': 'query, ', 'normalize': 'true'}
        """
        own = SystemTable.model_fields
        told = {key: _text(getattr(self, key)) for key in own if key != "system" and getattr(self, key) is not None}
        family = self.system.partition(":")[0].strip()
        if family in ("run", "scores"):
            # A file's name may hold commas and signs of equality.
            return SystemSpec(self.system.strip(), told)
        parsed = parse_system(self.system)
        return SystemSpec(parsed.system, {**parsed.settings, **told})


class EvaluateTable(Strict):
    """`[evaluate]`: what is measured on every build and shown on the card."""

    systems: list[str | SystemTable] = Field(
        min_length=1, description='short forms, as in "bm25" or "run:FILE", or tables with their settings'
    )
    measures: list[str] = Field(default_factory=lambda: ["nDCG@10", "RR@10", "R@100"])
    depth: Least1 = 100
    distractors: list[Annotated[int, Field(ge=0)] | Literal["all"]] = Field(
        default_factory=list, description="sizes of the saturation curve"
    )
    max_lengths: list[Least1] = Field(default_factory=list, description="tokens of the truncation curve")

    def forms(self) -> list[str]:
        """The systems as short forms, in order.

        >>> EvaluateTable(systems=["bm25", SystemTable(system="dense:m", max_length=64)]).forms()
        ['bm25', 'dense:m,max_length=64']
        """
        return [one if isinstance(one, str) else one.spec().text for one in self.systems]

    def protocol(self) -> Protocol:
        """By which rules they are measured."""
        return Protocol(
            measures=tuple(self.measures),
            depth=self.depth,
            distractors=tuple(self.distractors),
            max_lengths=tuple(self.max_lengths),
        )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "+".join(value) if isinstance(value, list) else str(value)
