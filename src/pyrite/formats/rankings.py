"""Rows of a run file become rankings."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError, Run, rank_order, trec_ties


def run_of_scores(
    system: str,
    queries: pa.Array | pa.ChunkedArray,
    docs: pa.Array | pa.ChunkedArray,
    scores: NDArray[np.float64],
    *,
    file: str,
) -> Run:
    """The run of rows that have only scores, ordered as trec_eval does: float32 descending, then the greater id."""
    _, codes = coded(queries)
    doc_ids, positions = coded(docs)
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    best_first = rank_order(single, trec_ties(doc_ids.to_pylist())[positions])
    order = best_first[np.argsort(codes[best_first], kind="stable")]
    return run_of_rows(system, queries, docs, scores, order, file=file)


def run_of_rows(
    system: str,
    queries: pa.Array | pa.ChunkedArray,
    docs: pa.Array | pa.ChunkedArray,
    scores: NDArray[np.float64],
    order: NDArray[np.int64],
    *,
    file: str,
) -> Run:
    """Rows in `order`, where each query's rows are together and the queries stand as they first occur."""
    query_ids, codes = coded(queries)
    doc_ids, positions = coded(docs)
    try:
        return Run(
            system,
            query_ids=query_ids,
            offsets=np.searchsorted(codes[order], np.arange(len(query_ids) + 1)),
            positions=positions[order].astype(np.int32),
            doc_ids=doc_ids,
            scores=scores[order],
        )
    except DataError as error:
        raise DataError(error.what, where=f"{file}, {error.where}", fix=error.fix) from error


def coded(ids: pa.Array | pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int64]]:
    """The distinct ids as they first occur, and each row's place among them."""
    array = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    encoded = array.dictionary_encode()
    return encoded.dictionary, np.asarray(encoded.indices, dtype=np.int64)
