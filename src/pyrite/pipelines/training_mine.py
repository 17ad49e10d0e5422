"""Mining without a recipe file: the recipe is written from what was asked for, and is what runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from pyrite.core import RecipeError
from pyrite.pipelines.recipe import LoadedRecipe, check_recipe


@dataclass(frozen=True)
class MiningRequest:
    """What is to be mined, and by whom.

    Attributes:
        name: of the dataset.
        pairs: a table of queries with their relevant ids, or a folder that has the corpus too.
        corpus: a table of documents; "" where `pairs` has them.
        retrievers: short forms, at least one. teacher: a short form.
        columns, corpus_columns: our name -> theirs.
        settings: dotted key of a recipe -> value: "select.absolute_margin" -> 4.0.
    """

    name: str
    pairs: str
    retrievers: tuple[str, ...]
    teacher: str
    corpus: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    corpus_columns: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def mining_recipe(asked: MiningRequest, *, base: Path | None = None) -> LoadedRecipe:
    """The recipe of a request, checked; relative paths start from `base` (default: the working directory).

    >>> asked = MiningRequest("toy", "q.jsonl", ("bm25:en",), "scores:s.csv", corpus="c.jsonl",
    ...     settings={"select.absolute_margin": 4.0})
    >>> print(mining_recipe(asked).text, end="")
    kind = "training"
    name = "toy"
    <BLANKLINE>
    [source.queries]
    path = "q.jsonl"
    <BLANKLINE>
    [source.corpus]
    path = "c.jsonl"
    <BLANKLINE>
    [[retriever]]
    system = "bm25:en"
    <BLANKLINE>
    [teacher]
    system = "scores:s.csv"
    <BLANKLINE>
    [select]
    absolute_margin = 4.0
    """
    values: dict[str, Any] = {"kind": "training", "name": asked.name}
    if "language" in asked.settings:
        values["language"] = asked.settings["language"]
    values["source"] = {"queries": _source(asked.pairs, asked.columns)}
    if asked.corpus:
        values["source"]["corpus"] = _source(asked.corpus, asked.corpus_columns)
    values["retriever"] = [{"system": system} for system in asked.retrievers]
    values["teacher"] = {"system": asked.teacher}
    for key, value in asked.settings.items():
        _put(values, key, value)
    where = "the mining request"
    return LoadedRecipe(check_recipe(values, where=where), base or Path.cwd(), tomlkit.dumps(values))


def _source(path: str, columns: Mapping[str, str]) -> dict[str, Any]:
    return {"path": path, **({"columns": dict(columns)} if columns else {})}


def _put(values: dict[str, Any], key: str, value: Any) -> None:
    """Set a dotted key; one of `retriever` holds for every retriever."""
    first, *rest = key.split(".")
    if not rest:
        values[first] = value
        return
    tables: Sequence[Any] = values["retriever"] if first == "retriever" else [values.setdefault(first, {})]
    for table in tables:
        held = table
        for part in rest[:-1]:
            held = held.setdefault(part, {})
        if not isinstance(held, dict):
            raise RecipeError(f"'{key}' is no key of a recipe", fix="write it as in select.absolute_margin")
        held[rest[-1]] = value
