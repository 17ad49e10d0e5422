"""What came, went or changed between two versions of a benchmark."""

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
class FolderDiff:
    """The differences of two benchmark folders; `bool()` of it says whether there are any."""

    documents: TextChanges
    queries: TextChanges
    qrels: QrelChanges

    def __bool__(self) -> bool:
        texts = (self.documents, self.queries)
        return any((one.added, one.removed, one.changed, one.renamed) != ((),) * 4 for one in texts) or any(
            (self.qrels.added, self.qrels.removed, self.qrels.changed)
        )

    def lines(self) -> list[str]:
        """For a terminal: counts, then the first of each kind."""
        out = []
        for noun, part in (("documents", self.documents), ("queries", self.queries), ("qrels", self.qrels)):
            kinds = {name: rows for name, rows in vars(part).items() if name != "same"}
            told = ", ".join(f"{len(rows):,} {name}" for name, rows in kinds.items())
            out.append(f"{noun}: {told}, {part.same:,} the same")
            for name, rows in kinds.items():
                out += [f"  {name}: {_told(row)}" for row in rows[:SHOWN]]
                if len(rows) > SHOWN:
                    out.append(f"  {name}: {len(rows) - SHOWN:,} more")
        return out

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        return asdict(self)


def _told(row: object) -> str:
    return " ".join(str(value) for value in row) if isinstance(row, tuple) else str(row)


def diff_folders(before: Path, after: Path) -> FolderDiff:
    """What changed from one benchmark folder to another, by id and by text; texts are compared by 128-bit hashes.

    The ids of a Nano dataset are told with their split before them ("ja/d1"). Where ids were given out anew (one
    passage more at the top, and each number moves), a text that is still there is `renamed`, not removed and added.

    Raises:
        DataError: a folder has no corpus, queries or qrels.
    """
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
