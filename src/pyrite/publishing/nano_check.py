"""The rules of a Nano dataset beyond those of any benchmark: candidates, and metadata that agree with the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pyrite.formats import NANO_TABLES
from pyrite.publishing.nano_facts import NanoFacts, SplitFacts
from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import read_frame

SHOWN = 20
"""Offences of one rule in one table that are named one by one; the rest are counted in one more line."""


def nano_offences(facts: NanoFacts) -> Iterator[Offence]:
    """One offence for each candidate list, forced document or count that is not as the tables say."""
    for split in facts.splits:
        yield from _count_offences(split)
        for config in facts.configs:
            if config not in NANO_TABLES:
                yield from _candidate_offences(facts.folder, split, config)


def _count_offences(split: SplitFacts) -> Iterator[Offence]:
    for name in ("queries", "corpus", "qrels"):
        told, here = split.metadata["counts"].get(name), getattr(split, name)
        if told != here:
            yield Offence(f"metadata/{split.name}.json", f"counts.{name}", f"is {told}, the file holds {here:,}")


def _candidate_offences(folder: Path, split: SplitFacts, config: str) -> Iterator[Offence]:
    file = f"{config}/{split.name}.parquet"
    if not (folder / file).is_file():
        yield Offence(file, "", "is missing")
        return
    lists = read_frame(folder, [file], ["query-id", "corpus-ids"]).rename({"query-id": "query", "corpus-ids": "docs"})
    queries = read_frame(folder, [f"queries/{split.name}.parquet"], ["_id"])["_id"]
    if lists["query"].to_list() != queries.to_list():
        yield Offence(file, "query-id", f"are not the ids of queries/{split.name}.parquet, in its order")
        return
    repeated = lists.filter(pl.col("docs").list.n_unique() != pl.col("docs").list.len())["query"]
    yield from _each(file, repeated, "names a document twice")
    named = lists.explode("docs", empty_as_null=True, keep_nulls=True).drop_nulls("docs")
    corpus = read_frame(folder, [f"corpus/{split.name}.parquet"], ["_id"]).rename({"_id": "docs"})
    foreign = named.join(corpus, on="docs", how="anti", maintain_order="left")["query"].unique(maintain_order=True)
    yield from _each(file, foreign, "names a document that is not in the corpus")
    told = split.metadata["candidates"].get(config)
    if told is None:
        yield Offence(f"metadata/{split.name}.json", f"candidates.{config}", "is missing")
        return
    held = dict(zip(lists["query"].to_list(), (set(docs) for docs in lists["docs"].to_list()), strict=True))
    lost = [query for query, docs in told["forced"].items() if not set(docs) <= held.get(query, set())]
    yield from _each(file, pl.Series(lost, dtype=pl.String), "lacks a document that the metadata call forced")
    if told["positives"] == "forced":
        yield from _missing_positives(folder, split, file, held)


def _missing_positives(folder: Path, split: SplitFacts, file: str, held: dict[str, set[str]]) -> Iterator[Offence]:
    config = file.partition("/")[0]
    excused = split.metadata["candidates"][config]["positives_left_out"]
    qrels = read_frame(folder, [f"qrels/{split.name}.parquet"], ["query-id", "corpus-id"])
    bare = [
        query
        for query, doc in qrels.iter_rows()
        if doc not in held.get(query, set()) and doc not in excused.get(query, ())
    ]
    yield from _each(file, pl.Series(bare, dtype=pl.String).unique(maintain_order=True), "lacks a positive")


def _each(file: str, queries: pl.Series, what: str) -> Iterator[Offence]:
    for query in queries.head(SHOWN):
        yield Offence(file, f"query '{query}'", what)
    if len(queries) > SHOWN:
        yield Offence(file, f"{len(queries) - SHOWN:,} more", what)
