"""What one shard of a training table does: which of its rows leak a protected collection."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pyrite.engine import Stage
from pyrite.formats import ParquetWriter, collection_files, layout, names_in, read_manifest, read_parts
from pyrite.preparation import REASONS, Identical, Protection
from pyrite.sources import TableShard

REASON = pa.schema([("reason", pa.int8())])


@dataclass(frozen=True)
class Protected:
    """A protected collection and what counts as a leak of it.

    Attributes:
        path, split: the folder; None: every split of it.
        digest: of its files.
        identical, near: as `preparation.Protection` takes them.
    """

    path: Path
    split: str | None
    digest: str
    identical: Identical
    near: float | None

    def decides(self) -> list[object]:
        """What the outcome depends on beside the shard."""
        return [self.digest, self.split, self.identical, self.near]


def find_leaks(job: tuple[TableShard, Protected], params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """Write the reason of every row of a shard, a place in `preparation.REASONS`, 0 for a row that does not leak."""
    shard, protected = job
    protection = protection_of(protected)
    counts = np.zeros(len(REASONS), np.int64)
    with ParquetWriter(out, REASON) as writer:
        for batch in shard.read():
            reasons = protection.leaks(batch.columns).reasons
            counts += np.bincount(reasons, minlength=len(REASONS))
            writer.write(pa.table({"reason": pa.array(reasons, pa.int8())}, schema=REASON))
    return {"counts": counts.tolist(), "bounded": bool(protection.entry().notes)}


@lru_cache(maxsize=1)
def protection_of(protected: Protected) -> Protection:
    """The protected texts, once a process."""
    work = None if protected.near is None else Path(tempfile.mkdtemp(prefix="pyrite-exclude-"))
    protection = Protection(identical=protected.identical, near=protected.near, work=work)
    if work is not None:
        # Their shingles lie there as long as they are asked for.
        weakref.finalize(protection, shutil.rmtree, work, ignore_errors=True)
    names = names_in(protected.path)
    splits = layout(protected.path).splits or ("",) if protected.split is None else (protected.split,)
    manifest = read_manifest(protected.path) if (protected.path / "manifest.json").is_file() else None
    template = manifest.protocol.get("template") if manifest is not None else None
    seen: set[tuple[str, ...]] = set()
    for split in splits:
        files = collection_files(names, split or None, where=str(protected.path))
        corpus, queries, _ = read_parts(protected.path, files, **({"template": template} if template else {}))
        if files.corpus not in seen:
            protection.add(corpus.contents(), "document")
            if corpus.titles is not None:
                # A training table may have the passage without its title.
                protection.add(corpus.texts, "document")
        if files.queries not in seen:
            protection.add(queries.texts, "query")
        seen |= {files.corpus, files.queries}
    return protection


LEAKS_STAGE = Stage("exclude", 1, find_leaks)
