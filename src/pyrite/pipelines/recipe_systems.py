"""Systems as a recipe names them: one table for retrievers, teachers and whatever is measured."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

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


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "+".join(value) if isinstance(value, list) else str(value)
