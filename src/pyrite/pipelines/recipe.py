"""Recipes: the TOML that makes one dataset, checked key by key before any work."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import tomlkit
from pydantic import BaseModel, Field, ValidationError, model_validator

from pyrite.core import RecipeError
from pyrite.pipelines.recipe_nano import GuardTable, NanoRecipe
from pyrite.pipelines.recipe_parts import CardTable, ClusterTable, Credit, LanguageCode, Published, SourceTable, Strict
from pyrite.pipelines.recipe_systems import EvaluateTable
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.recipe_wording import wanted

Count = Annotated[int, Field(ge=0)]


class Sources(Strict):
    """`[source.eval]` and `[source.train]`."""

    eval: SourceTable
    train: SourceTable | None = Field(None, description="without it there are no distractors")


class QueriesTable(Strict):
    """`[queries]`: which evaluation questions become queries."""

    limit: Annotated[int, Field(ge=1)] | Literal["all"] = "all"
    headline: Annotated[int, Field(ge=1)] | None = Field(
        None, description="the protocol's prefix; default: every query"
    )
    duplicates: Literal["merge", "keep"] = "merge"


class DistractorsTable(Strict):
    """`[distractors]`: which training passages join the corpus."""

    count: Count | Literal["all"] = "all"
    choose: Literal["first", "random", "hard"] = "first"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(0, description='of choose = "random"')
    system: str = Field("bm25", description='which ranks for choose = "hard"; a run:FILE names rows as t0, t1, ...')
    guard: GuardTable = GuardTable()


class DedupTable(Strict):
    """`[dedup]`: when two passages are the same."""

    identical: Literal["exact", "normalised"] = "exact"
    near: Annotated[float, Field(ge=0.2, le=1)] | None = Field(
        None, description="Jaccard of 5-word shingles from which two passages are one; default: only identical ones are"
    )


class Expect(Strict):
    """`[expect]`: counts that a build must reach; a mismatch is an error that shows both."""

    queries: Count | None = None
    gold: Count | None = None
    distractors: Count | None = None
    corpus: Count | None = None
    qrels: Count | None = None
    digest: str | None = Field(None, description="the content digest of a finished build")


class BenchmarkRecipe(Strict):
    """A recipe of kind "benchmark": question-passage rows become a benchmark with in-domain distractors."""

    kind: Literal["benchmark"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    language: LanguageCode = ""
    remove_self: bool = False
    shard_bytes: Annotated[int, Field(ge=1_000_000)] = 500_000_000
    source: Sources
    queries: QueriesTable = QueriesTable()
    distractors: DistractorsTable = DistractorsTable()
    dedup: DedupTable = DedupTable()
    expect: Expect = Expect()
    published: Published = Field(default_factory=dict)
    credit: list[Credit] = Field(default_factory=list)
    card: CardTable = CardTable()
    cluster: ClusterTable = Field(default_factory=ClusterTable, exclude=True)
    evaluate: EvaluateTable | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_training_table_no_distractors(cls, given: Any) -> Any:
        source = given.get("source") if isinstance(given, dict) else None
        if isinstance(source, dict) and "train" not in source and "distractors" not in given:
            return {**given, "distractors": {"count": 0}}
        return given

    @model_validator(mode="after")
    def _settings_fit(self) -> Self:
        limit, headline = self.queries.limit, self.queries.headline
        if headline is not None and limit != "all" and headline > limit:
            raise ValueError(f"queries.headline: {headline} is more than queries.limit = {limit}")
        if self.distractors.choose == "hard" and self.distractors.count == "all":
            raise ValueError('distractors.count: "all" leaves nothing to choose; give a number')
        if self.source.train is None and self.distractors.count != 0:
            raise ValueError("source.train: is missing; add the table, or set distractors.count = 0")
        return self


KINDS: dict[str, type[Strict]] = {"benchmark": BenchmarkRecipe, "nano": NanoRecipe, "training": TrainingRecipe}


@dataclass(frozen=True)
class LoadedRecipe:
    """A recipe that passed every check, with what a build needs beside it.

    Attributes:
        recipe: the checked values, defaults filled in.
        base: the folder that its relative paths start from.
        text: the TOML with the overrides in it, as it goes into the built folder.
    """

    recipe: Strict
    base: Path
    text: str


def shipped_recipes() -> list[str]:
    """The names of the recipes in the package, sorted.

    >>> "benchmark/miriad-200k" in shipped_recipes()
    True
    """
    root = Path(str(resources.files("pyrite") / "recipes"))
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.toml"))


def find_recipe(name_or_path: str) -> Path:
    """The file of a shipped recipe's name or of a path; RecipeError where there is neither."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    shipped = Path(str(resources.files("pyrite") / "recipes" / f"{name_or_path}.toml"))
    if shipped.is_file():
        return shipped
    close = difflib.get_close_matches(name_or_path, shipped_recipes(), n=1)
    hint = "'pyrite recipes' lists the shipped ones" + (f"; the nearest is '{close[0]}'" if close else "")
    raise RecipeError(f"there is no file or shipped recipe '{name_or_path}'", fix=hint)


