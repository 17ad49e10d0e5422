"""What came, went or changed between two versions of a benchmark or of a mined set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pyrite.core import DataError
from pyrite.formats import layout, table_name
from pyrite.publishing.parts import Part, batches, benchmark_parts, read_frame, read_schema

SHOWN = 10
_ORIGINS = "provenance/train.parquet"
"""What a mined set has, and no other folder."""


@dataclass(frozen=True)
class TextChanges:
    """Documents or queries of two versions, matched by id; what only changed its id is told as that.

    Attributes:
        added, removed: ids that only the second, or only the first version has, with a text that the other lacks.
        changed: ids of both with another text.
        renamed: (id before, id after) of a text that kept its words.
        same: how many have the id and the text of before.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    same: int


@dataclass(frozen=True)
class QrelChanges:
    """Judgements of two versions, matched by query and document id.

    Attributes:
        added, removed: (query, document, score).
        changed: (query, document, score before, score after).
        same: how many are as before.
    """

    added: tuple[tuple[str, str, int], ...]
    removed: tuple[tuple[str, str, int], ...]
    changed: tuple[tuple[str, str, int, int], ...]
    same: int


@dataclass(frozen=True)
class RowChanges:
    """Mined rows of two versions, short ones among them, matched by the ids of query and positive.

    Attributes:
        added, removed: (query, positive).
        same: how many rows are in both, whatever their negatives.
    """

    added: tuple[tuple[str, str], ...]
    removed: tuple[tuple[str, str], ...]
    same: int


@dataclass(frozen=True)
class NegativeChanges:
    """The negatives of two versions, those of whole rows that came or went among them.

    Attributes:
        added, removed: (query, positive, negative).
        changed: (query, positive, negative, before, after) of one with another column, logit or way of being chosen.
        same: how many are as before.
    """

    added: tuple[tuple[str, str, str], ...]
    removed: tuple[tuple[str, str, str], ...]
    changed: tuple[tuple[str, str, str, str, str], ...]
    same: int


@dataclass(frozen=True)
class FolderDiff:
    """The differences of two folders; `bool()` of it says whether there are any.

    Attributes:
        documents, queries: of a mined set, those that its scored pairs name.
        qrels: of a mined set, its known positives, each with score 1.
        rows, negatives: of mined sets; None for benchmarks.
    """

    documents: TextChanges
    queries: TextChanges
    qrels: QrelChanges
    rows: RowChanges | None = None
    negatives: NegativeChanges | None = None

    def __bool__(self) -> bool:
        return any(rows for part in vars(self).values() if part is not None for rows in _kinds(part).values())

    def lines(self) -> list[str]:
        """For a terminal: counts, then the first of each kind."""
        out = []
        for noun, part in vars(self).items():
            if part is None:
                continue
            kinds = _kinds(part)
            told = ", ".join(f"{len(rows):,} {name}" for name, rows in kinds.items())
            out.append(f"{noun}: {told}, {part.same:,} the same")
            for name, rows in kinds.items():
                out += [f"  {name}: {_told(row, name)}" for row in rows[:SHOWN]]
                if len(rows) > SHOWN:
                    out.append(f"  {name}: {len(rows) - SHOWN:,} more")
        return out

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        return {noun: part for noun, part in asdict(self).items() if part is not None}


def _kinds(part: Any) -> dict[str, tuple[Any, ...]]:
    return {name: rows for name, rows in vars(part).items() if name != "same"}


def _told(row: object, kind: str) -> str:
    if not isinstance(row, tuple):
        return str(row)
    if kind == "changed":
        *ids, before, after = row
        return f"{' '.join(ids)}: {before} -> {after}"
    return " ".join(str(value) for value in row)


