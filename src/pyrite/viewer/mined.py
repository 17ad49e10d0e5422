"""A mined set as the pages read it: what orders its rows is held, their texts stay on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.formats import Manifest, format_of, names_in, read_manifest, table_name
from pyrite.mining import TEMPERATURE
from pyrite.viewer.pictures import Histogram, histogram
from pyrite.viewer.shown import Terms
from pyrite.viewer.stored import StoredRows

ORDERS = {
    "near": "nearest to the margin first",
    "lowest": "smallest margin first",
    "row": "in the order of the file",
}
_TABLES = {"n-tuples": "provenance/train", "n-tuples-short": "provenance/short"}


@dataclass(frozen=True)
class MinedDocument:
    """A document of a mined row.

    Attributes:
        role: "positive" or "negative". doc_id: "" where nothing tells it. text: of the document.
        logit: the teacher's. margin: the positive's logit minus this one; None of the positive.
        share: of the teacher's distribution over the row, at the temperature of the loss.
        chosen: "margin", "extended", "top-up", or "". retriever, rank, score: who found it, where, and with what.
    """

    role: str
    doc_id: str
    text: str
    logit: float
    margin: float | None
    share: float
    chosen: str = ""
    retriever: str = ""
    rank: int = 0
    score: float | None = None


@dataclass(frozen=True)
class MinedRow:
    """One row of a mined set: its number from 0 in its table, documents (positive first), the filter's verdict."""

    number: int
    query: str
    query_id: str
    documents: tuple[MinedDocument, ...]
    verdict: str = ""
    quality: float | None = None

    @property
    def margin(self) -> float:
        """The positive's logit minus the highest of a negative."""
        return min(document.margin for document in self.documents if document.margin is not None)


