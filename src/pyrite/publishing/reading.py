"""A folder's tables, read once: the digest of what they say, and how long their texts are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pyrite.core import TEMPLATE
from pyrite.publishing.digest import content_digest
from pyrite.publishing.statistics import TextMeter


@dataclass(frozen=True)
class Reading:
    """What one reading of a folder told.

    Attributes:
        digest: as `content_digest`.
        meters: (table, column) -> what its texts measure: `text` of corpora (with its titles) and queries, every text
            of n-tuples.
    """

    digest: str
    meters: Mapping[tuple[str, str], TextMeter]

    def texts(self, table: str, column: str) -> TextMeter:
        """What the texts of a table measure, or of all tables of a config, in columns that begin so."""
        names = [
            (held, name) for held, name in self.meters if f"{held}/".startswith(f"{table}/") and name.startswith(column)
        ]
        return TextMeter.joined(self.meters[name] for name in sorted(names))


def read_folder(folder: Path, *, template: str | None = None) -> Reading:
    """Read every table of a folder once, a batch at a time.

    `template`: how titles are joined to texts; None: as `TEMPLATE`.

    Raises:
        DataError: a file is no whole Parquet file.
    """
    meters: dict[tuple[str, str], TextMeter] = defaultdict(TextMeter)

    def measure(table: str, batch: pa.RecordBatch) -> None:
        config, names = table.partition("/")[0], batch.schema.names
        if config == "n-tuples":
            for name in names:
                if name != "label":
                    meters[table, name].add(batch.column(name))
        elif config == "corpus" and {"title", "text"} <= set(names):
            meters[table, "text"].add_titled(batch.column("title"), batch.column("text"), template or TEMPLATE)
        elif config in ("corpus", "queries") and "text" in names:
            meters[table, "text"].add(batch.column("text"))

    digest = content_digest(folder, beside=measure)
    return Reading(digest, dict(meters))
