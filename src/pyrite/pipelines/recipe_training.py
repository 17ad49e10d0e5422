"""Recipes of kind "training": known positives become rows with hard negatives and a teacher's logits."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from pyrite.core import RecipeError
from pyrite.mining import FilterRules, PairRules, SelectRules, check_rules
from pyrite.pipelines.recipe_parts import CardTable, ClusterTable, Credit, LanguageCode, Published, SourceTable, Strict
from pyrite.pipelines.recipe_systems import SystemTable

Count = Annotated[int, Field(ge=0)]
Least1 = Annotated[int, Field(ge=1)]
NEAR_FROM = 0.2
"""The least likeness that is looked for."""
Finite = Annotated[float, Field(allow_inf_nan=False)]


class TrainingSources(Strict):
    """`[source.queries]` and `[source.corpus]`; a folder with both needs only the first."""

    queries: SourceTable = Field(description="one row a query: query, relevant (a list of ids), id where there is one")
    corpus: SourceTable | None = Field(None, description="id, text, title where there is one")


class PairsTable(Strict):
    """`[pairs]`: how relevant documents become rows."""

    duplicates: Literal["merge", "keep"] = Field("merge", description="what queries of equal text become")
    missing: Literal["error", "drop"] = Field("error", description="what a relevant id that the corpus lacks is")
    per_query: Least1 | Literal["all"] = Field("all", description="rows a query at most; none is ever a negative")
    limit: Least1 | Literal["all"] = Field("all", description="only the first so many distinct questions")

    def rules(self) -> PairRules:
        """What the mining room takes."""
        cap = None if self.per_query == "all" else self.per_query
        return PairRules(duplicates=self.duplicates, missing=self.missing, per_query=cap)

    def most(self) -> int | None:
        """How many distinct questions there are at most; None: no bound."""
        return None if self.limit == "all" else self.limit


class PoolTable(Strict):
    """`[pool]`: which documents may become negatives, beside the positives."""

    sample: Count | Literal["all"] = "all"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class RetrieverTable(SystemTable):
    """`[[retriever]]`: who finds candidates; of several the candidates are united."""

    depth: Least1 = Field(100, description="candidates a query")


class TeacherTable(SystemTable):
    """`[teacher]`: whose logits decide, and are published."""

    depth: Least1 | None = Field(None, description="ranks that are scored for every query; default: 50, or all")


class SelectTable(Strict):
    """`[select]`: which candidates become negatives. No margin has a default: set one, both or none."""

    num_negatives: Least1 = 5
    positive_min: Finite = Field(2.0, description="a row whose positive has a lower logit is dropped")
    absolute_margin: Finite | None = Field(None, description="positive - negative is at least this")
    relative_margin: Finite | None = Field(None, description="negative is at most positive - this * |positive|")
    max_score: Finite | None = Field(None, description="a negative's logit is at most this")
    min_score: Finite | None = Field(None, description="a negative's logit is at least this")
    range_min: Count = Field(0, description="the first so many ranks are not used")
    range_max: Least1 | None = Field(None, description="no rank after this is used")
    top_up: bool = Field(False, description="fill a short row with candidates that only the margins kept out")
    short_rows: Literal["drop", "keep"] = "drop"
    near: Annotated[float, Field(ge=0, le=1)] = Field(
        0.8, description="a candidate that shares so many 5-word shingles with a positive is no negative; 0: not looked"
    )
    allow_squashed: bool = Field(False, description="go on where every logit lies within [-1, 1]")

    def rules(self, depth: int) -> SelectRules:
        """What the mining room takes; `depth` is the teacher's."""
        told = self.model_dump(exclude={"short_rows", "near", "allow_squashed"})
        return SelectRules(**told, depth=depth)


class FilterTable(Strict):
    """`[filter]`: which rows of n-tuples are in n-tuples-filtered."""

    positive_min: Finite = 2.0
    margin_min: Finite = 0.5
    margin_penalty: Finite = 0.1

    def rules(self) -> FilterRules:
        """What the mining room takes."""
        return FilterRules(**self.model_dump())


class TrainingExpect(Strict):
    """`[expect]`: counts that a build must reach; a mismatch is an error that shows both."""

    model_config = ConfigDict(populate_by_name=True)

    queries: Count | None = None
    pairs: Count | None = None
    unique_positives: Count | None = None
    corpus: Count | None = None
    pool: Count | None = None
    scored: Count | None = None
    weak_positive: Count | None = None
    too_few_candidates: Count | None = None
    margin_only: Count | None = None
    top_up: Count | None = None
    negatives: Count | None = None
    triplets: Count | None = None
    n_tuples: Count | None = Field(None, alias="n-tuples")
    n_tuples_filtered: Count | None = Field(None, alias="n-tuples-filtered")
    n_tuples_short: Count | None = Field(None, alias="n-tuples-short")
    digest: str | None = Field(None, description="the content digest of a finished build")

    def model_dump(self, **settings: Any) -> dict[str, Any]:
        """The values under the names that the recipe has for them."""
        return super().model_dump(**{"by_alias": True, **settings})


class TrainingRecipe(Strict):
    """A recipe of kind "training": pairs, triplets, n-tuples and filtered n-tuples with teacher logits."""

    kind: Literal["training"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    language: LanguageCode = ""
    shard_bytes: Annotated[int, Field(ge=1_000_000)] = 500_000_000
    source: TrainingSources
    pairs: PairsTable = PairsTable()
    pool: PoolTable = PoolTable()
    retriever: list[RetrieverTable] = Field(min_length=1)
    teacher: TeacherTable
    select: SelectTable = SelectTable()
    filter: FilterTable = FilterTable()
    expect: TrainingExpect = TrainingExpect()
    published: Published = Field(default_factory=dict)
    credit: list[Credit] = Field(default_factory=list)
    card: CardTable = CardTable()
    cluster: ClusterTable = Field(default_factory=ClusterTable, exclude=True)

    @property
    def depth(self) -> int:
        """Ranks that the teacher scores for every query."""
        deepest = max(table.depth for table in self.retriever)
        return self.teacher.depth if self.teacher.depth is not None else min(50, deepest)

    def rules(self) -> SelectRules:
        """The rules of the selection."""
        return self.select.rules(self.depth)

    @model_validator(mode="before")
    @classmethod
    def _is_not_measured(cls, values: Any) -> Any:
        if isinstance(values, dict) and "evaluate" in values:
            raise ValueError(
                "evaluate: systems are measured on benchmarks; a mined set is measured by what training on it brings: "
                "leave the table out, and run pyrite train"
            )
        return values

    @model_validator(mode="after")
    def _settings_fit(self) -> Self:
        if 0 < self.select.near < NEAR_FROM:
            raise ValueError(f"select.near: {self.select.near} is too unlike; write {NEAR_FROM} to 1, or 0 for none")
        try:
            check_rules(self.rules(), depths=tuple(table.depth for table in self.retriever))
        except RecipeError as error:
            raise ValueError(f"{error.what}; {error.fix}") from error
        return self

    def model_dump(self, **settings: Any) -> dict[str, Any]:
        """The values under the names that the recipe has for them."""
        return super().model_dump(**{"by_alias": True, **settings})