def load_recipe(name_or_path: str, overrides: Sequence[str] = ()) -> LoadedRecipe:
    """Read and check a recipe; `overrides` are "a.b=value" strings, values in TOML or plain text.

    A relative path given by an override is one of the working directory, where it exists there.

    >>> loaded = load_recipe("benchmark/miriad-200k", ["queries.limit=1000"])
    >>> loaded.recipe.queries.limit
    1000
    """
    path = find_recipe(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
        tomlkit.parse(text)
    except UnicodeDecodeError as error:
        raise RecipeError(f"is not UTF-8 text ({error.reason})", where=str(path)) from error
    except (tomllib.TOMLDecodeError, tomlkit.exceptions.TOMLKitError) as error:
        raise RecipeError(f"is not valid TOML: {error}", where=str(path)) from error
    recipe, changed = _overridden(text, overrides, where=str(path))
    return LoadedRecipe(recipe, path.resolve().parent, changed)


def override_recipe(loaded: LoadedRecipe, overrides: Sequence[str]) -> LoadedRecipe:
    """The recipe with "a.b=value" strings over it, checked again."""
    recipe, changed = _overridden(loaded.text, overrides, where=str(loaded.base))
    return LoadedRecipe(recipe, loaded.base, changed)


def _overridden(text: str, overrides: Sequence[str], *, where: str) -> tuple[Strict, str]:
    """The checked recipe with the overrides in it, and its text; what an override spoils is told by the override."""
    document = tomlkit.parse(text)
    for override in overrides:
        _override(document, override)
    try:
        return check_recipe(document.unwrap(), where=where), tomlkit.dumps(document)
    except RecipeError as error:
        blamed = ", ".join(f"--set {override}" for override in _blamed(error, overrides, text))
        raise RecipeError(error.what, where=blamed or where, fix=error.fix) from None


def _blamed(error: RecipeError, overrides: Sequence[str], text: str) -> list[str]:
    """The overrides whose key is named in an error; else all of them, where the recipe passes without."""
    named = [one for one in overrides if error.names(one.partition("=")[0].strip())]
    try:
        check_recipe(tomlkit.parse(text).unwrap(), where="")
    except RecipeError:
        return named
    return named or list(overrides)


def check_recipe(values: Mapping[str, Any], *, where: str) -> Strict:
    """The values as a checked recipe of their kind; RecipeError names the key and what is accepted."""
    kind = values.get("kind")
    if kind not in KINDS:
        raise RecipeError(
            f"kind is {kind!r}" if "kind" in values else "kind is missing",
            where=where,
            fix=f"accepted: {', '.join(sorted(KINDS))}",
        )
    model = KINDS[str(kind)]
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _named(error, model, where) from None


def _override(document: tomlkit.TOMLDocument, override: str) -> None:
    key, separator, text = override.partition("=")
    parts = [part.strip() for part in key.split(".")]
    if not separator or not all(parts):
        raise RecipeError(f"'--set {override}' is not KEY=VALUE", fix="write it as in --set queries.limit=1000")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if parts[-1] == "path" and isinstance(value, str) and value and Path(value).exists():
        value = str(Path(value).resolve())
    table: Any = document
    for part in parts[:-1]:
        if isinstance(table, list) and part.isdigit() and int(part) < len(table):
            table = table[int(part)]
        elif isinstance(table, MutableMapping):
            table = table.setdefault(part, tomlkit.table())
        if not isinstance(table, MutableMapping | list):
            raise RecipeError(f"'--set {override}': {part} is not a table")
    if not isinstance(table, MutableMapping):
        raise RecipeError(
            f"'--set {override}': {parts[-2]} is a list of tables", fix=f"write {parts[-2]}.0.{parts[-1]}"
        )
    table[parts[-1]] = value


def _named(error: ValidationError, model: type[BaseModel], where: str) -> RecipeError:
    problem = error.errors()[0]
    location = [str(part) for part in problem["loc"] if part not in ("int", "str", "function-after")]
    # Members of a union ("literal['all']", "constrained-int") are not keys.
    location = [part for part in location if not part.startswith(("literal[", "constrained-", "list[", "dict["))]
    key = ".".join(location)
    message = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        accepted = _keys_at(model, location[:-1])
        close = difflib.get_close_matches(location[-1], accepted, n=1)
        hint = f"did you mean '{close[0]}'? accepted" if close else "accepted"
        return RecipeError(f"unknown key '{key}'", where=where, fix=f"{hint}: {', '.join(accepted)}")
    if problem["type"] == "missing":
        return RecipeError(f"'{key}' is missing", where=where, fix="add it")
    if not key:
        return RecipeError(message, where=where)
    shown = problem.get("input")
    wants = "; or: ".join(
        dict.fromkeys(wanted(other) for other in error.errors() if other["loc"][:1] == problem["loc"][:1])
    )
    return RecipeError(f"'{key}' is {shown!r}", where=where, fix=wants)


def _keys_at(model: type[BaseModel], location: Sequence[str]) -> list[str]:
    current: type[BaseModel] = model
    for part in location:
        if part.isdigit() or part not in current.model_fields:
            continue
        annotation = current.model_fields[part].annotation
        nested = [a for a in (annotation, *getattr(annotation, "__args__", ())) if isinstance(a, type)]
        models = [a for a in nested if issubclass(a, BaseModel)]
        if models:
            current = models[0]
    return sorted(current.model_fields)
