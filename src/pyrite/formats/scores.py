"""A teacher's logits as a table: query-id, corpus-id, logit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.formats.columns import Column
from pyrite.formats.opening import unreadable
from pyrite.formats.parquet import open_parquet
from pyrite.formats.rankings import coded
from pyrite.formats.tables import column_names, format_of, read_table

_IDS = (
    Column("query", ("query-id", "query_id"), "id", single=True),
    Column("doc", ("corpus-id", "corpus_id", "doc_id"), "id", single=True),
)
_LOGIT = Column("logit", ("logit",), "number")


@dataclass(frozen=True, eq=False)
class PairScores:
    """Logits of (query, document) pairs, each pair once.

    Attributes:
        query_ids, doc_ids: large_string, one a pair. logits: float32.
    """

    query_ids: pa.ChunkedArray
    doc_ids: pa.ChunkedArray
    logits: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.logits)


def read_scores(path: Path) -> PairScores:
    r"""The logits of a Parquet, JSONL, CSV or TSV table query-id, corpus-id, logit; more columns are not looked at.

    DataError with the pair's ids where a logit is missing or not a finite number, and for a pair that is there twice.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.csv")
    ...     _ = path.write_text("query-id,corpus-id,logit\nq1,d1,4.5\n")
    ...     read_scores(path).logits.tolist()
    [4.5]
    """
    if not path.is_file():
        raise unreadable(FileNotFoundError(2, "No such file or directory"), path)
    kind = format_of(path.name)
    try:
        table = read_table([path], (*_IDS, _LOGIT))
    except DataError as error:
        if kind == "parquet" and "logit" in column_names(path, kind):
            _name_bad_pair(path)
        raise error
    numbers = table["logit"].to_numpy()
    with np.errstate(over="ignore"):
        logits = numbers.astype(np.float32)
    wrong = np.flatnonzero(~np.isfinite(logits))
    if len(wrong):
        raise _bad_pair(path, table["query"], table["doc"], int(wrong[0]), str(logits[wrong[0]]))
    _refuse_repeats(path, table)
    return PairScores(table["query"], table["doc"], logits)


def _name_bad_pair(path: Path) -> None:
    """Raise the error that names the ids of the first pair whose logit is missing or NaN, if there is one."""
    ids = read_table([path], _IDS)
    with open_parquet(path) as file:
        column = file.read(columns=["logit"])["logit"]
    if not pa.types.is_floating(column.type):
        return
    wrong = np.flatnonzero(~np.isfinite(pc.fill_null(column, float("nan")).to_numpy()))
    if len(wrong):
        row = int(wrong[0])
        raise _bad_pair(path, ids["query"], ids["doc"], row, str(column[row].as_py()))


def _bad_pair(path: Path, queries: pa.ChunkedArray, docs: pa.ChunkedArray, row: int, value: str) -> DataError:
    return DataError(
        f"the logit of query '{queries[row].as_py()}' and document '{docs[row].as_py()}' is {value}",
        where=f"{path}, row {row}",
        fix="score it again",
    )


def _refuse_repeats(path: Path, table: pa.Table) -> None:
    _, queries = coded(table["query"])
    doc_ids, docs = coded(table["doc"])
    keys = queries * max(len(doc_ids), 1) + docs
    _, first = np.unique(keys, return_index=True)
    if len(first) < len(keys):
        repeated = np.ones(len(keys), dtype=np.bool_)
        repeated[first] = False
        row = int(np.flatnonzero(repeated)[0])
        raise DataError(
            f"query '{table['query'][row].as_py()}' and document '{table['doc'][row].as_py()}' are scored twice",
            where=f"{path}, row {row}",
            fix="keep one of them",
        )


def scores_table(query_ids: Sequence[str], doc_ids: Sequence[str], logits: NDArray[np.floating]) -> pa.Table:
    """The table that `read_scores` reads.

    >>> scores_table(["q1"], ["d1"], np.array([4.5])).column_names
    ['query-id', 'corpus-id', 'logit']
    """
    return pa.table(
        {
            "query-id": pa.array(query_ids, pa.string()),
            "corpus-id": pa.array(doc_ids, pa.string()),
            "logit": np.asarray(logits, np.float32),
        }
    )
