"""The review queue of an audit: what may be wrong with a dataset, one suspicion a row, most suspicious first."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import DataError
from pyrite.formats.opening import AGAIN
from pyrite.formats.parquet import open_parquet, write_parquet

KINDS = ("false negative", "near-duplicate", "ambiguous", "leak")
"""What a suspicion is of; the queue has them in this order."""

QUEUE = pa.schema(
    [
        ("item", pa.string()),
        ("kind", pa.string()),
        ("query-id", pa.string()),
        ("corpus-id", pa.string()),
        ("positive-id", pa.string()),
        ("system", pa.string()),
        ("rank", pa.int32()),
        ("score", pa.float32()),
        ("logit", pa.float32()),
        ("positive_logit", pa.float32()),
        ("above", pa.int32()),
        ("reason", pa.string()),
    ]
)
"""One row a suspicion; `item` is its id, the same in every audit that finds it, and no text is in it.

`above` is how many documents that are not known to be relevant score above the query's positive. Whatever a kind or an
audit has nothing to say of is null; the item, the kind and the reason never are.
"""

_ALWAYS = ("item", "kind", "reason")


def write_queue(path: Path, queue: pa.Table) -> None:
    """Write a queue with the columns of `QUEUE`, in the rows' order.

    DataError for an item that is there twice, a kind that is none, or an item, kind or reason that is missing.
    """
    _check(queue, str(path))
    write_parquet(path, queue.select(QUEUE.names).cast(QUEUE))


def read_queue(path: Path) -> pa.Table:
    """The queue that `write_queue` wrote, with the columns of `QUEUE` and no others; DataError where it is none.

    >>> import tempfile
    >>> empty = {name: [None] for name in QUEUE.names}
    >>> row = {"item": ["q1/d7"], "kind": ["false negative"], "query-id": ["q1"], "reason": ["Found first."]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_queue(Path(folder, "queue.parquet"), pa.table({**empty, **row}))
    ...     read_queue(Path(folder, "queue.parquet"))["item"].to_pylist()
    ['q1/d7']
    """
    with open_parquet(path) as file:
        missing = [name for name in QUEUE.names if name not in file.schema_arrow.names]
        if missing:
            raise DataError(f"there is no column '{missing[0]}'", where=str(path), fix="audit again")
        try:
            queue = file.read(columns=QUEUE.names).cast(QUEUE)
        except (pa.ArrowException, OSError) as error:
            raise DataError("is not a whole queue", where=str(path), fix=AGAIN) from error
    _check(queue, str(path))
    return queue


def _check(queue: pa.Table, where: str) -> None:
    for name in _ALWAYS:
        if queue[name].null_count:
            raise DataError(f"a row has no {name}", where=where, fix="audit again")
    for kind in pc.unique(queue["kind"]).to_pylist():
        if kind not in KINDS:
            raise DataError(f"'{kind}' is no kind of a suspicion", where=where, fix=f"the kinds are {', '.join(KINDS)}")
    if pc.count_distinct(queue["item"]).as_py() != len(queue):
        counts = pc.value_counts(queue["item"].combine_chunks())
        first = next(one["values"].as_py() for one in counts if one["counts"].as_py() > 1)
        raise DataError(f"the item '{first}' is there twice", where=where, fix="audit again")
