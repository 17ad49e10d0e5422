"""Rows and documents of tables that stay on the disk."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, DataError, Document
from pyrite.viewer.stored import HeldTexts, StoredRows, StoredTexts


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """2,000 documents in two files of several row groups, the first without text."""
    rows = pa.table({"_id": [f"d{n}" for n in range(2000)], "text": [None, *(f"text {n}" for n in range(1, 2000))]})
    pq.write_table(rows.slice(0, 1500), tmp_path / "a[1].parquet", row_group_size=100)
    pq.write_table(rows.slice(1500), tmp_path / "b.parquet", row_group_size=333)
    return [tmp_path / "a[1].parquet", tmp_path / "b.parquet"]


def test_every_row_is_read_at_its_place(parts: list[Path]) -> None:
    rows = StoredRows(parts)
    assert len(rows) == 2000
    wanted = [0, 99, 100, 1499, 1500, 1832, 1833, 1999]
    assert [row["_id"] for row in rows.take(wanted)] == [f"d{n}" for n in wanted]
    assert rows.take([1999], ["text"]) == [{"text": "text 1999"}]
    assert rows.take([]) == []


def test_rows_are_found_by_what_they_contain_whatever_the_case(parts: list[Path]) -> None:
    assert StoredRows(parts).containing("text", "EXT 199") == [199, *range(1990, 2000)]
    assert StoredRows(parts).containing("text", ".*") == []


def test_documents_are_found_by_id_in_any_order_and_what_is_absent_is_left_out(parts: list[Path]) -> None:
    texts = StoredTexts(parts)
    found = texts.find(["d1999", "nowhere", "d7", "d0", "d7"])
    assert {doc_id: document.text for doc_id, document in found.items()} == {
        "d1999": "text 1999",
        "d7": "text 7",
        "d0": "",
    }
    assert len(texts) == 2000
    assert texts.find([]) == {}


def test_an_integer_id_is_found_as_its_string(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "text": ["one", "two"], "title": ["I", None]}), tmp_path / "c.parquet")
    found = StoredTexts([tmp_path / "c.parquet"]).find(["1", "2"])
    assert found == {"1": Document("1", "one", "I"), "2": Document("2", "two", "")}


def test_a_file_that_was_cut_short_is_one_sentence(parts: list[Path]) -> None:
    rows = StoredRows(parts)
    whole = parts[0].read_bytes()
    parts[0].write_bytes(whole[:400] + b"\0" * (len(whole) - 400))
    with pytest.raises(DataError, match="is not a whole Parquet file"):
        rows.take([1400])
    with pytest.raises(DataError, match="is not a whole Parquet file"):
        StoredRows(parts)


def test_a_corpus_in_memory_answers_the_same() -> None:
    texts = HeldTexts(Corpus.of([Document("d1", "Gold.", "Au")]))
    assert len(texts) == 1
    assert texts.find(["d2", "d1"]) == {"d1": Document("d1", "Gold.", "Au")}