class MinedSet:
    """The rows of one config of a mined folder.

    Args:
        folder: of the set. config: "n-tuples" or "n-tuples-short".
    """

    def __init__(self, folder: Path, config: str = "n-tuples") -> None:
        self.folder, self.config = folder, config
        tables = _tables(folder)
        self._rows = StoredRows(tables[f"{config}/train"])
        told = tables.get(_TABLES[config])
        self._told = StoredRows(told) if told else None
        if self._told is not None and len(self._told) != len(self._rows):
            raise DataError(f"{_TABLES[config]} has other rows than {config}", where=str(folder), fix="build it again")
        manifest = read_manifest(folder) if (folder / "manifest.json").is_file() else None
        self.name = manifest.name if manifest else folder.name
        self.language = str(manifest.language) if manifest else ""
        rules = _table(manifest, "select").items()
        self.select: Mapping[str, float] = {name: rule for name, rule in rules if isinstance(rule, int | float)}
        self.teacher = str(_table(manifest, "teacher").get("system", ""))

    @property
    def title(self) -> str:
        """Name and config."""
        return f"{self.name}, {self.config}"

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def _logits(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        labels = self._rows.column("label").combine_chunks()
        lengths = np.asarray(pc.list_value_length(labels), dtype=np.int64)
        if len(lengths) and lengths.min() < 2:
            raise DataError(
                "a row has a label without a negative's logit", where=str(self.folder), fix="build it again"
            )
        return np.asarray(labels.flatten(), dtype=np.float64), np.concatenate([[0], np.cumsum(lengths)])

    @cached_property
    def drawn(self) -> Histogram | None:
        """The distributions of the logits, of negatives and of positives; None where there is no row."""
        return histogram([self.negatives, self.positives]) if len(self) else None

    @property
    def positives(self) -> NDArray[np.float64]:
        """The logit of every positive, float64, one a row."""
        values, offsets = self._logits
        return values[offsets[:-1]]

    @property
    def negatives(self) -> NDArray[np.float64]:
        """The logit of every negative, float64, over all rows."""
        values, offsets = self._logits
        return np.delete(values, offsets[:-1])

    @cached_property
    def hardest(self) -> NDArray[np.float64]:
        """The highest logit of a negative, float64, one a row."""
        values, offsets = self._logits
        values = values.copy()
        values[offsets[:-1]] = -np.inf
        return np.asarray(np.maximum.reduceat(values, offsets[:-1])) if len(self) else values

    @property
    def margins(self) -> NDArray[np.float64]:
        """The margin of every row, float64."""
        return self.positives - self.hardest

    def needed(self, positive: NDArray[np.float64]) -> NDArray[np.float64]:
        """The margin that the recipe asks of rows with these logits of the positive; 0 where it asks none."""
        relative = self.select.get("relative_margin") or 0.0
        return np.maximum(self.select.get("absolute_margin") or 0.0, relative * np.abs(positive))

    def order(self, name: str) -> NDArray[np.int64]:
        """The numbers of all rows in one of `ORDERS`; ties in the order of the file."""
        return self._orders[name]

    @cached_property
    def _orders(self) -> dict[str, NDArray[np.int64]]:
        near = np.abs(self.margins - self.needed(self.positives))
        return {
            "near": np.argsort(near, kind="stable"),
            "lowest": np.argsort(self.margins, kind="stable"),
            "row": np.arange(len(self)),
        }

    def search(self, text: str, order: str) -> NDArray[np.int64]:
        """The rows whose query has `text` in it, in this order; all for ""."""
        rows = self.order(order)
        return rows[np.isin(rows, self._rows.containing("query", text))] if text else rows

    def queries(self, rows: NDArray[np.int64]) -> list[str]:
        """The queries of these rows."""
        return [row["query"] for row in self._rows.take(rows.tolist(), ["query"])]

    def terms(self, query: str) -> Terms:
        """What is marked in the documents of a row."""
        return Terms.of(query, self.language)

    def row(self, number: int) -> MinedRow:
        """One row with its documents, and where each came from."""
        held = self._rows.take([number])[0]
        texts = held["negatives"] if "negatives" in held else [held[name] for name in held if _negative(name)]
        logits = [float(logit) for logit in held["label"]]
        shares = _shares(logits)
        told = self._told.take([number])[0] if self._told is not None else {}
        documents = [
            MinedDocument("positive", told.get("positive-id", ""), held["positive"], logits[0], None, shares[0])
        ]
        for place, text in enumerate(texts):
            at = place + 1
            origin = _origin(told, place) if told else {}
            margin = logits[0] - logits[at]
            found = MinedDocument("negative", "", text, logits[at], margin, shares[at])
            documents.append(MinedDocument(**{**vars(found), **origin}))
        return MinedRow(
            number=number,
            query=held["query"],
            query_id=told.get("query-id", ""),
            documents=tuple(documents),
            verdict=told.get("verdict") or "",
            quality=told.get("quality_score"),
        )


def open_mined(folder: Path) -> list[MinedSet]:
    """The configs of a mined folder that hold rows with logits; none where it is no mined folder."""
    tables = _tables(folder)
    return [MinedSet(folder, config) for config in _TABLES if f"{config}/train" in tables]


def _tables(folder: Path) -> dict[str, list[Path]]:
    tables: dict[str, list[Path]] = {}
    for name in names_in(folder):
        if format_of(name) == "parquet":
            tables.setdefault(table_name(name), []).append(folder / name)
    return tables


def _table(manifest: Manifest | None, name: str) -> Mapping[str, Any]:
    """A table of the recipe that a manifest tells; empty where there is none."""
    told = manifest.recipe.get(name) if manifest is not None else None
    return told if isinstance(told, Mapping) else {}


def _shares(logits: list[float]) -> list[float]:
    raised = np.exp((np.asarray(logits) - max(logits)) / TEMPERATURE)
    return [float(share) for share in raised / raised.sum()]


def _negative(name: str) -> bool:
    return name.startswith("negative_")


def _origin(told: Mapping[str, Any], place: int) -> dict[str, Any]:
    return {
        "doc_id": told["negative-ids"][place],
        "chosen": told["chosen"][place],
        "retriever": told["retrievers"][place] or "",
        "rank": told["ranks"][place] or 0,
        "score": told["scores"][place],
    }
