"""One table, whatever its format."""

from pathlib import Path

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import write_parquet
from pyrite.publishing.table_facts import HEAD_ROWS, table_facts


def test_a_table_in_several_files_is_one_table(tmp_path: Path) -> None:
    files = ["corpus-00000-of-00002.parquet", "corpus-00001-of-00002.parquet"]
    for place, file in enumerate(files):
        write_parquet(tmp_path / file, pa.table({"_id": [f"p{place}"], "text": ["a b"]}))
    facts = table_facts(tmp_path, files)
    assert (facts.name, facts.rows, facts.columns) == ("corpus", 2, {"_id": "string", "text": "string"})
    assert facts.lines()[0] == "corpus: 2 rows in 2 files; _id (string), text (string)"


def test_ids_have_no_lengths_and_a_missing_text_has_length_zero(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", pa.table({"query-id": ["q0", "q1"], "text": ["a b c", None], "n": [1, 2]}))
    facts = table_facts(tmp_path, ["t.parquet"])
    assert list(facts.lengths) == ["text"]
    assert facts.lengths["text"].words.mean == 1.5


def test_only_the_first_rows_are_held(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", pa.table({"n": list(range(1000))}))
    facts = table_facts(tmp_path, ["t.parquet"])
    assert len(facts.head) == HEAD_ROWS
    assert [row["n"] for row in facts.sample] == [0, 1, 2]
    assert facts.to_json()["sample"] == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_a_file_of_no_known_format_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is of no format that is read"):
        table_facts(tmp_path, ["notes.docx"])
