"""Text columns on the pages of a file."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.formats import read_mapped, write_mapped

ROWS = {"_id": ["d0", "d1", "d2"], "text": ["", "Fool's gold, 黄鉄鉱.", "Coal."]}


def test_rows_come_back_in_one_chunk_however_they_were_given(tmp_path: Path) -> None:
    table = pa.table(ROWS, schema=pa.schema([("_id", pa.string()), ("text", pa.large_string())]))
    pieces = [table.slice(0, 1), table.slice(1, 0), pa.concat_tables([table.slice(1, 1), table.slice(2)])]
    assert write_mapped(tmp_path / "whole.arrow", ["_id", "text"], [table]) == 3
    assert write_mapped(tmp_path / "parts.arrow", ["_id", "text"], pieces) == 3
    assert (tmp_path / "whole.arrow").read_bytes() == (tmp_path / "parts.arrow").read_bytes()
    held = read_mapped(tmp_path / "parts.arrow")
    assert held.to_pydict() == ROWS
    assert [column.num_chunks for column in held.columns] == [1, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts.arrow", "whole.arrow"]


@pytest.mark.parametrize("batches", [[], [pa.table({"_id": pa.array([], pa.string())})]])
def test_no_rows_are_a_file_too(tmp_path: Path, batches: list[pa.Table]) -> None:
    assert write_mapped(tmp_path / "none.arrow", ["_id"], batches) == 0
    assert read_mapped(tmp_path / "none.arrow").to_pydict() == {"_id": []}


def test_reading_and_taking_copies_only_what_is_taken(tmp_path: Path) -> None:
    text = pa.array(["x" * 1000] * 10_000)
    write_mapped(tmp_path / "large.arrow", ["text"], (pa.table({"text": text}) for _ in range(4)))
    before = pa.total_allocated_bytes()
    held = read_mapped(tmp_path / "large.arrow")["text"]
    taken = held.take(pa.array(np.arange(0, 40_000, 4_000)))
    assert taken.to_pylist() == ["x" * 1000] * 10
    assert pa.total_allocated_bytes() - before < 100_000


def test_a_missing_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is missing"):
        write_mapped(tmp_path / "null.arrow", ["text"], [pa.table({"text": ["a", None]})])
