"""Candidate lists of a Nano split."""

import pyarrow as pa
import pytest

from pyrite.core import DataError, Hit
from pyrite.formats import read_candidates, write_parquet


def write(folder, queries, docs):
    (folder / "bm25").mkdir(exist_ok=True)
    write_parquet(folder / "bm25" / "ja.parquet", pa.table({"query-id": queries, "corpus-ids": docs}))


def test_candidates_keep_their_order_and_have_ranks(tmp_path):
    write(tmp_path, ["q1", "q2", "q3"], [["d2", "001"], [], ["d2"]])
    found = read_candidates(tmp_path, "ja")
    assert found.run.system == "bm25"
    assert list(found.run) == [
        ("q1", [Hit("d2", 1, 1.0), Hit("001", 2, 0.5)]),
        ("q2", []),
        ("q3", [Hit("d2", 1, 1.0)]),
    ]
    assert found.forced_count == 0


def test_a_repeated_query_or_document_and_a_plain_string_are_errors(tmp_path):
    write(tmp_path, ["q1", "q1"], [["d1"], ["d2"]])
    with pytest.raises(DataError, match=r"ja\.parquet: a query has more than one row of candidates"):
        read_candidates(tmp_path, "ja")
    write(tmp_path, ["q1"], [["d1", "d1"]])
    with pytest.raises(DataError, match="query 'q1': document 'd1' is retrieved twice"):
        read_candidates(tmp_path, "ja")
    write(tmp_path, ["q1"], ["d1 d2"])
    with pytest.raises(DataError, match="column 'corpus-ids' holds no lists"):
        read_candidates(tmp_path, "ja")
    with pytest.raises(DataError, match=r"ko\.parquet: there is no such file"):
        read_candidates(tmp_path, "ko")


def test_the_metadata_says_what_was_forced(tmp_path):
    write(tmp_path, ["q1", "q2"], [["d2", "001"], ["d2"]])
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "ja.json").write_text('{"candidates": {"bm25": {"forced": {"q1": ["001"]}}}}')
    assert read_candidates(tmp_path, "ja").forced == {"q1": ("001",)}
