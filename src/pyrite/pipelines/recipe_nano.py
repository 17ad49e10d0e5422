"""Recipes of kind "nano": many small splits, each from one source collection."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from pyrite.core import TEMPLATE
from pyrite.pipelines.recipe_parts import CardTable, ClusterTable, Credit, LanguageCode, Published, SourceTable, Strict
from pyrite.pipelines.recipe_systems import EvaluateTable
from pyrite.sources import SourceSpec

Count = Annotated[int, Field(ge=0)]
Least1 = Annotated[int, Field(ge=1)]
Format = Literal["parquet", "jsonl", "csv", "tsv"]
SPLIT_NAME = re.compile(r"\w+(\.\w+)*")
"""What `datasets` takes for a split; "all" is its word for every split together."""
TABLES = frozenset({"corpus", "queries", "qrels", "metadata", "provenance", "results"})
"""Folders of a dataset that are no candidates."""


class PartTable(Strict):
    """`queries`, `corpus` or `qrels` of a source that is raw tables; what it leaves out is the source's."""

    path: str | None = Field(None, description="default: the source's")
    revision: str | None = None
    config: str | None = None
    split: str | None = Field(None, description="default, but for the corpus: the query split")
    format: Format | None = None
    columns: dict[str, str] = Field(default_factory=dict, description="our name = theirs")


class QueriesPart(PartTable):
    """`queries`: id and text, and, where there is no qrels table, each query's positives and negatives."""

    refer_by: Literal["row", "id"] = Field("id", description="what positives and negatives hold")


class NanoSourceTable(Strict):
    """`[source]`: holds for each split, `{language}` filled in; a split may give any key anew."""

    path: str | None = Field(None, description="hub id or folder")
    revision: str | None = None
    queries: QueriesPart | None = None
    corpus: PartTable | None = None
    qrels: PartTable | None = Field(None, description="columns query_id, doc_id, relevance")
    query_split: str | None = Field(None, description="the query split that is wished for")
    split: str | None = Field(None, description="the same, of a folder in a known layout")
    fallback: list[str] | None = Field(None, description="query splits to try where it is not usable, in order")


class GuardTable(Strict):
    """`[nano.guard]`: what fill = "hard" leaves out, because it may be relevant."""

    near: Annotated[float, Field(gt=0, le=1)] | None = Field(
        0.8, description="share of 5-word shingles with a positive"
    )
    system: str = Field("", description='scores documents and positives alike, as "run:FILE"')
    margin: Annotated[float, Field(ge=0)] = Field(0.0, description="in the system's unit, below the positive's score")


class NanoTable(Strict):
    """`[nano]`: which queries and documents a split has."""

    limit_queries: Least1 = 200
    limit_documents: Least1 = 10_000
    positives_per_query: Literal[1, "all"] = 1
    identical: Literal["exact", "normalised"] = Field("exact", description="when two documents are the same text")
    template: str = Field(TEMPLATE, description="how title and text become one text")
    fill: Literal["none", "source-order", "random", "hard"] = "none"
    fill_depth: Least1 = Field(1000, description='how deep fill = "hard" ranks the source corpus')
    order: Literal["selection", "shuffled"] = "selection"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    guard: GuardTable = GuardTable()


class BM25Table(Strict):
    """`[bm25]`: the candidates that every split has."""

    depth: Least1 = 100
    force_positives: bool = True
    variant: Literal["lucene", "robertson"] = "lucene"
    k1: Annotated[float, Field(ge=0)] = 1.5
    b: Annotated[float, Field(ge=0, le=1)] = 0.75