def diff_folders(before: Path, after: Path) -> FolderDiff:
    """What changed from one folder to another, by id and by text; texts are compared by 128-bit hashes.

    The ids of a Nano dataset are told with their split before them ("ja/d1"). Where ids were given out anew (one
    passage more at the top, and each number moves), a text that is still there is `renamed`, not removed and added.

    Raises:
        DataError: a folder has no corpus, queries or qrels and is no mined set, or only one of them is one.
    """
    mined = [(folder / _ORIGINS).is_file() for folder in (before, after)]
    if all(mined):
        return _diff_mined(before, after)
    if any(mined):
        one, other = (before, after) if mined[0] else (after, before)
        raise DataError(f"is a mined set, and {other} is none", where=str(one), fix="name two versions of one dataset")
    both = [(folder, _parts(folder)) for folder in (before, after)]
    documents, queries = (
        _texts(*(_hashed(folder, of[config]) for folder, of in both)) for config in ("corpus", "queries")
    )
    # Benchmarks of one split may call it by different names.
    apart = any(len(of["qrels"]) > 1 for _, of in both)
    return FolderDiff(documents, queries, _qrels(*(_judged(folder, of["qrels"], apart) for folder, of in both)))


def _parts(folder: Path) -> dict[str, list[Part]]:
    of: dict[str, list[Part]] = {"corpus": [], "queries": [], "qrels": []}
    for part in benchmark_parts(folder):
        of[part.config].append(part)
    for config, found in of.items():
        if not found:
            raise DataError(f"there is no {config}/*.parquet", where=str(folder), fix="name a built benchmark folder")
    return of


def _hashed(folder: Path, parts: Sequence[Part]) -> pl.DataFrame:
    """Id and two 64-bit hashes of title and text, in order; a batch of text at a time."""
    frames = []
    nano = layout(folder).kind == "nano"
    for file in (file for part in parts for file in part.files):
        split = table_name(file).partition("/")[2] if nano else ""
        names = [name for name in ("_id", "title", "text") if name in read_schema(folder, file).names]
        for batch in batches(folder, [file], names):
            frame = pl.from_arrow(batch)
            assert isinstance(frame, pl.DataFrame)
            if "title" not in names:
                frame = frame.with_columns(title=pl.lit(""))
            said = pl.struct(pl.col("title").fill_null(""), pl.col("text").fill_null(""))
            frames.append(frame.select(_within("_id", split), said.hash(0).alias("one"), said.hash(1).alias("two")))
    return pl.concat(frames) if frames else pl.DataFrame(schema={"_id": pl.String, "one": pl.UInt64, "two": pl.UInt64})


def _within(column: str, split: str) -> pl.Expr:
    """Ids with their split before them, where an id alone says too little; "" for none."""
    return pl.col(column) if not split else (pl.lit(f"{split}/") + pl.col(column)).alias(column)


def _texts(before: pl.DataFrame, after: pl.DataFrame) -> TextChanges:
    both = before.join(after, on="_id", how="inner", suffix="_after", maintain_order="left")
    alike = (pl.col("one") == pl.col("one_after")) & (pl.col("two") == pl.col("two_after"))
    same = both.filter(alike)
    # What is not at its old id is looked for by its text; among equal texts the n-th becomes the n-th.
    gone = _numbered(before.join(same, on="_id", how="anti", maintain_order="left"))
    come = _numbered(after.join(same, on="_id", how="anti", maintain_order="left"))
    keys = ["one", "two", "place"]
    renamed = gone.join(come, on=keys, how="inner", suffix="_after", maintain_order="left")
    lost = gone.join(renamed, on="_id", how="anti", maintain_order="left")["_id"]
    new = come.join(renamed, left_on="_id", right_on="_id_after", how="anti", maintain_order="left")["_id"]
    changed = lost.filter(lost.is_in(new.to_list()))
    return TextChanges(
        added=tuple(new.filter(~new.is_in(changed.to_list()))),
        removed=tuple(lost.filter(~lost.is_in(changed.to_list()))),
        changed=tuple(changed),
        renamed=tuple(renamed.select("_id", "_id_after").iter_rows()),
        same=len(same),
    )


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(place=pl.int_range(pl.len()).over("one", "two"))


def _judged(folder: Path, parts: Sequence[Part], apart: bool) -> pl.DataFrame:
    frames = []
    for part in parts:
        keys, score = ["query-id", "corpus-id"], pl.lit(1, pl.Int64).alias("score")
        if "score" in read_schema(folder, part.files[0]).names:
            keys, score = [*keys, "score"], pl.col("score")
        frame = read_frame(folder, part.files, keys)
        frames.append(frame.select(_within("query-id", part.split if apart else ""), "corpus-id", score))
    return pl.concat(frames)


