"""Which queries of a dataset, and which of their positives, another dataset holds too."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from pyrite.auditing import Leak
from pyrite.core import Collection, DataError
from pyrite.formats import layout, read_manifest
from pyrite.pipelines.evaluating import files_digest
from pyrite.pipelines.excluding_stages import Protected, protection_of
from pyrite.preparation import REASONS, Protection
from pyrite.sources import SourceSpec, fetch, open_table

PAIRS = {"query": "query", "passage": "positive"}
"""The columns of a mined set that are held against a dataset: what is asked and what answers it."""


@dataclass(frozen=True)
class Other:
    """What a dataset is held against.

    Attributes:
        path: a dataset in any layout, a mined set, or a table of training rows.
        columns: of a table, our name -> theirs; "query" is what is asked, every other a passage.
        near: likeness from which a text leaks; 0: only the same text, normalised.
    """

    path: str
    columns: Mapping[str, str] = field(default_factory=dict)
    near: float = 0.8


def leaks_of(collection: Collection, other: Other) -> list[Leak]:
    """The queries whose text the other dataset has, and each query with each positive whose text it has."""
    with tempfile.TemporaryDirectory(prefix="pyrite-audit-") as work:
        protection = _protection(other, Path(work))
        asked = protection.leaks([collection.queries.texts])
        found = [
            Leak(query, -1, _told(reason), reason - 1) for query, reason in enumerate(asked.reasons.tolist()) if reason
        ]
        qrels = collection.qrels
        query = collection.queries.positions(qrels.repeated_query_ids())
        document = collection.corpus.positions(qrels.doc_ids)
        rows = np.flatnonzero((query >= 0) & (document >= 0) & (qrels.relevance >= 1))
        positives = np.unique(document[rows])
        part = collection.corpus.take(positives)
        columns = [part.contents()] if part.titles is None else [part.contents(), part.texts]
        reasons = np.zeros(len(collection.corpus), dtype=np.int64)
        reasons[positives] = protection.leaks(columns).reasons
    pairs = sorted({(int(query[row]), int(document[row])) for row in rows.tolist()})
    return found + [
        Leak(of, answer, _told(int(reasons[answer])), int(reasons[answer]) - 1)
        for of, answer in pairs
        if reasons[answer]
    ]


def _told(reason: int) -> str:
    text = REASONS[reason]
    return f"a {text}" if text.startswith("near") else text


def _protection(other: Other, work: Path) -> Protection:
    path = Path(other.path).expanduser()
    if other.columns or (path.is_file() and path.suffix != ".zip") or (path.is_dir() and _is_table(path)):
        return _of_table(SourceSpec(other.path, columns=other.columns or {"passage": "passage"}), other, work)
    folder = fetch(other.path)
    if (folder / "manifest.json").is_file() and read_manifest(folder).kind == "training":
        return _of_table(SourceSpec(str(folder / "pairs" / "*.parquet"), columns=PAIRS), other, work)
    return protection_of(Protected(folder, None, files_digest(folder), "normalised", other.near or None))


def _is_table(folder: Path) -> bool:
    if (folder / "manifest.json").is_file():
        return False
    try:
        layout(folder)
    except DataError:
        return True
    return False


def _of_table(spec: SourceSpec, other: Other, work: Path) -> Protection:
    table = open_table(spec, needs=list(spec.columns), base=Path())
    protection = Protection(near=other.near or None, work=work)
    for batch in table.read():
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            lists = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
            protection.add(column.flatten() if lists else column, "query" if name == "query" else "document")
    return protection