class CandidatesTable(Strict):
    """`[[candidates]]`: a further config of candidates, by a system of its own or by fusing others."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    system: str = Field("", description='any system, as "run:FILE"; {split} and {language} are filled in')
    of: list[str] = Field(default_factory=list, description="names of the configs to fuse by reciprocal rank")
    k: Annotated[float, Field(ge=0)] = 60.0
    depth: Least1 = 100
    force_positives: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.name in TABLES or self.name == "bm25":
            raise ValueError(f"candidates.name: '{self.name}' is taken; choose another")
        if bool(self.system) == bool(self.of):
            raise ValueError(f"candidates: '{self.name}' needs either system or of")
        return self


class SplitExpect(Strict):
    """`expect` of a split: counts that it must reach."""

    queries: Count | None = None
    corpus: Count | None = None
    qrels: Count | None = None


class SplitTable(NanoSourceTable):
    """`[[split]]`: one language or task; keys of `[source]` that stand here hold for this split."""

    name: str
    language: LanguageCode = ""
    analyzer: str = Field("auto", description='as "stemmer:de/german", "ja", or "auto"')
    source_task: str = Field("", description="what the source calls it; shown on the card")
    expect: SplitExpect = SplitExpect()
    published: Published = Field(default_factory=dict)


class NanoExpect(SplitExpect):
    """`[expect]`: the same over all splits together."""

    splits: Count | None = None
    digest: str | None = Field(None, description="the content digest of a finished build")


class NanoRecipe(Strict):
    """A recipe of kind "nano": a small split a language or task, with candidates for rerankers."""

    kind: Literal["nano"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    language: LanguageCode = Field("", description="of every split that does not name its own")
    dataset_id: str = Field("", description="where the dataset will be on the hub; default: its name")
    source: NanoSourceTable = NanoSourceTable()
    nano: NanoTable = NanoTable()
    bm25: BM25Table = BM25Table()
    candidates: list[CandidatesTable] = Field(default_factory=list)
    split: list[SplitTable] = Field(min_length=1)
    expect: NanoExpect = NanoExpect()
    published: Published = Field(default_factory=dict)
    credit: list[Credit] = Field(default_factory=list)
    card: CardTable = CardTable()
    cluster: ClusterTable = Field(default_factory=ClusterTable, exclude=True)
    evaluate: EvaluateTable | None = None

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        seen: set[str] = set()
        for split in self.split:
            if not SPLIT_NAME.fullmatch(split.name) or split.name == "all":
                raise ValueError(
                    f"split.name: '{split.name}' is no name of a split; use letters, digits and '_', and keep the "
                    "other name as source_task"
                )
            # Two names that differ by case are one file on some disks.
            if split.name.casefold() in seen:
                raise ValueError(f"split.name: '{split.name}' is there twice")
            seen.add(split.name.casefold())
        known = ["bm25"]
        for made in self.candidates:
            if made.name in known:
                raise ValueError(f"candidates.name: '{made.name}' is there twice")
            unknown = [name for name in made.of if name not in known]
            if unknown:
                raise ValueError(f"candidates.of: '{unknown[0]}' is none of {', '.join(known)}, which stand before it")
            known.append(made.name)
        return self

    @model_validator(mode="after")
    def _sources_fit(self) -> Self:
        for split in self.split:
            self.source_of(split)
        return self

    def source_of(self, split: SplitTable) -> SplitSource:
        """Where this split comes from: `[source]` with the split's own keys over it, `{language}` filled in."""
        keys = NanoSourceTable.model_fields
        merged = {
            key: getattr(split, key) if getattr(split, key) is not None else getattr(self.source, key) for key in keys
        }
        language = split.language or self.language
        return SplitSource.of(_filled(merged, {"language": language, "split": split.name}), split.name)


class SplitSource(Strict):
    """Where one split comes from, with nothing left open.

    Attributes:
        path: of a folder in a known layout, or of raw tables.
        queries, corpus, qrels: the raw tables; None for a folder.
        requested: the wished query split, "" for a folder that has only one.
        fallback: the query splits to try after it.
    """

    path: str
    revision: str | None
    queries: QueriesPart | None
    corpus: PartTable | None
    qrels: PartTable | None
    requested: str
    fallback: list[str]

    @classmethod
    def of(cls, merged: Mapping[str, Any], name: str) -> SplitSource:
        """The merged keys as one source; ValueError names the key that is missing or does not fit."""
        path, queries, corpus, qrels = (merged[key] for key in ("path", "queries", "corpus", "qrels"))
        tables = queries is not None or corpus is not None or qrels is not None
        if path is None:
            raise ValueError(f"source.path: is missing for split '{name}'")
        if tables and (queries is None or corpus is None):
            missing = "queries" if queries is None else "corpus"
            raise ValueError(f"source.{missing}: is missing for split '{name}', which has other tables")
        if tables and merged["split"] is not None:
            raise ValueError(f"split: '{merged['split']}' of split '{name}' is for folders; write query_split")
        if tables and queries is not None and qrels is None and "positives" not in queries.columns:
            raise ValueError(
                f"source.queries.columns: 'positives' is missing for split '{name}', which has no qrels table"
            )
        if merged["split"] is not None and merged["query_split"] is not None:
            raise ValueError(f"split: '{merged['split']}' of split '{name}' stands beside a query_split; keep one")
        fallback = merged["fallback"] or []
        requested = merged["split"] if merged["split"] is not None else merged["query_split"]
        order = [requested or "", *fallback]
        if len(set(order)) < len(order):
            raise ValueError(f"fallback: a query split of split '{name}' is named twice in {', '.join(order)}")
        return cls(
            path=path,
            revision=merged["revision"],
            queries=queries,
            corpus=corpus,
            qrels=qrels,
            requested=requested or "",
            fallback=fallback,
        )

    def spec(self, part: PartTable, query_split: str | None) -> SourceSpec:
        """One of the raw tables, as the sources room reads it; `query_split` where the part names no split."""
        table = SourceTable(
            path=part.path if part.path is not None else self.path,
            revision=part.revision if part.revision is not None or part.path is not None else self.revision,
            config=part.config,
            split=part.split if part.split is not None else query_split,
            format=part.format,
            columns=part.columns,
        )
        return table.spec()


def _filled(value: Any, names: Mapping[str, str]) -> Any:
    """The value with {language} and {split} filled in, in every string of it."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [_filled(item, names) for item in value]
    if isinstance(value, PartTable):
        return type(value).model_validate(_filled(value.model_dump(), names))
    if isinstance(value, Mapping):
        return {key: _filled(item, names) for key, item in value.items()}
    return value
