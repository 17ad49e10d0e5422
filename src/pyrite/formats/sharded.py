"""Large tables as several Parquet files, named so that a missing one shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from pyrite.core import DataError
from pyrite.formats.parquet import Cutter, ParquetWriter

SHARD_BYTES = 500_000_000
_SHARD = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<suffix>\..*)")
_SUFFIX = re.compile(r"\.(parquet|jsonl|ndjson|json|csv|tsv)(\.gz)?$")


def write_sharded(
    folder: Path,
    stem: str,
    batches: Iterable[pa.Table | pa.RecordBatch],
    *,
    schema: pa.Schema,
    shard_bytes: int = SHARD_BYTES,
) -> list[Path]:
    """Write one table as STEM.parquet, or as STEM-00000-of-0000N.parquet where it is larger than `shard_bytes`.

    Args:
        folder: where; it is there.
        stem: "corpus".
        batches: the rows in order; how they are batched changes no byte.
        schema: of the files.
        shard_bytes: bytes of values, before compression, at which a file is full.

    >>> import tempfile
    >>> rows = pa.table({"text": ["aaaa", "bbbb", "cc"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_sharded(Path(folder), "corpus", [rows], schema=rows.schema, shard_bytes=8)]
    ['corpus-00000-of-00002.parquet', 'corpus-00001-of-00002.parquet']
    """
    cutter, writer = Cutter(shard_bytes), None
    # The count of files is in each name, and known only at the end.
    unnamed: list[Path] = []
    try:
        for batch in batches:
            table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
            for piece, full in cutter.pieces(table.select(schema.names)):
                if writer is None:
                    unnamed.append(folder / f"{stem}.{len(unnamed)}.unnamed")
                    writer = ParquetWriter(unnamed[-1], schema)
                writer.write(piece)
                if full:
                    writer.close()
                    writer = None
        if not unnamed:
            unnamed.append(folder / f"{stem}.0.unnamed")
            writer = ParquetWriter(unnamed[-1], schema)
        if writer is not None:
            writer.close()
    except BaseException:
        if writer is not None:
            writer.discard()
        for path in unnamed:
            path.unlink(missing_ok=True)
        raise
    names = shard_names(stem, len(unnamed))
    return [path.replace(folder / name) for path, name in zip(unnamed, names, strict=True)]


def shard_names(stem: str, count: int) -> list[str]:
    """The names of a table's files.

    >>> shard_names("corpus", 1), shard_names("corpus", 2)
    (['corpus.parquet'], ['corpus-00000-of-00002.parquet', 'corpus-00001-of-00002.parquet'])
    """
    if count == 1:
        return [f"{stem}.parquet"]
    return [f"{stem}-{number:05d}-of-{count:05d}.parquet" for number in range(count)]


def table_name(name: str) -> str:
    """A file's name without its suffix and its number among the files of one table.

    >>> table_name("corpus/corpus-00000-of-00004.parquet"), table_name("qrels/dl19.tsv"), table_name("corpus.jsonl.gz")
    ('corpus/corpus', 'qrels/dl19', 'corpus')
    """
    match = _SHARD.fullmatch(name)
    return match["stem"] if match else _SUFFIX.sub("", name)


def must_be_whole(names: Sequence[str], *, where: str) -> None:
    """DataError where shards are named as some of N and one of the N is not among them."""
    counts: dict[tuple[str, str, int], set[int]] = {}
    for name in names:
        if match := _SHARD.fullmatch(name):
            key = (match["stem"], match["suffix"], int(match["count"]))
            counts.setdefault(key, set()).add(int(match["number"]))
    for (stem, suffix, count), there in counts.items():
        missing = [number for number in range(count) if number not in there]
        if missing:
            raise DataError(
                f"{stem}-{missing[0]:05d}-of-{count:05d}{suffix} is missing ({len(missing)} of {count} files are)",
                where=where,
                fix="copy or download the folder again",
            )
