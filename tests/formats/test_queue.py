"""The review queue as a file: fixed columns, items that are there once, the same bytes for the same rows."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import QUEUE, read_queue, write_queue


def queue(*rows: dict[str, object]) -> pa.Table:
    whole = [{name: row.get(name) for name in QUEUE.names} for row in rows]
    return pa.Table.from_pylist(whole, schema=QUEUE)


FOUND = {"item": "f/q1/d7", "kind": "false negative", "query-id": "q1", "corpus-id": "d7", "reason": "Found first."}
UNSURE = {"item": "a/q1", "kind": "ambiguous", "query-id": "q1", "above": 3, "reason": "3 score above."}


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    held = queue({**FOUND, "rank": 1, "score": 2.5, "logit": 7.25, "positive_logit": 7.0, "above": 1}, UNSURE)
    write_queue(tmp_path / "queue.parquet", held)
    assert read_queue(tmp_path / "queue.parquet").equals(held)
    assert read_queue(tmp_path / "queue.parquet")["corpus-id"].to_pylist() == ["d7", None]


def test_the_same_rows_are_the_same_bytes_whatever_their_chunks_and_string_types(tmp_path: Path) -> None:
    held = queue(FOUND, UNSURE)
    large = held.cast(pa.schema([(f.name, pa.large_string() if f.type == pa.string() else f.type) for f in QUEUE]))
    write_queue(tmp_path / "one.parquet", held)
    write_queue(tmp_path / "other.parquet", pa.concat_tables([large.slice(0, 1), large.slice(1)]))
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "other.parquet").read_bytes()


def test_an_empty_queue_is_a_queue(tmp_path: Path) -> None:
    write_queue(tmp_path / "queue.parquet", queue())
    assert read_queue(tmp_path / "queue.parquet").schema == QUEUE


def test_a_queue_that_is_none_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "queue.parquet"
    with pytest.raises(DataError, match=r"queue\.parquet: there is no such file"):
        read_queue(path)
    with pytest.raises(DataError, match="the item 'f/q1/d7' is there twice"):
        write_queue(path, queue(FOUND, UNSURE, FOUND))
    with pytest.raises(DataError, match="'odd' is no kind of a suspicion; the kinds are false negative"):
        write_queue(path, queue({**FOUND, "kind": "odd"}))
    with pytest.raises(DataError, match="a row has no reason"):
        write_queue(path, queue({**FOUND, "reason": None}))
    pq.write_table(queue(FOUND).drop_columns(["above"]), path)
    with pytest.raises(DataError, match="there is no column 'above'"):
        read_queue(path)
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match="is not a whole Parquet file"):
        read_queue(path)


def test_columns_that_a_person_added_are_not_looked_at(tmp_path: Path) -> None:
    pq.write_table(queue(FOUND).append_column("by", pa.array(["me"])), tmp_path / "queue.parquet")
    assert read_queue(tmp_path / "queue.parquet").column_names == QUEUE.names