def _qrels(before: pl.DataFrame, after: pl.DataFrame) -> QrelChanges:
    keys = ["query-id", "corpus-id"]
    both = before.join(after, on=keys, how="inner", suffix="_after", maintain_order="left")
    changed = both.filter(pl.col("score") != pl.col("score_after"))
    return QrelChanges(
        added=tuple(after.join(before, on=keys, how="anti", maintain_order="left").iter_rows()),
        removed=tuple(before.join(after, on=keys, how="anti", maintain_order="left").iter_rows()),
        changed=tuple(changed.iter_rows()),
        same=len(both) - len(changed),
    )


def _diff_mined(before: Path, after: Path) -> FolderDiff:
    both = (before, after)
    documents, queries = (_texts(*(_named_texts(folder, role) for folder in both)) for role in ("document", "query"))
    known = (
        read_frame(folder, ["provenance/pairs.parquet"], ["query-id", "corpus-id"])
        .with_columns(score=pl.lit(1, pl.Int64))
        .unique(maintain_order=True)
        for folder in both
    )
    rows, others = (_mined_rows(folder) for folder in both)
    return FolderDiff(documents, queries, _qrels(*known), _rows(rows, others), _negatives(rows, others))


def _named_texts(folder: Path, role: str) -> pl.DataFrame:
    frame = read_frame(folder, ["provenance/texts.parquet"], ["role", "id", "text"]).filter(pl.col("role") == role)
    said = pl.struct(pl.col("text"))
    return frame.select(pl.col("id").alias("_id"), said.hash(0).alias("one"), said.hash(1).alias("two"))


_ROW = ["query-id", "positive-id"]


def _mined_rows(folder: Path) -> pl.DataFrame:
    """The full rows, then the short ones; a row that occurs again is numbered."""
    names = [*_ROW, "negative-ids", "logits", "chosen"]
    files = [file for file in (_ORIGINS, "provenance/short.parquet") if (folder / file).is_file()]
    frame = read_frame(folder, files, names)
    return frame.with_columns(again=pl.int_range(pl.len()).over(_ROW))


def _rows(before: pl.DataFrame, after: pl.DataFrame) -> RowChanges:
    keys = [*_ROW, "again"]
    removed = before.join(after, on=keys, how="anti", maintain_order="left")
    added = after.join(before, on=keys, how="anti", maintain_order="left")
    return RowChanges(
        added=tuple(added.select(_ROW).iter_rows()),
        removed=tuple(removed.select(_ROW).iter_rows()),
        same=len(before) - len(removed),
    )


def _negatives(before: pl.DataFrame, after: pl.DataFrame) -> NegativeChanges:
    first, second = (_one_a_negative(frame) for frame in (before, after))
    keys = [*_ROW, "again", "negative-ids"]
    both = first.join(second, on=keys, how="inner", suffix="_after", maintain_order="left")
    changed = both.filter(pl.col("how") != pl.col("how_after"))
    named = [*_ROW, "negative-ids"]
    return NegativeChanges(
        added=tuple(second.join(first, on=keys, how="anti", maintain_order="left").select(named).iter_rows()),
        removed=tuple(first.join(second, on=keys, how="anti", maintain_order="left").select(named).iter_rows()),
        changed=tuple(changed.select(*named, "how", "how_after").iter_rows()),
        same=len(both) - len(changed),
    )


def _one_a_negative(rows: pl.DataFrame) -> pl.DataFrame:
    column = pl.int_ranges(1, pl.col("negative-ids").list.len() + 1).alias("column")
    frame = rows.with_columns(column).explode("negative-ids", "logits", "chosen", "column")
    how = pl.format("negative_{}, logit {}, {}", "column", pl.col("logits").cast(pl.String), "chosen")
    return frame.filter(pl.col("negative-ids").is_not_null()).select(*_ROW, "again", "negative-ids", how.alias("how"))
