"""The parts that recipes of every kind share."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pyrite.sources import SourceSpec


def _code(language: str) -> str:
    """Cards and other tools know languages by code alone: "english" would be one that nobody speaks."""
    if language and not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", language):
        raise ValueError("write a language code of ISO 639, as in 'en'")
    return language


LanguageCode = Annotated[str, AfterValidator(_code)]
"""A language by its code, or "" for none."""


class Strict(BaseModel):
    """A table of a recipe: an unknown key or a wrong type is an error, never a silent default."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SourceTable(Strict):
    """`[source.NAME]`: where a raw table is, and what its columns are called there."""

    path: str = Field(min_length=1, description="hub id, URL, or a path relative to the recipe's file")
    revision: str | None = Field(None, description="commit or tag of a hub source")
    config: str | None = Field(None, description="config of a source that has several")
    split: str | None = Field(None, description="split of a source that has several")
    format: Literal["parquet", "jsonl", "csv", "tsv"] | None = Field(None, description="where the name does not tell")
    columns: dict[str, str] = Field(default_factory=dict, description="our name = theirs")

    def spec(self) -> SourceSpec:
        """What the sources room reads."""
        return SourceSpec(
            path=self.path,
            revision=self.revision,
            config=self.config,
            split=self.split,
            format=self.format,
            columns=self.columns,
        )


class Credit(Strict):
    """`[[credit]]`: whose work this is made of."""

    name: str
    url: str = ""
    license: str = ""
    role: Literal["data", "corpus", "retriever", "teacher", "code"] = "data"
    bibtex: str = ""


class ClusterTable(Strict):
    """`[cluster]`: what a worker of a cluster is given; it decides no byte, and the manifest does not have it."""

    gpus: Annotated[float, Field(ge=0)] = Field(0, description="of a worker in stages that run a model")


class CardTable(Strict):
    """`[card]`: what only a person can say of the dataset."""

    pretty_name: str = ""
    summary: str = ""
    license: str = Field("", description="default: what the credits demand")
    tags: list[str] = Field(default_factory=list)
    train_on: str = Field("", description="the dataset to train on instead of this one")
    not_included: str = ""
    notes: str = ""
    canary: bool = False


Published = dict[str, Any]
"""`[published]`: the numbers of the set that a recipe rebuilds, shown beside ours and never enforced."""
