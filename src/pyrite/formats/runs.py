"""Runs as tables: query-id, corpus-id, rank, score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from pyrite.core import DataError, Run
from pyrite.formats.columns import Column
from pyrite.formats.opening import unreadable
from pyrite.formats.parquet import write_parquet
from pyrite.formats.rankings import coded, run_of_rows, run_of_scores
from pyrite.formats.tables import read_table
from pyrite.formats.trec import read_trec_run

_COLUMNS = (
    Column("query", ("query-id", "query_id"), "id", single=True),
    Column("doc", ("corpus-id", "corpus_id", "doc_id"), "id", single=True),
    Column("rank", ("rank",), "integer", optional=True),
    Column("score", ("score",), "number"),
)


def read_run(path: Path) -> Run:
    """Anybody's run: a Parquet table (see `read_parquet_run`) or a TREC file (see `read_trec_run`)."""
    try:
        with path.open("rb") as file:
            parquet = file.read(4) == b"PAR1"
    except OSError as error:
        raise unreadable(error, path) from error
    return read_parquet_run(path) if parquet or path.suffix == ".parquet" else read_trec_run(path)


def read_parquet_run(path: Path) -> Run:
    """The run of a Parquet table query-id, corpus-id, rank, score: each ranking ordered by rank.

    Without a rank column the order is that of scores, ties by the greater document id as trec_eval has them. The
    system is the file's name. DataError where two documents of a query share a rank, or a document occurs twice.
    """
    table = read_table([path], _COLUMNS, kind="parquet")
    if "rank" not in table.column_names:
        scores = table["score"].to_numpy()
        return run_of_scores(path.stem, table["query"], table["doc"], scores, file=str(path))
    queries, codes = coded(table["query"])
    ranks = table["rank"].to_numpy()
    order = np.lexsort((ranks, codes))
    same = (np.diff(codes[order]) == 0) & (np.diff(ranks[order]) == 0)
    if same.any():
        row = int(order[np.flatnonzero(same)[0]])
        query, rank = queries[codes[row]].as_py(), ranks[row]
        raise DataError(f"two documents of query '{query}' have rank {rank}", where=str(path), fix="rank them apart")
    return run_of_rows(path.stem, table["query"], table["doc"], table["score"].to_numpy(), order, file=str(path))


def write_run(path: Path, run: Run) -> None:
    """Write a run as Parquet: query-id, corpus-id, rank (from 1) and the raw score, in the run's order.

    A query without hits has no row, and `read_run` does not know of it.
    """
    queries = run.query_ids.take(pa.array(np.repeat(np.arange(len(run)), np.diff(run.offsets))))
    columns = [queries, run.hit_ids(), pa.array(run.ranks()), pa.array(run.scores)]
    write_parquet(path, pa.table(columns, names=["query-id", "corpus-id", "rank", "score"]))
