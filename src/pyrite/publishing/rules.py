"""The rules of a benchmark's tables, each over whole columns: ids, texts and judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import Part, batches, read_frame, read_schema

SHOWN = 20
"""Offences of one rule in one table that are named one by one; the rest are counted in one more line."""

IDS, TEXTS = ("_id", "text"), ("text", "title")


def schema_offences(folder: Path, parts: Sequence[Part]) -> list[Offence]:
    """One schema a config, and strings where strings belong."""
    offences = []
    first: dict[str, tuple[str, pa.Schema]] = {}
    for part in parts:
        for file in part.files:
            schema = read_schema(folder, file)
            told, expected = first.setdefault(part.config, (file, schema))
            if not _alike(schema, expected):
                offences.append(Offence(file, "", f"has other columns or types than {told} of the same config"))
            offences += [
                Offence(file, f"column '{field.name}'", f"is {field.type}, and {_wanted(part, field.name)}")
                for field in schema
                if _wanted(part, field.name) and not _fits(_wanted(part, field.name), field.type)
            ]
            offences += [
                Offence(file, f"column '{name}'", "is missing")
                for name in {"corpus": IDS, "queries": IDS, "qrels": ("query-id", "corpus-id")}.get(part.config, ())
                if name not in schema.names
            ]
    return offences


def _alike(schema: pa.Schema, other: pa.Schema) -> bool:
    kinds = [[(field.name, str(field.type).removeprefix("large_")) for field in one] for one in (schema, other)]
    return kinds[0] == kinds[1]


def _wanted(part: Part, column: str) -> str:
    if part.config in ("corpus", "queries") and column in (*IDS, "title"):
        return "ids are strings" if column == "_id" else "texts are strings"
    if part.config == "qrels":
        return {"query-id": "ids are strings", "corpus-id": "ids are strings", "score": "grades are integers"}.get(
            column, ""
        )
    return ""


def _fits(wanted: str, kind: pa.DataType) -> bool:
    if wanted == "grades are integers":
        return bool(pa.types.is_integer(kind))
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def table_offences(folder: Path, parts: Sequence[Part]) -> Iterator[Offence]:
    """Every rule of rows, over the tables of a benchmark: corpus, queries and qrels, each in one split or in many."""
    of = {config: [part for part in parts if part.config == config] for config in ("corpus", "queries", "qrels")}
    for part in (*of["corpus"], *of["queries"]):
        yield from text_offences(folder, part)
    yield from (Offence("README.md", "configs", f"has no config '{name}'") for name, kin in of.items() if not kin)
    if not all(of.values()):
        return
    for qrels in of["qrels"]:
        queries, corpus = _partner(qrels, of["queries"]), _partner(qrels, of["corpus"])
        yield from judgement_offences(folder, qrels, queries=queries, corpus=corpus)
    for queries in of["queries"]:
        judged = [qrels for qrels in of["qrels"] if _partner(qrels, of["queries"]) == queries]
        yield from positive_offences(folder, queries, judged) if judged else ()


def _partner(qrels: Part, parts: Sequence[Part]) -> Part:
    """The part of the same split, where tables come split by split, else the one there is."""
    return next((part for part in parts if part.split == qrels.split), parts[0])


def text_offences(folder: Path, part: Part) -> Iterator[Offence]:
    """Ids of one table unique and not empty, no text empty, everything UTF-8; one pass over the texts."""
    ids = read_frame(folder, part.files, ["_id"])["_id"]
    repeated = ids.filter(ids.is_duplicated()).unique(maintain_order=True)
    yield from _each(part.name, (f"id '{doc_id}'" for doc_id in repeated), "occurs more than once", len(repeated))
    nameless = int((ids.is_null() | (ids == "")).sum())
    if nameless:
        yield Offence(part.name, "", f"{nameless:,} rows have no id")
    blank = _blank(folder, part)
    if isinstance(blank, Offence):
        yield blank
        return
    empty = ids.filter(blank)
    yield from _each(part.name, (f"id '{doc_id}'" for doc_id in empty), "has an empty text", len(empty))


def _blank(folder: Path, part: Part) -> pl.Series | Offence:
    """Which rows have neither text nor title."""
    marks: list[pa.Array] = []
    for file in part.files:
        columns = [name for name in TEXTS if name in read_schema(folder, file).names]
        for batch in batches(folder, [file], columns):
            try:
                batch.validate(full=True)
            except pa.ArrowInvalid:
                return Offence(file, "", "holds text that is not valid UTF-8")
            filled = [pc.not_equal(pc.fill_null(pc.utf8_trim_whitespace(batch.column(c)), ""), "") for c in columns]
            marks.append(pc.invert(filled[0] if len(filled) == 1 else pc.or_(*filled)))
    series = pl.from_arrow(pa.chunked_array(marks, pa.bool_()))
    assert isinstance(series, pl.Series)
    return series


def judgement_offences(folder: Path, qrels: Part, *, queries: Part, corpus: Part) -> Iterator[Offence]:
    """Every judgement names a query and a document that exist, once, with one grade."""
    frame = _judgements(folder, qrels)
    for column, part in (("query-id", queries), ("corpus-id", corpus)):
        known = read_frame(folder, part.files, ["_id"])
        dangling = frame.join(known, left_on=column, right_on="_id", how="anti", maintain_order="left")
        ids = dangling[column].unique(maintain_order=True)
        noun = "query" if column == "query-id" else "document"
        yield from _each(qrels.name, (f"{noun} '{one}'" for one in ids), f"is not in the {part.config}", len(ids))
    pairs = frame.group_by("query-id", "corpus-id", maintain_order=True).agg(
        pl.len().alias("rows"), pl.col("score").n_unique().alias("grades")
    )
    for marked, what in (
        (pairs.filter((pl.col("rows") > 1) & (pl.col("grades") == 1)), "is judged more than once"),
        (pairs.filter(pl.col("grades") > 1), "is judged with more than one score"),
    ):
        places = (f"query '{query}', document '{doc}'" for query, doc, _, _ in marked.iter_rows())
        yield from _each(qrels.name, places, what, len(marked))


def positive_offences(folder: Path, queries: Part, qrels: Sequence[Part]) -> Iterator[Offence]:
    """Every query has a document that is relevant to it, in some split of the qrels."""
    judged = pl.concat([_judgements(folder, part) for part in qrels])
    positive = judged.filter(pl.col("score") >= 1).select("query-id").unique()
    ids = read_frame(folder, queries.files, ["_id"])
    bare = ids.join(positive, left_on="_id", right_on="query-id", how="anti", maintain_order="left")["_id"]
    yield from _each(queries.name, (f"query '{one}'" for one in bare), "has no positive in the qrels", len(bare))


def _judgements(folder: Path, part: Part) -> pl.DataFrame:
    if "score" in read_schema(folder, part.files[0]).names:
        return read_frame(folder, part.files, ["query-id", "corpus-id", "score"])
    # A layout without grades lists positives alone.
    return read_frame(folder, part.files, ["query-id", "corpus-id"]).with_columns(score=pl.lit(1, pl.Int64))


def _each(file: str, places: Iterable[str], what: str, count: int) -> Iterator[Offence]:
    for _, place in zip(range(SHOWN), places, strict=False):
        yield Offence(file, place, what)
    if count > SHOWN:
        yield Offence(file, f"{count - SHOWN:,} more", what)
