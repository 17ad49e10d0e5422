"""Where a raw table is, as a recipe says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyrite.formats import TableFormat


@dataclass(frozen=True)
class SourceSpec:
    """Where a raw table is, and what its columns are called there.

    Attributes:
        path: a file, a folder, a pattern (`rows/*.jsonl`), a URL of one (`s3://bucket/rows/*.parquet`), or a hub id.
        revision: commit, tag or branch of a hub source.
        config, split: which table of a source that has several.
        format: "parquet", "jsonl", "csv" or "tsv", where the file names do not tell or there are several.
        columns: our name -> theirs; a column that is not named here is called the same in both.

    >>> SourceSpec("tomaarsen/miriad-4.4M-split", split="eval", columns={"query": "question"}).columns["query"]
    'question'
    """

    path: str
    revision: str | None = None
    config: str | None = None
    split: str | None = None
    format: TableFormat | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
