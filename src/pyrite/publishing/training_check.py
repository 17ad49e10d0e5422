"""The rules of a mined set's tables: what would spoil a training run without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl
import pyarrow as pa

from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import Part, batches, read_frame, read_schema

SHOWN = 20
"""Offences of one rule in one table that are named one by one; the rest are counted in one more line."""

NEEDED = {
    "pairs": ("query", "positive"),
    "triplets": ("query", "positive", "negative"),
    "n-tuples": ("query", "positive", "negative_1", "label"),
    "n-tuples-filtered": ("query", "positive", "negative_1", "label"),
    "n-tuples-short": ("query", "positive", "negatives", "label"),
    "provenance": ("row", "query-id", "positive-id", "negative-ids", "logits", "filtered_row", "quality_score"),
}


def is_training(parts: Sequence[Part]) -> bool:
    """Whether these are the tables of a mined set."""
    return any(part.config == "n-tuples" for part in parts)


def training_offences(folder: Path, parts: Sequence[Part]) -> Iterator[Offence]:
    """One offence for each row with an empty text, a label that does not fit, or a positive among its negatives.

    A config that a person added is left alone.
    """
    tables = {part.config: part for part in parts}
    missing = [name for name in NEEDED if name not in tables and name != "n-tuples-short"]
    yield from (Offence("README.md", "configs", f"has no config '{name}'") for name in missing)
    wrong = [offence for part in parts for offence in _column_offences(folder, part)]
    yield from wrong
    if missing or wrong:
        return
    for config in ("pairs", "triplets", "n-tuples", "n-tuples-filtered"):
        yield from _row_offences(folder, tables[config])
    yield from _alignment_offences(folder, tables)


def _column_offences(folder: Path, part: Part) -> Iterator[Offence]:
    schema = read_schema(folder, part.files[0])
    for name in NEEDED.get(part.config, ()):
        if name not in schema.names:
            yield Offence(part.name, f"column '{name}'", "is missing")
    if part.config not in NEEDED or part.config == "provenance":
        return
    for field in schema:
        texts = pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        if field.name == "label" and not _is_floats(field.type):
            yield Offence(part.name, "column 'label'", f"is {field.type}, and labels are lists of float32")
        if field.name not in ("label", "negatives") and not texts:
            yield Offence(part.name, f"column '{field.name}'", f"is {field.type}, and texts are strings")


def _is_floats(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and pa.types.is_floating(kind.value_type))


def _row_offences(folder: Path, part: Part) -> Iterator[Offence]:
    """Each row by itself, in one pass over the texts."""
    names = read_schema(folder, part.files[0]).names
    negatives = [name for name in names if name == "negative" or name.startswith("negative_")]
    columns = [name for name in names if name != "label"]
    found: dict[str, list[int]] = {}
    start = 0
    for batch in batches(folder, part.files, names):
        frame = pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))
        plain = frame.select(_plain(name) for name in columns)
        for name in columns:
            _note(found, start, f"has an empty {name}", frame[name].is_null() | (plain[name] == ""))
        for name in negatives:
            _note(found, start, f"has its positive, or a copy of it, as {name}", plain[name] == plain["positive"])
        if len(negatives) > 1:
            distinct = plain.select(pl.concat_list(negatives).list.n_unique()).to_series()
            _note(found, start, "has a negative twice", distinct < len(negatives))
        if "label" in names:
            label = frame["label"]
            _note(found, start, f"has no {1 + len(negatives)} logits", label.list.len() != 1 + len(negatives))
            finite = label.list.eval(pl.element().is_finite().fill_null(False)).list.all()
            _note(found, start, "has a logit that is no finite number", ~finite)
        start += len(batch)
    for what, rows in found.items():
        yield from _each(part.name, rows, what)


def _plain(name: str) -> pl.Expr:
    """A text without what sets a copy apart: spaces, case, Unicode form."""
    text = pl.col(name).str.normalize("NFKC").str.to_lowercase()
    return text.str.replace_all(r"\s+", " ").str.strip_chars().alias(name)


def _note(found: dict[str, list[int]], start: int, what: str, marks: pl.Series) -> None:
    rows = marks.fill_null(True).arg_true()
    if len(rows):
        found.setdefault(what, []).extend((rows + start).to_list())


def _alignment_offences(folder: Path, tables: dict[str, Part]) -> Iterator[Offence]:
    """The configs are views of one table, and provenance says of which rows."""
    mined = read_frame(folder, tables["n-tuples"].files, ["query", "positive", "negative_1", "label"])
    triplets = read_frame(folder, tables["triplets"].files, ["query", "positive", "negative"])
    provenance = read_frame(folder, tables["provenance"].files, list(NEEDED["provenance"]))
    filtered = read_frame(folder, tables["n-tuples-filtered"].files, ["query", "positive", "label"])
    if not len(mined) == len(triplets) == len(provenance):
        counts = f"{len(triplets):,} triplets and {len(provenance):,} rows of provenance"
        yield Offence(tables["n-tuples"].name, "", f"has {len(mined):,} rows, and there are {counts}")
        return
    other = (mined["negative_1"] != triplets["negative"]) | (mined["query"] != triplets["query"])
    yield from _each(tables["triplets"].name, other.arg_true().to_list(), "is not the row of n-tuples")
    told = provenance.select(pl.col("logits").list.len() + 1 != mined["label"].list.len()).to_series()
    yield from _each(tables["provenance"].name, told.arg_true().to_list(), "does not fit the label of its row")
    own = provenance.select(pl.col("negative-ids").list.contains(pl.col("positive-id"))).to_series()
    yield from _each(tables["provenance"].name, own.arg_true().to_list(), "has its positive as a negative")
    kept = provenance.filter(pl.col("filtered_row").is_not_null()).sort("filtered_row")
    if kept["filtered_row"].to_list() != list(range(len(filtered))):
        yield Offence(tables["n-tuples-filtered"].name, "", "has rows that no row of provenance names")
        return
    again = mined[kept["row"].to_list()]
    moved = (again["query"] != filtered["query"]) | (again["label"] != filtered["label"])
    yield from _each(tables["n-tuples-filtered"].name, moved.arg_true().to_list(), "is not its row of n-tuples")
    rising = kept["quality_score"].diff().fill_null(0) > 0
    yield from _each(tables["n-tuples-filtered"].name, rising.arg_true().to_list(), "is better than the row before it")


def _each(file: str, rows: Iterable[int], what: str) -> Iterator[Offence]:
    listed = sorted(rows)
    for row in listed[:SHOWN]:
        yield Offence(file, f"row {row}", what)
    if len(listed) > SHOWN:
        yield Offence(file, f"{len(listed) - SHOWN:,} more", what)
